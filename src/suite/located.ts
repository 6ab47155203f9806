import type { Exchange } from '../target/exchange.ts'

/** A JSON value together with where it stands: the exchange, and the JSON pointer into its body. */
export interface Located<Value = unknown> {
  readonly value: Value
  readonly exchange: Exchange
  readonly pointer: string
}

/** A JSON object of unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The items of a JSON array body, located; none where the body is not an array. */
export function itemsOf(exchange: Exchange): Located[] {
  const { json } = exchange
  return Array.isArray(json) ? json.map((value, index) => ({ value, exchange, pointer: `/${index}` })) : []
}

/** The items of several array bodies, each distinct one once; remembered until another body is added. */
export function distinctItems(exchanges: readonly Exchange[]): readonly Located[] {
  const first = exchanges[0]
  if (!first) return []
  const known = distinct.get(first)
  if (known?.of === exchanges.length) return known.items
  const byText = new Map<string, Located>()
  for (const item of exchanges.flatMap(itemsOf)) {
    const text = JSON.stringify(item.value)
    if (!byText.has(text)) byText.set(text, item)
  }
  const items = [...byText.values()]
  distinct.set(first, { of: exchanges.length, items })
  return items
}

const distinct = new WeakMap<Exchange, { readonly of: number; readonly items: readonly Located[] }>()

/** A located object's member; undefined where the value is no object or lacks it. */
export function member(of: Located, name: string): Located | undefined {
  if (!isObject(of.value) || !Object.hasOwn(of.value, name)) return undefined
  return { value: of.value[name], exchange: of.exchange, pointer: `${of.pointer}/${escapePointer(name)}` }
}

/** Every object at any depth of a located value, itself included. */
export function* objectsWithin(of: Located): Generator<Located<JsonObject>> {
  if (Array.isArray(of.value)) {
    for (const [index, value] of of.value.entries()) yield* objectsWithin({ ...of, value, pointer: `${of.pointer}/${index}` })
  } else if (isObject(of.value)) {
    yield { ...of, value: of.value }
    for (const name of Object.keys(of.value)) yield* objectsWithin(member(of, name) as Located)
  }
}

function escapePointer(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

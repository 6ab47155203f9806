import type { Exchange } from '../http/exchange.ts'
import { escapeStep } from '../text/json-pointer.ts'

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

/** The items of several array bodies, each distinct one once. `exchanges` may only grow between calls: what was read is remembered. */
export function distinctItems(exchanges: readonly Exchange[]): readonly Located[] {
  const first = exchanges[0]
  if (!first) return []
  const known = distinct.get(first) ?? { read: 0, byText: new Map<string, Located>() }
  distinct.set(first, known)
  for (const item of distinctBodies(exchanges.slice(known.read)).flatMap(itemsOf)) {
    const text = JSON.stringify(item.value)
    if (!known.byText.has(text)) known.byText.set(text, item)
  }
  known.read = exchanges.length
  return [...known.byText.values()]
}

/** The exchanges without those that repeat the status and body of an earlier one. */
export function distinctBodies(exchanges: readonly Exchange[]): readonly Exchange[] {
  const byBody = new Map<string, Exchange>()
  for (const exchange of exchanges) {
    const key = `${exchange.status} ${exchange.bodyHash}`
    if (!byBody.has(key)) byBody.set(key, exchange)
  }
  return [...byBody.values()]
}

const distinct = new WeakMap<Exchange, { read: number; readonly byText: Map<string, Located> }>()

/** A located object's member; undefined where the value is no object or lacks it. */
export function member(of: Located, name: string): Located | undefined {
  if (!isObject(of.value) || !Object.hasOwn(of.value, name)) return undefined
  return { value: of.value[name], exchange: of.exchange, pointer: `${of.pointer}/${escapeStep(name)}` }
}

/** Every object at any depth of an exchange's body; remembered, since many checks look through the same bodies. */
export function objectsWithin(exchange: Exchange): readonly Located<JsonObject>[] {
  const known = objects.get(exchange)
  if (known) return known
  const found: Located<JsonObject>[] = []
  collect(exchange.json, { step: '', within: undefined }, exchange, found)
  objects.set(exchange, found)
  return found
}

const objects = new WeakMap<Exchange, readonly Located<JsonObject>[]>()

/** A place in a body; its pointer is spelled out only when somebody asks. */
interface Place {
  readonly step: string
  readonly within: Place | undefined
}

/** An object where it was found: there are hundreds of thousands in a run, and few of their pointers are shown. */
class Found implements Located<JsonObject> {
  readonly value: JsonObject
  readonly exchange: Exchange
  readonly #place: Place

  constructor(value: JsonObject, exchange: Exchange, place: Place) {
    this.value = value
    this.exchange = exchange
    this.#place = place
  }

  get pointer(): string {
    return pointerTo(this.#place)
  }
}

function collect(value: unknown, place: Place, exchange: Exchange, found: Located<JsonObject>[]): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) collect(item, { step: String(index), within: place }, exchange, found)
  } else if (isObject(value)) {
    found.push(new Found(value, exchange, place))
    for (const [step, item] of Object.entries(value)) collect(item, { step, within: place }, exchange, found)
  }
}

function pointerTo({ step, within }: Place): string {
  return within ? `${pointerTo(within)}/${escapeStep(step)}` : ''
}

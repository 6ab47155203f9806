import { hash } from 'node:crypto'
import type { Exchange } from '../http/exchange/exchange.ts'
import { escapeStep, groupBy } from '../text/data.ts'

/** A JSON value together with its place: the exchange, and the JSON pointer into its body. */
export interface Located<Value = unknown> {
  readonly value: Value
  readonly exchange: Exchange
  readonly pointer: string
}

/** A JSON object of unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>

/** True for a JSON object; false for an array and for null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The most items of a body that are examined: five hundred of the largest pages. */
const mostOfBody = 50_000

/** The first items of an array body. None if the body is not an array. @internal */
export function valuesOf({ json }: Exchange): unknown[] {
  return Array.isArray(json) ? json.slice(0, mostOfBody) : []
}

/** The first items of an array body, each with its place. None if the body is not an array. */
export function itemsOf(exchange: Exchange): Located[] {
  return valuesOf(exchange).map((value, index) => ({ value, exchange, pointer: `/${index}` }))
}

/** The most memory of the items that a check examines together. The reading of a list ends there. Bytes. @internal */
export const mostItems = 24 * 1024 * 1024

/** The items of several array bodies, equal items once. Those of the latest list are remembered by its first exchange. @internal */
export function distinctItems(exchanges: readonly Exchange[]): readonly Located[] {
  const first = exchanges[0]
  if (!first) return []
  if (latest?.first !== first) latest = { first, read: new Set(), byText: new Map(), size: 0 }
  const known = latest
  for (const exchange of exchanges) {
    if (known.read.has(exchange.bodyHash) || known.size > mostItems) continue
    known.read.add(exchange.bodyHash)
    for (const item of itemsOf(exchange)) {
      const text = hash('sha256', JSON.stringify(item.value), 'base64')
      if (!known.byText.has(text)) known.size += exchange.body.weight / exchange.count
      if (!known.byText.has(text)) known.byText.set(text, item)
    }
  }
  return [...known.byText.values()]
}

/** The exchanges, without those with the status and body of an earlier one. @internal */
export function distinctBodies(exchanges: readonly Exchange[]): readonly Exchange[] {
  const byBody = groupBy(exchanges, ({ status, bodyHash }) => `${status} ${bodyHash}`)
  return [...byBody.values()].map(([first]) => first as Exchange)
}

/** The list that was examined last, by its first exchange. `read` has the hashes of its bodies, `byText` its items by the hash of their JSON. */
let latest:
  | { first: Exchange; read: Set<string>; byText: Map<string, Located>; size: number }
  | undefined

/** Forgets the list that was examined last. @internal */
export function forgetItems() {
  latest = undefined
}

/** A member of an object, with its place. Undefined if the value is not an object or lacks the member. */
export function member(of: Located, name: string): Located | undefined {
  if (!isObject(of.value) || !Object.hasOwn(of.value, name)) return undefined
  return {
    value: of.value[name],
    exchange: of.exchange,
    pointer: `${of.pointer}/${escapeStep(name)}`,
  }
}

/** The objects of a body at any depth that satisfy a predicate. @internal */
export function objectsWithin(
  exchange: Exchange,
  isWanted: (object: JsonObject) => boolean = () => true,
): Located<JsonObject>[] {
  const found: Located<JsonObject>[] = []
  const look = (value: unknown, pointer: string) => {
    if (typeof value !== 'object' || value === null) return
    if (isObject(value) && isWanted(value)) found.push({ value, exchange, pointer })
    for (const [step, part] of Object.entries(value)) {
      if (typeof part === 'object') look(part, `${pointer}/${escapeStep(step)}`)
    }
  }
  look(exchange.json, '')
  return found
}

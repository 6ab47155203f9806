import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { isObject } from '../../src/suite/located.ts'
import { atPointer, escapeStep } from '../../src/text/data.ts'

/** One row's request as one caller sent it. */
export interface Attempt {
  readonly caller: Caller
  /** The response, after a redirect within the target was followed. */
  readonly response: Exchange
  /** The object of the request, which a write to an unknown id lacks. */
  readonly basis: 'target' | 'fixture' | 'absent'
  /** The readings of the object around rejected writes without an effect. */
  readonly around?: readonly Exchange[]
  /** The effect of a write that was not served: its object, as the owner saw it before and after. */
  readonly change?: { readonly before: Exchange; readonly after: Exchange }
  /** The object changes all the time, so that no effect of a write that was not served can be proven. */
  readonly restless?: true
}

/** Cites responses as the evidence of a check, also those that another check requested. */
export function cite(t: CheckContext, ...attempts: readonly Attempt[]) {
  for (const { response, around = [] } of attempts) {
    for (const each of [...around, response]) t.expect(each)
  }
}

/** True for 401 and 403. A 404 may be about the id and not about access (readings F1, F2). */
export const isGate = ({ status }: Exchange) => status === 401 || status === 403

/** The places at which two readings of one address differ; `""` is the response as a whole. */
export function differences(a: Exchange, b: Exchange, pointer = ''): Set<string> {
  if (a.status !== b.status) return new Set([''])
  return new Set(differing(atPointer(a.json, pointer), atPointer(b.json, pointer), pointer))
}

/** The JSON of a value with the members of its objects in order, since their order has no meaning (RFC 8259, 4). */
function sortedJson(value: unknown) {
  const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)
  const inOrder = (_: string, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(byName)) : member
  return JSON.stringify(value, inOrder)
}

function differing(a: unknown, b: unknown, at: string): string[] {
  if (sortedJson(a) === sortedJson(b)) return []
  // Each item of a list may have a member that changes by itself.
  const areLists = Array.isArray(a) && Array.isArray(b) && a.length === b.length
  if (!areLists && !(isObject(a) && isObject(b))) return [at]
  const [before, after] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].flatMap((name) =>
    differing(before.get(name), after.get(name), `${at}/${escapeStep(name)}`),
  )
}

/** True when a response that is no success contains data of the owner's success (all of it, or any of its objects) that `other` lacks. */
export function leaks(response: Exchange, served: Exchange, other?: Exchange) {
  // An object of one member may be equal by chance; a whole response that is not empty is not.
  const isTelling = ([value, whole]: readonly [object, boolean]) =>
    Object.keys(value).length >= (whole ? 1 : 2) && (whole || !Array.isArray(value))
  const known = new Set(
    [...values(served.json)].filter(isTelling).map(([value]) => sortedJson(value)),
  )
  for (const [value] of values(other?.json)) known.delete(sortedJson(value))
  return (
    known.size > 0 && [...values(response.json)].some(([value]) => known.has(sortedJson(value)))
  )
}

/** Every array and object at any depth of a JSON value; `whole` is true for the value itself. */
function* values(value: unknown, whole = true): Generator<[value: object, whole: boolean]> {
  if (typeof value !== 'object' || value === null) return
  yield [value, whole]
  for (const member of Object.values(value)) yield* values(member, false)
}

import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Change } from './row-object.ts'
import type { RowRequest } from './row-request.ts'

/** One row's request as one caller sent it. */
export interface Attempt {
  readonly caller: Caller
  /** The answer, after a redirect within the target was followed. */
  readonly answer: Exchange
  readonly basis: RowRequest['basis']
  /** What the owner saw before and after a write that was not served but took effect. */
  readonly change?: Change
  /** True where the object changes all the time, so that no effect of a write that was not served can be told. */
  readonly restless?: true
}

/** Names answers as what a check rests on, whichever check sent them. */
export function cite(t: CheckContext, ...attempts: readonly Attempt[]): void {
  for (const { answer } of attempts) t.expect(answer)
}

/** True for a refusal that says so; 404 may be about the id (readings F1, F2). */
export function isGate({ status }: Exchange): boolean {
  return status === 401 || status === 403
}

/** True when an answer that is no success shows something that the owner's success shows: all of it, or any of its objects. */
export function leaks(answer: Exchange, served: Exchange): boolean {
  const known = new Set(
    [...values(served.json)].filter(([value, whole]) => says(value, whole)).map(([value]) => JSON.stringify(value)),
  )
  return known.size > 0 && [...values(answer.json)].some(([value]) => known.has(JSON.stringify(value)))
}

/** An object of one member may be the same by chance; a whole answer that is not empty is not. */
function says(value: object, whole: boolean): boolean {
  return Object.keys(value).length >= (whole ? 1 : 2) && (whole || !Array.isArray(value))
}

/** Every array and object at any depth of a JSON value; `whole` is true for the value itself. */
function* values(value: unknown, whole = true): Generator<[value: object, whole: boolean]> {
  if (typeof value !== 'object' || value === null) return
  yield [value, whole]
  for (const member of Object.values(value)) yield* values(member, false)
}

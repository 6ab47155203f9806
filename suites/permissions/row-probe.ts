import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { policies } from '../../src/suite/observe.ts'
import { unlessUntested } from '../common/proof.ts'
import type { Attempt, Change } from './evidence.ts'
import { mustBeRejected, type RowAspect } from './row-aspects.ts'
import { atRest, changeSince, putBack, type RowObject, read, restored } from './row-object.ts'
import { requestOn } from './row-request.ts'

/** The callers of a row's aspects with the same owner as their control. */
export type CallersOf = (t: CheckContext, expected: readonly RowAspect['expects'][]) => Promise<readonly Caller[]>

/** The requests of one row in one version: each caller sends the row's request once, for all checks. */
export class RowProbe {
  readonly row: PermissionRow
  readonly owner: Caller
  readonly #callersOf: CallersOf
  readonly #attempts = new Map<string, Promise<Attempt>>()
  /** The present object; after it is used up, the next one. */
  #object: Promise<RowObject> | undefined
  #isFirst = true

  private constructor(row: PermissionRow, owner: Caller, callersOf: CallersOf) {
    this.row = row
    this.owner = owner
    this.#callersOf = callersOf
  }

  /** The row's probe, the same for all of its checks with the same owner as their control. */
  static of(t: CheckContext, row: PermissionRow, owner: Caller, callersOf: CallersOf): Promise<RowProbe> {
    return t.shared(`permission row ${row.id} ${owner.label}`, async () => new RowProbe(row, owner, callersOf))
  }

  /** The object of the row's request. Throws {@link Untested} if no harmless request is known. */
  object(t: CheckContext): Promise<RowObject> {
    const { row, owner } = this
    const facts = { row, owner, written: false, doubtful: false }
    this.#object ??= requestOn(t, row, owner, this.#isFirst).then((request) => ({ ...facts, request }))
    return this.#object
  }

  /** The attempt of an entitled caller. */
  permitted(t: CheckContext, caller: Caller = this.owner): Promise<Attempt> {
    const attempt =
      this.#attempts.get(keyOf(caller)) ?? (this.row.access === 'read' ? this.#read(t, caller) : this.#write(t, caller))
    this.#attempts.set(keyOf(caller), attempt)
    return attempt
  }

  /** The attempt of a caller who must be rejected; a write is sent together with those of the row's other ones. */
  async rejected(t: CheckContext, caller: Caller): Promise<Attempt> {
    if (this.row.access === 'read') return this.permitted(t, caller)
    if (!this.#attempts.has(keyOf(caller))) await this.#reject(t, caller)
    return this.#attempts.get(keyOf(caller)) ?? this.permitted(t, caller)
  }

  /** A served attempt: that of a token with the permission, or else the owner's, served or not. */
  async control(t: CheckContext): Promise<Attempt> {
    const { request } = await this.object(t)
    const [entitled] = request.basis === 'absent' ? [] : await this.#callersOf(t, ['granted'])
    const own = entitled && (await this.permitted(t, entitled))
    return own?.answer.ok ? own : this.permitted(t)
  }

  /** Sends the request again, first as the owner and then as the caller. */
  async again(t: CheckContext, caller: Caller): Promise<{ readonly owner: Attempt; readonly own: Attempt }> {
    const send = (as: Caller) => (this.row.access === 'read' ? this.#send(t, as) : this.#write(t, as))
    return { owner: await send(this.owner), own: await send(caller) }
  }

  async #read(t: CheckContext, caller: Caller): Promise<Attempt> {
    const { send, basis } = (await this.object(t)).request
    return { caller, answer: await t.read({ ...send, as: caller }), basis }
  }

  /** A write that was not served may have used up the object: the next one is then tried on another object, too. */
  async #write(t: CheckContext, caller: Caller): Promise<Attempt> {
    const { doubtful } = await this.object(t)
    const first = await this.#send(t, caller)
    const again = !first.answer.ok && doubtful && (await this.#renew(t, first.answer))
    const attempt = again ? await this.#send(t, caller) : first
    const object = await unlessUntested(this.object(t))
    if (object) object.doubtful = !attempt.answer.ok
    if (object?.doubtful) await restored(t, object, attempt.answer)
    return attempt
  }

  /** Sends the row's request, and restores its object if the write is served. */
  async #send(t: CheckContext, caller: Caller): Promise<Attempt> {
    const object = await this.object(t)
    const { send, basis } = object.request
    const answer = await t.send({ ...send, as: caller })
    if (answer.ok && this.row.access === 'write' && !(await putBack(t, object, answer))) this.#giveUp(object)
    return { caller, answer, basis }
  }

  /** Prepares the same request after one that may have had an effect. False if the object may be used up and is the last one. */
  async #renew(t: CheckContext, answer: Exchange | undefined): Promise<boolean> {
    const object = await this.object(t)
    if (!answer || (await restored(t, object, answer))) return true
    this.#giveUp(object)
    return (await unlessUntested(this.object(t))) !== undefined
  }

  #giveUp({ request }: RowObject): void {
    if (request.basis !== 'target') return
    this.#object = undefined
    this.#isFirst = false
  }

  /** All callers who must be rejected send the write in turn, between two readings of its object. */
  async #reject(t: CheckContext, caller: Caller): Promise<void> {
    const object = await this.object(t)
    const others = object.request.readBack ? await this.#callersOf(t, mustBeRejected) : []
    const callers = new Map([caller, ...others].map((each) => [keyOf(each), each]))
    for (const key of this.#attempts.keys()) callers.delete(key)
    const before = await read(t, object)
    let attempts: Attempt[] = []
    for (const each of callers.values()) attempts.push(await this.#send(t, each))
    const isServed = attempts.some(({ answer }) => answer.ok)
    const change = isServed ? undefined : await changeSince(t, await this.object(t), before)
    if (before && (isServed || change)) attempts = await this.#attributed(t, attempts, change)
    for (const attempt of attempts) this.#attempts.set(keyOf(attempt.caller), Promise.resolve(attempt))
  }

  /** Attributes a change by sending each request that was not served once more, alone. */
  async #attributed(t: CheckContext, attempts: readonly Attempt[], change: Change | undefined): Promise<Attempt[]> {
    // Without another object, a change is the effect of the only request, or of any of several.
    if (change && !(await this.#renew(t, attempts.at(-1)?.answer)))
      return attempts.map((attempt) => ({ ...attempt, ...(attempts.length === 1 ? { change } : { restless: true }) }))
    const alone: Attempt[] = []
    for (const attempt of attempts) alone.push(attempt.answer.ok ? attempt : await this.#rejectAlone(t, attempt.caller))
    return alone
  }

  /**
   * The attempt with its change, if the rejected request causes one each time that it is repeated on an object at rest. A single
   * change may be the late effect of an earlier permitted request, or that of another program.
   */
  async #rejectAlone(t: CheckContext, caller: Caller): Promise<Attempt> {
    const { written } = await this.object(t)
    let { change, ...attempt } = await this.#try(t, caller, await read(t, await this.object(t)))
    for (let time = 0; change && time < policies.repeat.tries; time += 1) {
      const restless = { ...attempt, restless: true } as const
      if (!(await this.#renew(t, attempt.answer))) return written && time === 0 ? restless : { ...attempt, change }
      const before = await atRest(t, await this.object(t), time === 0 ? policies.rest : policies.stillAtRest)
      if (!before) return restless
      ;({ change, ...attempt } = await this.#try(t, caller, before))
    }
    if (!change) return attempt
    await this.#renew(t, attempt.answer)
    return { ...attempt, change }
  }

  /** The attempt, with the change of the object since a reading. After a served write, no change can be attributed. */
  async #try(t: CheckContext, caller: Caller, before: Exchange | undefined): Promise<Attempt> {
    const attempt = await this.#send(t, caller)
    const change = attempt.answer.ok ? undefined : await changeSince(t, await this.object(t), before)
    return change ? { ...attempt, change } : attempt
  }
}

function keyOf({ secret }: Caller): string {
  return secret ?? ''
}

import type { Caller } from '../../src/http/exchange/caller.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Attempt } from './attempt.ts'
import { rejectTogether } from './rejections.ts'
import { RowObject } from './row-object.ts'
import type { RowRequest } from './row-request.ts'

/** Who else is tried on a row, with the same owner as their control. */
export interface RowCallers {
  /** Tokens with the row's permission. */
  readonly entitled: (t: CheckContext) => Promise<readonly Caller[]>
  /** Everybody who must be rejected. */
  readonly rejected: (t: CheckContext) => Promise<readonly Caller[]>
}

/**
 * One row's probes in one version: its request is made once and sent once per caller. A served write is put back; all callers
 * of a write who must be rejected are tried one after the other between two readings of its object.
 */
export class RowProbe {
  readonly row: PermissionRow
  readonly owner: Caller
  readonly #callers: RowCallers
  readonly #object: RowObject
  readonly #attempts = new Map<string, Promise<Attempt>>()
  /** True after an entitled caller's write that was not served. */
  #maybeSpent = false

  private constructor(row: PermissionRow, owner: Caller, callers: RowCallers) {
    this.row = row
    this.owner = owner
    this.#callers = callers
    this.#object = new RowObject(row, owner)
  }

  /** The row's probe, the same for all of its checks that have the same owner as their control. */
  static of(t: CheckContext, row: PermissionRow, owner: Caller, callers: RowCallers): Promise<RowProbe> {
    return t.shared(`permission row ${row.id} ${owner.label}`, async () => new RowProbe(row, owner, callers))
  }

  /** What the row is tried on. Throws {@link Untested} when nothing harmless is known. */
  request(t: CheckContext): Promise<RowRequest> {
    return this.#object.request(t)
  }

  /** What an entitled caller gets; sent once, whoever asks. */
  permitted(t: CheckContext, caller: Caller = this.owner): Promise<Attempt> {
    const key = keyOf(caller)
    const known = this.#attempts.get(key) ?? (this.row.access === 'read' ? this.#read(t, caller) : this.#write(t, caller))
    this.#attempts.set(key, known)
    return known
  }

  /** What a caller gets who must be rejected; sent once, whoever asks, together with the row's others where it writes. */
  async rejected(t: CheckContext, caller: Caller): Promise<Attempt> {
    if (this.row.access === 'read') return this.permitted(t, caller)
    if (!this.#attempts.has(keyOf(caller))) await this.#reject(t, caller)
    return this.#attempts.get(keyOf(caller)) ?? this.permitted(t, caller)
  }

  /** An attempt that was served: that of a token with the permission, or else the owner's, served or not. */
  async control(t: CheckContext): Promise<Attempt> {
    const { basis } = await this.request(t)
    const [entitled] = basis === 'absent' ? [] : await this.#callers.entitled(t)
    const own = entitled && (await this.permitted(t, entitled))
    return own?.answer.ok ? own : this.permitted(t)
  }

  /** The same once more, first as the owner and then as the caller: what was refused for another reason may be served by now. */
  async again(t: CheckContext, caller: Caller): Promise<{ readonly owner: Attempt; readonly own: Attempt }> {
    const send = (as: Caller) => (this.row.access === 'read' ? this.#read(t, as, true) : this.#write(t, as))
    return { owner: await send(this.owner), own: await send(caller) }
  }

  async #read(t: CheckContext, caller: Caller, fresh = false): Promise<Attempt> {
    const { send, basis } = await this.request(t)
    const spec = { ...send, as: caller }
    const answer = fresh ? await t.send(spec) : await t.read(spec)
    return { caller, answer, basis }
  }

  /** A write that was not served may have spent the object all the same; then the next one is tried on another object, too. */
  async #write(t: CheckContext, caller: Caller): Promise<Attempt> {
    const first = await this.#sendOnce(t, caller)
    const again = !first.answer.ok && this.#maybeSpent && (await this.#object.renew(t, first.answer))
    const attempt = again ? await this.#sendOnce(t, caller) : first
    this.#maybeSpent = !attempt.answer.ok
    if (this.#maybeSpent) await this.#object.restore(t, attempt.answer)
    return attempt
  }

  async #sendOnce(t: CheckContext, caller: Caller): Promise<Attempt> {
    const { send, basis } = await this.request(t)
    const answer = await t.send({ ...send, as: caller })
    if (answer.ok) await this.#object.putBack(t, answer)
    return { caller, answer, basis }
  }

  async #reject(t: CheckContext, caller: Caller): Promise<void> {
    const { readBack } = await this.request(t)
    const others = readBack ? await this.#callers.rejected(t) : []
    const callers = new Map([caller, ...others].map((each) => [keyOf(each), each]))
    for (const key of this.#attempts.keys()) callers.delete(key)
    const attempts = await rejectTogether(t, this.#object, [...callers.values()])
    for (const attempt of attempts) this.#attempts.set(keyOf(attempt.caller), Promise.resolve(attempt))
  }
}

function keyOf({ secret }: Caller): string {
  return secret ?? ''
}

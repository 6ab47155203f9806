import type { Caller } from '../../src/http/caller.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { SendAs } from '../common/access.ts'
import type { Attempt } from './attempt.ts'
import { type Change, RowObject } from './row-object.ts'
import type { RowRequest } from './row-request.ts'

/** How often a rejected request must change the object again before the change counts as its effect. */
const reproductions = 2

/**
 * One row's probes in one version: its request is made once, sent once per caller, and put back after each served write.
 * Rows that write are probed one caller after the other.
 */
export class RowProbe {
  readonly row: PermissionRow
  readonly #owner: Caller
  readonly #object: RowObject
  readonly #attempts = new Map<string, Promise<Attempt>>()

  private constructor(row: PermissionRow, owner: Caller) {
    this.row = row
    this.#owner = owner
    this.#object = new RowObject(row, owner)
  }

  /** The row's probe, the same for all of its checks that have the same owner as their control. */
  static of(t: CheckContext, row: PermissionRow, owner: Caller): Promise<RowProbe> {
    return t.shared(`permission row ${row.id} ${owner.label}`, async () => new RowProbe(row, owner))
  }

  /** The login of the owner who is the control, where it is declared. */
  get ownerLogin(): string | undefined {
    return this.#owner.login
  }

  /** What the row is tried on. Throws {@link Untested} when nothing harmless is known. */
  request(t: CheckContext): Promise<RowRequest> {
    return this.#object.request(t)
  }

  /** The owner's own answer: the control of every verdict. */
  owner(t: CheckContext): Promise<Attempt> {
    return this.attempt(t, this.#owner)
  }

  /** What a caller gets; sent once, whoever asks. */
  attempt(t: CheckContext, caller: Caller): Promise<Attempt> {
    const key = caller.secret ?? ''
    const known = this.#attempts.get(key) ?? (this.row.access === 'read' ? this.#read(t, caller) : this.#write(t, caller))
    this.#attempts.set(key, known)
    return known
  }

  /** Sends the row's request as any caller. */
  sender(t: CheckContext): SendAs {
    return async (as) => (await this.attempt(t, as)).answer
  }

  /** The same once more, first as the owner and then as the caller: what was refused for another reason may be served by now. */
  async again(t: CheckContext, caller: Caller): Promise<{ readonly owner: Attempt; readonly own: Attempt }> {
    const send = (as: Caller) => (this.row.access === 'read' ? this.#read(t, as, true) : this.#write(t, as))
    return { owner: await send(this.#owner), own: await send(caller) }
  }

  async #read(t: CheckContext, caller: Caller, fresh = false): Promise<Attempt> {
    const { send, basis } = await this.request(t)
    const spec = { ...send, as: caller }
    const answer = fresh ? await t.send(spec) : await t.read(spec)
    return { caller, answer, basis }
  }

  async #write(t: CheckContext, caller: Caller): Promise<Attempt> {
    const { send, basis } = await this.request(t)
    const before = await this.#object.look(t)
    const answer = await t.send({ ...send, as: caller })
    if (answer.ok) await this.#object.putBack(t, answer, before)
    const change = answer.ok ? undefined : await this.#object.changeSince(t, before)
    return { caller, answer, basis, ...(change ? await this.#reproduced(t, caller, answer, change) : {}) }
  }

  /**
   * The change where the rejected request makes one each time that it is repeated on an object at rest.
   * A change seen once may be the late effect of an earlier permitted request, or somebody else's.
   */
  async #reproduced(
    t: CheckContext,
    caller: Caller,
    first: Exchange,
    seen: Change,
  ): Promise<Pick<Attempt, 'change' | 'restless'>> {
    const mayBeLate = this.#object.isWritten
    let [answer, change] = [first, seen]
    for (let time = 0; time < reproductions; time += 1) {
      if (!(await this.#object.renew(t, answer, change.before))) return mayBeLate && time === 0 ? { restless: true } : { change }
      const before = await this.#object.atRest(t)
      if (!before) return { restless: true }
      answer = await t.send({ ...(await this.request(t)).send, as: caller })
      const again = await this.#object.changeSince(t, before)
      if (!again) return {}
      change = again
    }
    await this.#object.putBack(t, answer, change.before)
    return { change }
  }
}

import type { Caller } from '../../src/http/caller.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import type { RestoreRequest } from '../../src/spec/needs.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Untested } from '../../src/suite/untested.ts'
import type { SendAs } from '../common/access.ts'
import type { Attempt } from './attempt.ts'
import { differences, valueAt } from './read-back.ts'
import { harmlessRequest, type RowRequest, targetRequest, untestedForTarget } from './row-request.ts'

/** How often an object that was put back is looked at, a second apart, until it is as it was. */
const settlingTries = 5

/**
 * One row's probes in one version: its request is made once, sent once per caller, and put back after each served write.
 * Rows that write are probed one caller after the other.
 */
export class RowProbe {
  readonly row: PermissionRow
  readonly #owner: Caller
  readonly #attempts = new Map<string, Promise<Attempt>>()
  #request: Promise<RowRequest> | undefined
  #usedUp = false
  /** Places that change by themselves between two readings. */
  #restless: Set<string> | undefined
  #seen: Exchange | undefined
  /** Restoring leaves the object otherwise than it was, so that there is nothing to wait for. */
  #inexact = false

  private constructor(row: PermissionRow, owner: Caller) {
    this.row = row
    this.#owner = owner
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
    this.#request ??= this.#find(t)
    return this.#request
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

  async #find(t: CheckContext): Promise<RowRequest> {
    try {
      return await targetRequest(t, this.row)
    } catch (error) {
      if (!(error instanceof Untested)) throw error
      if (this.#usedUp) return untestedForTarget(this.row, 'its disposable objects have been used up')
      const harmless = await harmlessRequest(t, this.row, this.#owner)
      return harmless ?? untestedForTarget(this.row, 'no harmless request is known')
    }
  }

  async #read(t: CheckContext, caller: Caller, fresh = false): Promise<Attempt> {
    const { send, basis } = await this.request(t)
    const spec = { ...send, as: caller }
    const answer = fresh ? await t.send(spec) : await t.read(spec)
    return { caller, answer, basis }
  }

  async #write(t: CheckContext, caller: Caller): Promise<Attempt> {
    const request = await this.request(t)
    const { send, basis } = request
    const before = await this.#look(t, request)
    const answer = await t.send({ ...send, as: caller })
    if (answer.ok) {
      await this.#putBack(t, request, answer, before)
      return { caller, answer, basis }
    }
    this.#seen = undefined
    const after = await this.#look(t, request)
    if (!before || !after || !this.#moved(before, after, request)) return { caller, answer, basis }
    await this.#putBack(t, request, answer, before)
    return { caller, answer, basis, change: { before, after } }
  }

  /** What the owner sees of the object: the last reading where nothing was sent since. */
  async #look(t: CheckContext, { readBack }: RowRequest): Promise<Exchange | undefined> {
    if (!readBack) return undefined
    if (!this.#restless) {
      const first = await this.#readBack(t, readBack.path)
      this.#seen = await this.#readBack(t, readBack.path)
      this.#restless = differences(first, this.#seen, readBack.pointer)
    }
    this.#seen ??= await this.#readBack(t, readBack.path)
    return this.#seen
  }

  #readBack(t: CheckContext, path: string): Promise<Exchange> {
    return t.send({ endpoint: { method: 'GET', path }, path, as: this.#owner })
  }

  #moved(before: Exchange, after: Exchange, { readBack }: RowRequest): boolean {
    return [...differences(before, after, readBack?.pointer)].some((place) => !this.#restless?.has(place))
  }

  /** Restores the object; one that cannot be restored is used up. */
  async #putBack(t: CheckContext, request: RowRequest, answer: Exchange, before: Exchange | undefined): Promise<void> {
    this.#seen = undefined
    const { restore, send } = request
    if (answer.status === 202 && !(await this.#until(t, request, before, true))) this.#inexact = true
    if (restore.length > 0 && (await this.#restore(t, restore, answer).catch(() => false))) {
      this.#inexact = !(await this.#until(t, request, before, false))
      return
    }
    if (request.basis === 'target') {
      this.#request = undefined
      this.#usedUp = true
      this.#restless = undefined
    }
    if (restore.length > 0 || answer.status === 201 || request.basis === 'absent') {
      t.leavesBehind(`the effect of ${this.row.method} ${send.path ?? this.row.path}, sent by a permission check`)
    }
  }

  async #restore(t: CheckContext, steps: readonly RestoreRequest[], answer: Exchange): Promise<boolean> {
    for (const { method, path, body } of steps) {
      const address = path.replace(/\{(\/[^}]*)\}/g, (_, at: string) => encodeURIComponent(String(valueAt(answer.json, at))))
      const endpoint = { method: method as PermissionRow['method'], path: address }
      const done = await t.send({ endpoint, path: address, as: this.#owner, ...(body === undefined ? {} : { body }) })
      if (!done.ok) return false
    }
    return true
  }

  /** Waits for a target that works in the background, so that what it still does is not held against the next caller. */
  async #until(t: CheckContext, request: RowRequest, before: Exchange | undefined, moved: boolean): Promise<boolean> {
    if (!before || this.#inexact) return !this.#inexact
    for (let tried = 0; tried < settlingTries; tried += 1) {
      this.#seen = undefined
      const now = await this.#look(t, request)
      if (now && this.#moved(before, now, request) === moved) return true
      await t.wait(1, `${this.row.method} ${this.row.path} to take effect`)
    }
    return false
  }
}

import type { PermissionTarget, RestoreRequest } from '../spec/needs.ts'
import type { PermissionRow } from '../spec/permissions.ts'
import type { CheckContext } from '../suite/context.ts'
import { Untested } from '../suite/outcome.ts'
import type { Caller } from '../target/caller.ts'
import type { Exchange } from '../target/exchange.ts'
import { isRedirect } from '../target/redirect.ts'
import { type Attempt, classify } from './attempt.ts'
import { differences, valueAt } from './read-back.ts'
import { harmlessRequest, type RowRequest, targetRequest, untestedForTarget } from './row-request.ts'

/**
 * One row's probes in one version: its request is made once, sent once per caller, and put back after each served write.
 * Rows that write are probed one caller after the other.
 */
export class RowProbe {
  readonly row: PermissionRow
  readonly #owner: Caller
  readonly #attempts = new Map<string, Promise<Attempt>>()
  #request: RowRequest | undefined
  /** Places that change by themselves between two readings. */
  #restless: Set<string> | undefined
  #seen: Exchange | undefined

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
  async request(t: CheckContext): Promise<RowRequest> {
    this.#request ??= await this.#find(t)
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

  async #find(t: CheckContext): Promise<RowRequest> {
    try {
      return await targetRequest(t, this.row)
    } catch (error) {
      if (!(error instanceof Untested)) throw error
      if (this.#attempts.size > 1) return untestedForTarget(this.row, 'its disposable objects are used up')
      const harmless = await harmlessRequest(t, this.row, this.#owner)
      return harmless ?? untestedForTarget(this.row, 'nothing harmless can be sent')
    }
  }

  async #read(t: CheckContext, caller: Caller): Promise<Attempt> {
    const { send, basis } = await this.request(t)
    const spec = { ...send, as: caller }
    const first = await t.read(spec)
    const answer = isRedirect(first) ? ((await t.follow(first, spec)) ?? first) : first
    return { caller, answer, basis }
  }

  async #write(t: CheckContext, caller: Caller): Promise<Attempt> {
    const { send, target, basis } = await this.request(t)
    const before = await this.#look(t, target)
    const answer = await t.send({ ...send, as: caller })
    if (classify(answer) === 'served') {
      await this.#putBack(t, target, answer)
      return { caller, answer, basis }
    }
    this.#seen = undefined
    const after = await this.#look(t, target)
    if (!before || !after || !this.#moved(before, after, target)) return { caller, answer, basis }
    await this.#putBack(t, target, answer)
    return { caller, answer, basis, change: { before, after } }
  }

  /** What the owner sees of the object, the last reading where nothing was sent since. */
  async #look(t: CheckContext, target: PermissionTarget | undefined): Promise<Exchange | undefined> {
    if (!target?.readBack) return undefined
    const { path, pointer } = target.readBack
    const read = () => t.send({ endpoint: { method: 'GET', path }, path, as: this.#owner })
    if (!this.#restless) {
      const first = await read()
      this.#seen = await read()
      this.#restless = differences(first, this.#seen, pointer)
    }
    this.#seen ??= await read()
    return this.#seen
  }

  #moved(before: Exchange, after: Exchange, target: PermissionTarget | undefined): boolean {
    return [...differences(before, after, target?.readBack?.pointer)].some((place) => !this.#restless?.has(place))
  }

  /** Restores the object; one that cannot be restored is used up. */
  async #putBack(t: CheckContext, target: PermissionTarget | undefined, answer: Exchange): Promise<void> {
    this.#seen = undefined
    const steps = [target?.restore ?? []].flat()
    const restored = steps.length > 0 && (await this.#restore(t, steps, answer).catch(() => false))
    if (restored) return
    this.#request = undefined
    this.#restless = undefined
    if (steps.length > 0 || answer.status === 201) {
      t.leavesBehind(`what ${this.row.method} ${target?.path ?? this.row.path} did for a permission check`)
    }
  }

  async #restore(t: CheckContext, steps: readonly RestoreRequest[], answer: Exchange): Promise<boolean> {
    for (const { method, path, body } of steps) {
      const address = path.replace(/\{(\/[^}]*)\}/g, (_, pointer: string) =>
        encodeURIComponent(String(valueAt(answer.json, pointer))),
      )
      const endpoint = { method: method as PermissionRow['method'], path: address }
      const done = await t.send({ endpoint, path: address, as: this.#owner, ...(body === undefined ? {} : { body }) })
      if (classify(done) !== 'served') return false
    }
    return true
  }
}

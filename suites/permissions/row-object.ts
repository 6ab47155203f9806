import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Untested } from '../../src/suite/untested.ts'
import { differences, valueAt } from './read-back.ts'
import { harmlessRequest, type RowRequest, targetRequest, untestedForTarget } from './row-request.ts'

/** How often an object is looked at, a second apart, until it is as expected. */
const settlingTries = 5

/** How often an object at rest is read: oftener than around a rejected request, so that somebody else's work shows here first. */
const restingReadings = 4

/** What the owner saw of an object before and after something. */
export interface Change {
  readonly before: Exchange
  readonly after: Exchange
}

/** The object that one row is tried on in one version: how it is obtained, observed and put back. */
export class RowObject {
  readonly #row: PermissionRow
  readonly #owner: Caller
  #request: Promise<RowRequest> | undefined
  #usedUp = false
  /** Places that change by themselves between two readings. */
  #restless: Set<string> | undefined
  #seen: Exchange | undefined
  /** A reading from before any served write. */
  #original: Exchange | undefined
  /** Restoring leaves the object otherwise than it was, so that there is nothing to wait for. */
  #inexact = false
  #written = false

  constructor(row: PermissionRow, owner: Caller) {
    this.#row = row
    this.#owner = owner
  }

  /** True once a permitted write was sent to this object, whose effect may come late. */
  get isWritten(): boolean {
    return this.#written
  }

  /** The request on the object. Throws {@link Untested} when nothing harmless is known. */
  request(t: CheckContext): Promise<RowRequest> {
    this.#request ??= this.#find(t)
    return this.#request
  }

  async #find(t: CheckContext): Promise<RowRequest> {
    try {
      return await targetRequest(t, this.#row)
    } catch (error) {
      if (!(error instanceof Untested)) throw error
      if (this.#usedUp) return untestedForTarget(this.#row, 'its disposable objects have been used up')
      const harmless = await harmlessRequest(t, this.#row, this.#owner)
      return harmless ?? untestedForTarget(this.#row, 'no harmless request is known')
    }
  }

  /** What the owner sees of the object: the last reading where nothing was sent since. Undefined where nothing shows it. */
  async look(t: CheckContext): Promise<Exchange | undefined> {
    const { readBack } = await this.request(t)
    if (!readBack) return undefined
    const { path } = readBack
    this.#seen ??= await t.send({ endpoint: { method: 'GET', path }, path, as: this.#owner })
    if (!this.#written) this.#original = this.#seen
    return this.#seen
  }

  /** How the object differs from an earlier reading; undefined where it does not, but for what changes by itself. */
  async changeSince(t: CheckContext, before: Exchange | undefined): Promise<Change | undefined> {
    if (!before) return undefined
    this.#seen = undefined
    const after = await this.look(t)
    if (!after || !(await this.#moved(t, before, after))) return undefined
    if (this.#restless) return { before, after }
    this.#seen = undefined
    const again = await this.look(t)
    const { readBack } = await this.request(t)
    // A list that differs as a whole between two readings differs by somebody's work.
    const places = again ? differences(after, again, readBack?.pointer) : []
    this.#restless = new Set([...places].filter((place) => place !== (readBack?.pointer ?? '')))
    return (await this.#moved(t, before, after)) ? { before, after } : undefined
  }

  async #moved(t: CheckContext, before: Exchange, after: Exchange): Promise<boolean> {
    const { readBack } = await this.request(t)
    return [...differences(before, after, readBack?.pointer)].some((place) => !this.#restless?.has(place))
  }

  /** A reading of the object after a second and several readings without any change. Undefined where the object does not come to rest in so many tries. */
  async atRest(t: CheckContext, tries = settlingTries): Promise<Exchange | undefined> {
    this.#seen = undefined
    let before = await this.look(t)
    for (let tried = 0; tried < tries; tried += 1) {
      await t.wait(1, `the object of ${this.#row.method} ${this.#row.path} to come to rest`)
      const change = await this.#changeByItself(t, before)
      if (!change) return before
      before = change.after
    }
    return undefined
  }

  /** The first change that shows in several readings while nothing is sent. */
  async #changeByItself(t: CheckContext, before: Exchange | undefined): Promise<Change | undefined> {
    for (let reading = 0; reading < restingReadings; reading += 1) {
      const change = await this.changeSince(t, before)
      if (change) return change
    }
    return undefined
  }

  /** After a served write: restores the object; one that cannot be restored is used up. */
  async putBack(t: CheckContext, answer: Exchange): Promise<void> {
    const request = await this.request(t)
    this.#seen = undefined
    this.#written = true
    if (answer.status === 202) await this.#until(t, true)
    if (await this.#restored(t, request, answer)) return
    this.#giveUp(request)
    if (request.restore.length > 0 || answer.status === 201 || request.basis === 'absent') {
      t.leavesBehind(`the effect of ${this.#row.method} ${request.send.path ?? this.#row.path}, sent by a permission check`)
    }
  }

  /**
   * Makes ready for the same request once more, after one that may have had an effect. False where the object may be spent
   * and there is no other one.
   */
  async renew(t: CheckContext, answer: Exchange): Promise<boolean> {
    const request = await this.request(t)
    this.#seen = undefined
    if (await this.#restored(t, request, answer)) return true
    this.#giveUp(request)
    return this.request(t).then(
      () => true,
      (error) => {
        if (error instanceof Untested) return false
        throw error
      },
    )
  }

  /** Restores the object where that is known, after a request that was not served and may have changed it all the same. */
  async restore(t: CheckContext, answer: Exchange): Promise<void> {
    this.#seen = undefined
    await this.#restored(t, await this.request(t), answer)
  }

  #giveUp({ basis }: RowRequest): void {
    if (basis !== 'target') return
    this.#request = undefined
    this.#usedUp = true
    this.#restless = undefined
    this.#original = undefined
    this.#seen = undefined
    this.#written = false
    this.#inexact = false
  }

  async #restored(t: CheckContext, { restore }: RowRequest, answer: Exchange): Promise<boolean> {
    if (restore.length === 0) return false
    for (const { method, path, body } of restore) {
      const address = filled(path, answer.json)
      if (address === undefined) return false
      const endpoint = { method: method as PermissionRow['method'], path: address }
      const spec = { endpoint, path: address, as: this.#owner, ...(body === undefined ? {} : { body }) }
      const done = await t.send(spec).catch(() => undefined)
      if (!done?.ok) return false
      if (done.status === 202) this.#inexact = !(await this.#until(t, false))
    }
    return true
  }

  /** Waits for a target that works in the background, until the object is as it was at first, or is so no longer. */
  async #until(t: CheckContext, moved: boolean): Promise<boolean> {
    if (this.#inexact || !(await this.request(t)).readBack) return !this.#inexact
    if (!this.#original) return (await this.atRest(t)) !== undefined
    for (let tried = 0; tried < settlingTries; tried += 1) {
      if (((await this.changeSince(t, this.#original)) !== undefined) === moved) return true
      await t.wait(1, `${this.#row.method} ${this.#row.path} to take effect`)
    }
    return false
  }
}

/** An address with the values of an answer in place of the JSON pointers in braces; undefined where the answer lacks one. */
function filled(path: string, json: unknown): string | undefined {
  const pointers = [...path.matchAll(/\{(\/[^}]*)\}/g)].map(([, at]) => at as string)
  if (pointers.some((at) => valueAt(json, at) === undefined)) return undefined
  return path.replace(/\{(\/[^}]*)\}/g, (_, at: string) => encodeURIComponent(String(valueAt(json, at))))
}

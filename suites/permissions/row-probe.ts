import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { PermissionRow } from '../../src/spec/permissions/permissions.ts'
import type { ApiVersion } from '../../src/spec/versions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { attempts, stillUnchanged, unchanged } from '../../src/suite/observe.ts'
import { neverSent, readOtherwise } from '../common/names.ts'
import { unlessUntested } from '../common/proof.ts'
import type { Attempt } from './evidence.ts'
import { atRest, compared, putBack, type RowObject, read, requestOn, restored } from './row-object.ts'

/** The callers whom a row must reject with the owner of this probe as their control. */
type Strangers = (t: CheckContext, probe: RowProbe) => Promise<readonly Caller[]>

/** The requests of one row in one version: each caller sends the row's request once, for all checks. */
export class RowProbe {
  readonly row: PermissionRow
  readonly owner: Caller
  readonly #strangers: Strangers
  readonly #attempts = new Map<string | undefined, Promise<Attempt>>()
  /** The writes of all callers who must be rejected. */
  #together: Promise<void> | undefined
  /** The present object; after it is used up, the next one. */
  #object: Promise<RowObject> | undefined
  #isFirst = true

  private constructor(row: PermissionRow, owner: Caller, strangers: Strangers) {
    this.row = row
    this.owner = owner
    this.#strangers = strangers
  }

  /** The row's probe, the same for all of its checks with the same owner as their control. */
  static of(t: CheckContext, row: PermissionRow, owner: Caller, strangers: Strangers): Promise<RowProbe> {
    return t.shared(`permission row ${row.id} ${owner.label}`, async () => new RowProbe(row, owner, strangers))
  }

  /** The object of the row's request. Throws {@link Untested} if no harmless request is known. */
  object(t: CheckContext): Promise<RowObject> {
    this.#object ??= this.#nextObject(t)
    return this.#object
  }

  async #nextObject(t: CheckContext): Promise<RowObject> {
    const { row, owner } = this
    return { row, owner, written: false, doubtful: false, request: await requestOn(t, row, owner, this.#isFirst) }
  }

  /** The attempt of an entitled caller. */
  permitted(t: CheckContext, caller: Caller = this.owner): Promise<Attempt> {
    return this.#once(caller, () => this.#permit(t, caller))
  }

  /** The attempt of a caller who must be rejected. The first call sends the writes of all these callers between two readings. */
  async rejected(t: CheckContext, caller: Caller): Promise<Attempt> {
    if (this.row.access === 'read') return this.#once(caller, () => this.#send(t, caller))
    this.#together ??= this.#strangers(t, this).then((callers) => this.#rejectTogether(t, callers))
    await this.#together
    return this.#once(caller, () => this.#reject(t, caller))
  }

  /** The served responses to other forms of a read (readings G11). Callers without a valid token have small quotas. */
  async otherwise(t: CheckContext, caller: Caller, isOnly: boolean): Promise<Exchange[]> {
    const { params } = (await this.object(t)).request
    if (caller.kind === undefined) return []
    const spec = { endpoint: this.row.endpoint, params, query: { page: 1 }, headers: neverSent, as: caller }
    const isRenamed = caller.kind === 'app-user' && Object.keys(params).length > 0
    const renamed = isRenamed ? await readOtherwise(t, spec, 'renamed') : []
    return isOnly ? [...renamed, ...(await readOtherwise(t, spec, 'bare'))] : renamed
  }

  /** The attempt of a further caller: a conditional read is sent without Accept and with `page=1` where the target knows that form. */
  async further(t: CheckContext, caller: Caller): Promise<Attempt> {
    if (this.row.access === 'write') return this.rejected(t, caller)
    const { params, basis } = (await this.object(t)).request
    const spec = { endpoint: this.row.endpoint, params, query: { page: 1 }, headers: neverSent, as: caller, accept: null }
    const response = await t.read(spec)
    return response.ok || response.refused ? { caller, response, basis } : this.rejected(t, caller)
  }

  /** Sends the writes of several callers between two readings. Their attempts count where no write was served and none had an effect. */
  async #rejectTogether(t: CheckContext, callers: readonly Caller[]): Promise<void> {
    await this.#replaceDoubtful(t)
    const object = await this.object(t)
    const before = await read(t, object)
    const attempts: Attempt[] = []
    for (const caller of callers) {
      const attempt = await unlessUntested(this.#send(t, caller))
      if (attempt?.response.ok) return
      if (attempt) attempts.push(attempt)
    }
    const last = attempts.at(-1)
    if (!last) return
    const look = await compared(t, object, before)
    if (look?.moved) return void (await this.#renew(t, last.response))
    const around = look ? [look.before, look.after] : []
    for (const attempt of attempts) this.#attempts.set(attempt.caller.secret, Promise.resolve({ ...attempt, around }))
  }

  /** Sends the request again, first as the owner and then as the caller. */
  async again(t: CheckContext, caller: Caller): Promise<{ readonly owner: Attempt; readonly own: Attempt }> {
    return { owner: await this.#permit(t, this.owner), own: await this.#permit(t, caller) }
  }

  #once({ secret }: Caller, send: () => Promise<Attempt>): Promise<Attempt> {
    const attempt = this.#attempts.get(secret) ?? send()
    this.#attempts.set(secret, attempt)
    return attempt
  }

  /** A write that was not served may have used up the object: the next one is then tried on another object, too. */
  async #permit(t: CheckContext, caller: Caller): Promise<Attempt> {
    if (this.row.access === 'read') return this.#send(t, caller)
    const { doubtful } = await this.object(t)
    let attempt = await this.#send(t, caller)
    if (!attempt.response.ok && doubtful && (await this.#renew(t, attempt.response))) attempt = await this.#send(t, caller)
    const object = await unlessUntested(this.object(t))
    if (object) object.doubtful = !attempt.response.ok
    if (object?.doubtful) await restored(t, object, attempt.response)
    return attempt
  }

  /**
   * Sends the write between two readings of its object. Only a change at each repetition counts: a single one may be the late
   * effect of an earlier write, or that of another program.
   */
  async #reject(t: CheckContext, caller: Caller): Promise<Attempt> {
    await this.#replaceDoubtful(t)
    const { written } = await this.object(t)
    let before = await read(t, await this.object(t))
    for (let time = 0; ; time += 1) {
      const attempt = await this.#send(t, caller)
      const change = attempt.response.ok ? undefined : await compared(t, await this.object(t), before)
      if (!change?.moved) return attempt
      const isRepeatable = await this.#renew(t, attempt.response)
      const isProven = time === attempts || !(isRepeatable || (written && time === 0))
      if (isProven) return { ...attempt, change }
      before = isRepeatable ? await atRest(t, await this.object(t), time === 0 ? unchanged : stillUnchanged) : undefined
      if (!before) return { ...attempt, restless: true }
    }
  }

  /** The response to the request of the owner under a version. */
  async under(t: CheckContext, version: ApiVersion): Promise<Exchange> {
    return (await this.#send(t, this.owner, { version })).response
  }

  /** Sends the row's request, and restores its object if a write is served. */
  async #send(t: CheckContext, caller: Caller, named: { readonly version?: ApiVersion } = {}): Promise<Attempt> {
    const object = await this.object(t)
    const { send, basis } = object.request
    const response = await t.send({ ...send, ...named, as: caller })
    if (response.ok && this.row.access === 'write' && !(await putBack(t, object, response))) this.#giveUp(object)
    return { caller, response, basis }
  }

  /** Prepares the same write after one that may have had an effect. False if the object may be used up and is the last one. */
  async #renew(t: CheckContext, response: Exchange): Promise<boolean> {
    const object = await this.object(t)
    if (await restored(t, object, response)) return true
    this.#giveUp(object)
    return (await unlessUntested(this.object(t))) !== undefined
  }

  /** A rejection on a used-up object is no evidence: another object is taken where there is one. */
  async #replaceDoubtful(t: CheckContext): Promise<void> {
    const { doubtful, request } = await this.object(t)
    if (!doubtful || request.basis !== 'target' || request.restore.length > 0) return
    this.#isFirst = false
    const next = await unlessUntested(this.#nextObject(t))
    if (next) this.#object = Promise.resolve(next)
  }

  #giveUp({ request }: RowObject): void {
    if (request.basis !== 'target') return
    this.#object = undefined
    this.#isFirst = false
  }
}

import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { PermissionRow } from '../../src/spec/permissions/permissions.ts'
import { type ApiVersion, isLatest } from '../../src/spec/versions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { attempts, stillUnchanged, unchanged } from '../../src/suite/observe.ts'
import { remembered } from '../../src/text/data.ts'
import { ignoresCase, inForm, isServedIn, neverSent } from '../common/names.ts'
import { unlessUntested } from '../common/proof.ts'
import type { Attempt } from './evidence.ts'
import {
  atRest,
  compared,
  putBack,
  type RowObject,
  read,
  readBefore,
  requestOn,
  restored,
} from './row-object.ts'

/** A caller of the documented request, or of its bare form. */
export interface Sender {
  readonly caller: Caller
  readonly bare?: true
  /** The caller is entitled to the request. */
  readonly entitled?: boolean
}

/** The callers whom a row must refuse with the owner of this probe as their control. */
type Strangers = (t: CheckContext, probe: RowProbe) => Promise<readonly Sender[]>

/** The requests of one row in one version: each caller sends the row's request once, for all checks. */
export class RowProbe {
  readonly row: PermissionRow
  readonly owner: Caller
  readonly #strangers: Strangers
  readonly #attempts = new Map<string, Promise<Attempt>>()
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
  static of(
    t: CheckContext,
    row: PermissionRow,
    owner: Caller,
    strangers: Strangers,
  ): Promise<RowProbe> {
    return t.shared(
      `permission row ${row.id} ${owner.label}`,
      async () => new RowProbe(row, owner, strangers),
    )
  }

  /** The object of the row's request. Throws {@link Untested} if no harmless request is known. */
  object(t: CheckContext) {
    this.#object ??= this.#nextObject(t)
    return this.#object
  }

  async #nextObject(t: CheckContext) {
    const { row, owner } = this
    return {
      row,
      owner,
      written: false,
      doubtful: false,
      request: await requestOn(t, row, owner, this.#isFirst),
    }
  }

  /** The attempt of the owner. */
  permitted(t: CheckContext) {
    return this.attempt(t, { caller: this.owner, entitled: true })
  }

  /**
   * The attempt of a caller. For one who must be refused, the first call sends the writes of all these callers between two readings.
   * Another form of the request counts if it is refused, or if it alone is granted: a target need not know it.
   */
  async attempt(t: CheckContext, { caller, bare, entitled }: Sender): Promise<Attempt> {
    if (entitled) return this.#once({ caller }, () => this.#permit(t, caller))
    // To wait for a shared value releases the object. Another check would take it, and wait for this attempt.
    await ignoresCase(t, this.owner)
    if (this.row.access === 'write') {
      this.#together ??= this.#strangers(t, this).then((senders) =>
        this.#refuseTogether(t, senders),
      )
      await this.#together
    }
    const sender: Sender = bare ? { caller, bare } : { caller }
    const send = () =>
      this.row.access === 'write' ? this.#refuse(t, sender) : this.#send(t, sender)
    if (!bare) return this.#once(sender, send)
    const own = await unlessUntested(this.#once(sender, send))
    if (own?.response.refused) return own
    const plain = this.attempt(t, { caller })
    if (!own?.response.ok) return plain
    const served = await unlessUntested(plain)
    return served?.response.ok ? served : own
  }

  /** Sends the writes of several callers between two readings. Their attempts count where no write was served and none had an effect. */
  async #refuseTogether(t: CheckContext, senders: readonly Sender[]) {
    await this.#replaceDoubtful(t)
    const object = await this.object(t)
    const before = await read(t, object)
    const attempts: [Sender, Attempt][] = []
    const again = senders.filter((sender) => isRepeated(t, this.row, sender)).slice(0, 1)
    for (const sender of [...senders, ...again]) {
      const attempt = await unlessUntested(this.#send(t, sender))
      if (attempt?.response.ok) return
      if (attempt) attempts.push([sender, attempt])
    }
    const [, last] = attempts.at(-1) ?? []
    if (!last) return
    const look = await compared(t, object, before)
    if (look?.moved) return void (await this.#renew(t, last.response))
    const around = look ? [look.before, look.after] : []
    for (const [sender, attempt] of attempts)
      this.#attempts.set(keyOf(sender), Promise.resolve({ ...attempt, around }))
  }

  /** Sends the request again, first as the owner and then as the caller. */
  async again(t: CheckContext, caller: Caller) {
    return { owner: await this.#permit(t, this.owner), own: await this.#permit(t, caller) }
  }

  #once(sender: Sender, send: () => Promise<Attempt>) {
    return remembered(this.#attempts, keyOf(sender), send)
  }

  /** A write that was not served may have used up the object: the next one is then tried on another object, too. */
  async #permit(t: CheckContext, caller: Caller) {
    if (this.row.access === 'read') return this.#send(t, { caller })
    const { doubtful } = await this.object(t)
    let attempt = await this.#send(t, { caller })
    if (!attempt.response.ok && doubtful && (await this.#renew(t, attempt.response)))
      attempt = await this.#send(t, { caller })
    const object = await unlessUntested(this.object(t))
    if (object) object.doubtful = !attempt.response.ok
    if (object?.doubtful) await restored(t, object, attempt.response)
    return attempt
  }

  /**
   * Sends the write between two readings of its object. Only a change at each repetition counts: a single one may be the late
   * effect of an earlier write, or that of another program.
   */
  async #refuse(t: CheckContext, sender: Sender) {
    await this.#replaceDoubtful(t)
    const { written } = await this.object(t)
    let before = await read(t, await this.object(t))
    for (let time = 0; ; time += 1) {
      const attempt = await this.#send(t, sender)
      const change = attempt.response.ok
        ? undefined
        : await compared(t, await this.object(t), before)
      if (!change?.moved) return attempt
      const isRepeatable = await this.#renew(t, attempt.response)
      const isLast = time === attempts || !(isRepeatable || (written && time === 0))
      if (isLast || !this.#mayRepeat(t, sender)) return { ...attempt, change }
      before = isRepeatable
        ? await atRest(t, await this.object(t), time === 0 ? unchanged : stillUnchanged)
        : undefined
      if (!before) return { ...attempt, restless: true }
    }
  }

  /** False in the first judgement: the confirmation sends the request anew. */
  #mayRepeat(t: CheckContext, sender: Sender) {
    const may = t.mayRepeat('an effect of a rejected request')
    if (!may) this.#attempts.delete(keyOf(sender))
    return may
  }

  /** The response to the request of the owner under a version. */
  async under(t: CheckContext, version: ApiVersion) {
    return (await this.#send(t, { caller: this.owner }, { version })).response
  }

  /** Sends the row's request, and restores its object if a write is served. */
  async #send(
    t: CheckContext,
    { caller, bare: isBare }: Sender,
    named: { readonly version?: ApiVersion } = {},
  ) {
    const object = await this.object(t)
    const { send, basis, params } = object.request
    const usual = { ...send, ...named, as: caller }
    // No page and no size of it needs other rights. A declared address may have a query of its own.
    const isQueried = send.path?.includes('?')
    const paged = {
      ...usual,
      ...(isQueried ? {} : { query: { per_page: isLatest(t) ? 100 : 1, page: 2 } }),
      headers: neverSent,
    }
    const bare = isBare && inForm(t, paged, 'bare')
    const { path: _, ...unplaced } = bare || usual
    const isSwapped = bare && !isQueried && (await ignoresCase(t, this.owner))
    const renamed = isSwapped && inForm(t, { ...unplaced, params }, 'renamed')
    const isWrite = this.row.access === 'write'
    const before = isWrite ? await readBefore(t, object) : undefined
    let response = await t.send(renamed || bare || usual)
    // A target may not know a name in other letter case.
    const isKnown = isServedIn('renamed', response) || (response.refused && response.status !== 404)
    if (renamed && bare && !isKnown) response = await t.send(bare)
    if (response.ok && isWrite && !(await putBack(t, object, response, before)))
      this.#giveUp(object)
    return { caller, response, basis }
  }

  /** Prepares the same write after one that may have had an effect. False if the object may be used up and is the last one. */
  async #renew(t: CheckContext, response: Exchange) {
    const object = await this.object(t)
    if (await restored(t, object, response)) return true
    this.#giveUp(object)
    return (await unlessUntested(this.object(t))) !== undefined
  }

  /** A rejection on a used-up object is no evidence: another object is taken where there is one. */
  async #replaceDoubtful(t: CheckContext) {
    const { doubtful, request } = await this.object(t)
    if (!doubtful || request.basis !== 'target' || request.restore.length > 0) return
    this.#isFirst = false
    const next = await unlessUntested(this.#nextObject(t))
    if (next) this.#object = Promise.resolve(next)
  }

  #giveUp({ request }: RowObject) {
    if (request.basis !== 'target') return
    this.#object = undefined
    this.#isFirst = false
  }
}

/** True for the kind of token whose requests are sent again, by the row and the version: a second attempt is no more permitted. */
export function isRepeated(t: CheckContext, { category }: PermissionRow, { caller }: Sender) {
  const other = category.owner === 'user' ? 'fine-grained' : 'app-installation'
  return caller.kind === (isLatest(t) ? 'app-user' : other)
}

const keyOf = ({ caller: { secret }, bare }: Sender) => JSON.stringify([secret, bare])

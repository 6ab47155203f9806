import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing, type Walk } from '../../../src/suite/listing.ts'
import { isObject, itemsOf, type JsonObject } from '../../../src/suite/located.ts'
import {
  attempts,
  completed,
  everyTime,
  handovers,
  lostPlaces,
  moment,
  sendUntil,
  unchanged,
} from '../../../src/suite/observe.ts'

export type RepositoryName = { readonly owner: string; readonly repo: string }

/** The owner of migrations, and the repository to export. */
export interface Exporting {
  readonly owner: Caller
  readonly repository: RepositoryName
}

export const fullName = ({ owner, repo }: RepositoryName) => `${owner}/${repo}`

/** A requested migration: the response, and its id if it was started. */
export interface Started {
  readonly response: Exchange
  readonly id: number | undefined
  readonly repositories: readonly RepositoryName[]
}

export type Flags = Readonly<Record<string, boolean | readonly string[]>>

/** The flags that are fields of a migration, in the document's order. */
export const echoedFlags = [
  'lock_repositories',
  'exclude_attachments',
  'exclude_releases',
  'exclude_owner_projects',
] as const

/** Flags with one value. */
export const setTo = (value: boolean, flags: readonly string[]) =>
  Object.fromEntries(flags.map((flag) => [flag, value]))

/** The flags that exclude data from the archive, in the document's order. */
export const exclusionFlags = ['exclude_metadata', 'exclude_git_data', ...echoedFlags.slice(1)]

/** Every boolean flag of a body. */
export const allFlags = ['lock_repositories', ...exclusionFlags, 'org_metadata_only']

/** Each flag set to false: the document states the default of only one of them. */
export const unset = setTo(false, allFlags)

/** Starts a migration. The document leaves the form of the names open. */
export async function startMigration(
  t: CheckContext,
  owner: Caller,
  repositories: readonly RepositoryName[],
  flags: Flags = {},
): Promise<Started> {
  const response = await sendWhenIdle(t, owner, {
    send: () => askInBothForms(t, owner, repositories, flags),
    control: () => askInBothForms(t, owner, repositories.slice(0, 1)),
  })
  const id = idIn(response)
  if (id !== undefined) {
    leave(t, owner, id)
    // It may be served a little later (readings G16).
    if (Number.isSafeInteger(id)) await sendUntil(t, migrationRequest(owner, id))
  }
  return { response, id, repositories }
}

/** Makes the requests of an endpoint for one migration. */
export const requestOf =
  <Of extends Endpoint>(endpoint: Of) =>
  (as: Caller, migration_id: number) => ({ endpoint, params: { migration_id }, as })

/** The request for one migration. */
export const migrationRequest = requestOf(endpoints.getMigration)

/** The request to delete the archive of a migration. */
export const deletionRequest = requestOf(endpoints.deleteArchive)

/** Asks for a migration with the full names of its repositories, then without their owners if the target rejects these. */
export async function askInBothForms(
  t: CheckContext,
  owner: Caller,
  repositories: readonly RepositoryName[],
  flags: Flags = {},
) {
  const names = repositories.map(fullName)
  const first = await ask(t, owner, { repositories: names, ...flags })
  const mayBeUnknown =
    first.status >= 400 && names.length > 0 && first.status !== 401 && first.status !== 403
  if (!mayBeUnknown) return first
  const second = await ask(t, owner, {
    repositories: repositories.map(({ repo }) => repo),
    ...flags,
  })
  return idIn(second) === undefined ? first : second
}

async function ask(t: CheckContext, as: Caller, body: JsonObject) {
  const response = await t.send({ endpoint: endpoints.startMigration, body, as })
  const starts = await startsOf(t)
  starts.since = Math.min(starts.since, Date.parse(response.header('date') ?? '') || starts.since)
  if (response.status === 201 || idIn(response) !== undefined)
    starts.accepted.push({ body, response })
  return response
}

/** The id of the migration in a response; undefined if there is none. A status other than 201 needs a guid, too. */
export function idIn({ json, ok, status }: Exchange): number | undefined {
  if (!ok || !isObject(json)) return undefined
  const { id, guid } = json
  return typeof id === 'number' &&
    Number.isInteger(id) &&
    (status === 201 || typeof guid === 'string')
    ? id
    : undefined
}

/** The API removes a migration's archive and no more: the migration itself is named as left behind. */
export function leave(t: CheckContext, owner: Caller, id: number) {
  t.leavesBehind(`the migration ${id}`)
  t.cleanUp(`the archive of the migration ${id}`, async () => {
    await t.send(deletionRequest(owner, id))
  })
}

/** A request that started a migration, and its response. */
export interface Accepted {
  readonly body: JsonObject
  readonly response: Exchange
}

/** The valid requests under this version so far. */
interface Starts {
  /** Those that started a migration, in the order of the requests. */
  readonly accepted: Accepted[]
  /** The time of the first response. Milliseconds. */
  since: number
  /** The number of accepted requests when a rejected one last lost all its places. */
  lostAt?: number
}

export function startsOf(t: CheckContext): Promise<Starts> {
  return t.shared('starts', async () => ({ accepted: [], since: Number.POSITIVE_INFINITY }))
}

/** The first accepted request of each body, or of each key. A repeated request may receive the same migration. */
export async function firstStarts(
  t: CheckContext,
  keyOf = ({ body }: Accepted): unknown => body,
): Promise<readonly Accepted[]> {
  const { accepted } = await startsOf(t)
  return [
    ...new Map(
      accepted.map((start) => [JSON.stringify(keyOf(start)), start] as const).reverse(),
    ).values(),
  ].reverse()
}

/** The body of a request and the id of its migration: equal ones are about one migration. */
export const wishAndId = ({ body, response }: Accepted): unknown => [body, idIn(response)]

/** A request that may start a migration, and a valid one with the same caller. */
interface StartRequest {
  readonly send: () => Promise<Exchange>
  readonly control: () => Promise<Exchange>
  /** True for a rejection that may be about the number of migrations. */
  readonly isLimit?: (response: Exchange) => boolean
}

/**
 * Sends a request that starts a migration. The document does not state that migrations of one user may run beside each other: a
 * rejected request is sent again once the others have ended, unless the target starts a valid migration after each rejection.
 */
export async function sendWhenIdle(
  t: CheckContext,
  owner: Caller,
  { send, control, isLimit = mayBeLimit }: StartRequest,
) {
  let response = await send()
  let wasIdle = false
  let begun = 0
  let lost = 0
  // A valid request was accepted now and rejected then.
  let isLimited = false
  const starts = await startsOf(t)
  const { accepted } = starts
  // Until a request is accepted, one that lost all its places speaks for the others.
  const most = () => (starts.lostAt === accepted.length ? attempts : lostPlaces)
  for (let turn = 0; isLimit(response); turn += 1) {
    const others = await runningOf(t, owner)
    const isIdle = others.length === 0
    // A limit is no reason for a rejection while none runs, before and after it.
    if (isIdle && wasIdle) break
    const other = isIdle ? undefined : idIn(await control())
    // Places become free and are taken at any moment, so only several of them in a row prove that there was one each time.
    begun = other === undefined ? 0 : begun + 1
    isLimited ||= begun > 0
    if (other !== undefined) leave(t, owner, other)
    if (begun === 2 * attempts) break
    if (begun > 0) {
      response = await send()
      continue
    }
    if (isIdle) await moment(t, 'a migration that is listed late')
    const haveEnded = (running: readonly unknown[]) => !running.some((id) => others.includes(id))
    const { last, met } = await completed(
      t,
      'other migrations to end',
      () => runningOf(t, owner),
      haveEnded,
    )
    if (!met || turn >= handovers || lost >= most()) {
      if (!isLimited) break
      t.untested(`the target starts only so many migrations at once (${response.status})`)
    }
    // The other version may have started some meanwhile.
    wasIdle = isIdle && last.length === 0
    // Others may have taken each place that became free.
    if (!isIdle && last.length >= others.length) continue
    const { length } = accepted
    response = await send()
    // A rejected request may begin a migration all the same, and then wait for it. Other checks take places as well.
    lost = accepted.length > length ? 0 : lost + 1
    if (lost === lostPlaces) starts.lostAt = accepted.length
  }
  return response
}

/** True for a rejection that may be about the number of migrations, or for a 304 since an equal one runs (readings B12). */
export function mayBeLimit({ status, rejected }: Exchange) {
  return status === 304 || (rejected && status !== 401 && status !== 404)
}

/** The first hundred migrations now; none if they are not listed, since other checks judge the list. */
async function listed(t: CheckContext, as: Caller) {
  const list = await t.send({
    endpoint: endpoints.listMigrations,
    as,
    query: { per_page: endpoints.listMigrations.paging.max },
  })
  return list.status === 200
    ? itemsOf(list).flatMap(({ value }) => (isObject(value) ? [value] : []))
    : []
}

const isRunning = ({ state }: JsonObject) =>
  typeof state === 'string' && !/^(exported|failed)$/i.test(state)

/** The identities of the migrations that run now. An id beyond 2^53 is not read exactly. */
async function runningOf(t: CheckContext, owner: Caller) {
  return (await listed(t, owner)).filter(isRunning).map(({ guid, id }) => guid ?? id)
}

/**
 * Ends the check if a migration was refused and an undoubtedly valid body for its repositories is refused as well: the target accepts
 * no more of our migrations (document: Errors, 422; readings H6), or none while another one locks a repository.
 */
export async function excuseSpam(
  t: CheckContext,
  { owner, repository }: Exporting,
  { response, id, repositories }: Started,
) {
  if (id !== undefined || response.status < 400 || response.status > 499) return
  const valid = repositories.length > 0 ? repositories : [repository]
  const control = await startMigration(t, owner, valid, unset)
  if (control.id === undefined)
    t.untested(`the target rejects any further migration (${control.response.status})`)
}

/** The versions of a run are judged side by side: the other one may have started migrations this much earlier. Milliseconds. */
const ahead = 5000

/**
 * Ends the check if a migration was refused although others of this run were accepted or one still runs: the target limits their
 * number. A target that starts a refused migration has no such limit.
 */
export async function excuseLimit(
  t: CheckContext,
  { owner, repository }: Exporting,
  { response, id }: Started,
) {
  if (id !== undefined || !mayBeLimit(response)) return
  const { accepted, since } = await startsOf(t)
  // One that runs now, or was made by this run: the target accepts migrations, perhaps only a few.
  const isOther = (migration: JsonObject) =>
    isRunning(migration) || Date.parse(String(migration.created_at)) >= since - ahead
  if (accepted.length === 0 && !(await listed(t, owner)).some(isOther)) return
  const further = await startMigration(t, owner, [repository], marked)
  if (further.id !== undefined) return
  await expectNoneStarted(t, owner, async () => [
    (await startMigration(t, owner, [repository], marked)).response,
  ])
  t.untested(
    `the target rejects further migrations (${response.status}), and may permit only so many`,
  )
}

/** Ends the check as deviating unless a valid body started a migration. */
export async function expectStarted(
  t: CheckContext,
  needs: Exporting,
  started: Started,
  what: string,
) {
  await excuseSpam(t, needs, started)
  const { response, id } = started
  t.expect(response).satisfy(`a migration for ${what}`, id !== undefined)
}

/** Flags that no other request without locks combines: they identify a migration that a rejected request started. */
export const marked = {
  exclude_attachments: false,
  exclude_releases: true,
  exclude_owner_projects: true,
}

/**
 * Ends the check as deviating when rejected requests start migrations. Other programs may start some meanwhile, such as another
 * run. A new migration counts at once if it has the flags of the request; any other one counts if each repetition starts one and
 * the list stays unchanged without requests.
 */
export async function expectNoneStarted(
  t: CheckContext,
  owner: Caller,
  attempt: () => Promise<readonly Exchange[]>,
) {
  const list = new Listing(t, { endpoint: endpoints.listMigrations, as: owner })
  const read = () => list.walk({ fresh: true })
  let before = await read()
  const last = await everyTime(t, async () => {
    const rejected = await attempt()
    const after = await read()
    const made = newIn(after, before)
    const finding = {
      expected: `${before.ids.length} migrations as before`,
      actual: `${after.ids.length} migrations`,
      exchanges: rejected,
    }
    if (made.some(({ value }) => isMarked(value))) t.deviation(finding)
    if (made.length === 0) return undefined
    const rest = await unchanged(
      t,
      'the list of migrations to come to rest',
      read,
      (a, b) => newIn(b, a).length === 0,
    )
    before = rest ?? t.untested('another program starts migrations meanwhile')
    return finding
  })
  if (last) t.deviation(last)
  t.examined(1)
}

function newIn(after: Walk, before: Walk) {
  const known = new Set(before.ids)
  return after.items.filter((_, index) => !known.has(after.ids[index] ?? ''))
}

const isMarked = (migration: unknown) =>
  isObject(migration) &&
  !migration.lock_repositories &&
  Object.entries(marked).every(([flag, sent]) => migration[flag] === sent)

import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { isObject, itemsOf, type Located } from '../../../src/suite/located.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import { completed, eventually, type Looking, sendUntil } from '../../../src/suite/observe.ts'
import { endsWith } from '../../common/names.ts'
import type { Inspection } from '../archive-reader/tally.ts'
import { migrationRequest, requestOf, type Started } from './start-request.ts'
import { type archiveNeeds, idOf, plain } from './started-migrations.ts'

/** The request for a migration's archive, which is answered by a redirect. */
export function downloadRequest(as: Caller, path: string, id: number): RequestSpec {
  return { ...requestOf(endpoints.downloadArchive)(as, id), path, direct: true }
}

/** A migration as it is returned, and its state; undefined if it cannot be read. */
type MigrationState = { readonly state: string | undefined; readonly response: Exchange }

/** The current state of a migration, as the first node returns it. */
export async function stateOf(t: CheckContext, owner: Caller, id: number): Promise<MigrationState> {
  const response = await t.send(migrationRequest(owner, id))
  const state = isObject(response.json) && response.status === 200 ? response.json.state : undefined
  return { state: typeof state === 'string' ? state : undefined, response }
}

/** A migration whose export has ended: a replica may still return an older state (readings G16). */
export async function exportedState(
  t: CheckContext,
  owner: Caller,
  id: number,
): Promise<MigrationState> {
  const isExported = ({ state }: MigrationState) => state === 'exported'
  const read = () => stateOf(t, owner, id)
  return (await eventually(t, 'the migration to be returned as exported', read, isExported)).last
}

/** Ends the check as deviating unless a migration is exported. */
export function expectExported(
  t: CheckContext,
  { state, response }: MigrationState,
  ...evidence: readonly Exchange[]
) {
  t.expect(response, ...evidence).satisfy(
    'the state exported',
    state === 'exported',
    `the state ${state}`,
  )
}

/** Follows a migration until it is exported or failed. Other checks use its objects meanwhile. */
export function progress(t: CheckContext, owner: Caller, id: number) {
  return t.shared(`progress of ${id}`, async (shared) => {
    const responses: Exchange[] = []
    const read = async () => {
      const { state, response } = await stateOf(shared, owner, id)
      responses.push(response)
      return state
    }
    const shown = await eventually(shared, 'a started migration to be shown', read, Boolean)
    if (!shown.met) return { responses }
    const { last, met } = await completed(
      shared,
      'the export of a migration',
      read,
      (state) => state === 'exported' || state === 'failed',
    )
    if (met) return { responses, ended: last }
    t.observe(
      'exports',
      'a migration did not leave its state within polling.maxWaitSeconds, so nothing that follows an export was judged',
      'an export of any length',
    )
    return { responses }
  })
}

/** Waits for the exports of migrations side by side, so that other checks find them exported. Those checks judge a failure. */
export async function exportAll(
  t: CheckContext,
  owner: Caller,
  starts: readonly Promise<Started>[],
) {
  await Promise.allSettled(
    starts.map((start) => start.then((started) => exported(t, owner, started))),
  )
}

/**
 * Ends the check unless the started migration is exported. A migration of another program under the same id proves nothing
 * (readings G15).
 */
export async function exported(t: CheckContext, owner: Caller, started: Started): Promise<number> {
  const id = idOf(t, started)
  const { ended, responses } = await progress(t, owner, id)
  const last = responses.at(-1)
  if (last && isAnother(started.response.json, last.json))
    t.untested(`the migration ${id} is another one than the one that was started`)
  if (ended === 'failed') t.untested(`the migration ${id} failed`)
  return ended === undefined ? t.untested(`the migration ${id} was not shown as exported`) : id
}

/** True when a migration has neither the guid nor the creation time (within a second) of the one that its 201 described (readings E26). */
export function isAnother(started: unknown, read: unknown) {
  if (!isObject(started) || !isObject(read)) return false
  const [made = 0, shown = 0] = [started, read].map((one) => Date.parse(String(one.created_at)))
  return Math.abs(made - shown) >= 1000 && guidOf(started) !== guidOf(read)
}

/** The guid of a returned migration, without regard to letter case. */
const guidOf = (migration: unknown) =>
  isObject(migration) ? String(migration.guid).toLowerCase() : undefined

/** The age of a migration's last update at the time of a response. Milliseconds. */
export function ageOf({ json }: Exchange, present: Exchange) {
  // Some forms of ISO 8601 are no date of JavaScript, such as `,5+02`.
  const updated = isObject(json)
    ? String(json.updated_at)
        .replace(',', '.')
        .replace(/(T.+[+-]\d\d)$/, '$1:00')
    : ''
  return Date.parse(present.header('date') ?? '') - Date.parse(updated)
}

/** True for a response at a time when the archive of a started migration no longer exists (document: Limits). */
export const isExpired = ({ response }: Started, present: Exchange) =>
  ageOf(response, present) > 7 * 24 * 60 * 60 * 1000

/** The requests of the run to delete the archive of a migration, with their responses. */
export function deletionsOf(t: CheckContext, { id }: Started): Exchange[] {
  const path = t.spelled(endpoints.deleteArchive.path).replace('{migration_id}', String(id))
  return t.recorded(endpoints.deleteArchive).filter(({ request }) => endsWith(request.url, path))
}

/** True if a request of the run has deleted the archive of a migration. */
export const isDeleted = (t: CheckContext, started: Started) =>
  deletionsOf(t, started).some(({ ok }) => ok)

/** Migrations whose archive the run was refused to delete before it was exported: that is without effect. */
export const deletedEarly = (t: CheckContext): Promise<Started[]> =>
  t.shared('early deletions', async () => [])

/** The ids of the migrations whose archives the run has deleted. */
export const withoutArchive = (t: CheckContext): Promise<number[]> =>
  t.shared('deleted archives', async () => [])

/** True for a response that leads to an archive, or is one. */
export const isServed = ({ status }: Exchange) => status < 400

/** Requests the archive of an exported migration until it is served, or no longer exists. */
export function requestArchive(
  t: CheckContext,
  owner: Caller,
  path: string,
  started: Started,
  look?: Looking,
) {
  const isDecided = (each: Exchange) => isServed(each) || isExpired(started, each)
  return sendUntil(t, downloadRequest(owner, path, idOf(t, started)), isDecided, look)
}

/** A delivered archive: the responses on the way, and the inspection of the archive if there is one. */
export interface Delivery {
  readonly started: Started
  readonly redirect: Exchange
  readonly delivered: Exchange
  readonly inspection: Inspection | undefined
}

/** The owner and the path of an archive, and the Git data that is looked for in it. */
type Downloading = { owner: Caller; path: string; repository?: { gitFiles?: unknown } }

/** Downloads and inspects an exported migration's archive, once for all checks that state the same `time`. */
export async function delivery(
  t: CheckContext,
  { owner, path, repository }: Downloading,
  started: Started,
  time = 1,
): Promise<Delivery> {
  const id = await exported(t, owner, started)
  const wanted = Array.isArray(repository?.gitFiles) ? (repository.gitFiles as string[]) : []
  return t.shared(`archive of ${id}, ${time}`, async (shared) => {
    // The reader takes as long to load as a third of the other checks.
    const { inspectArchive } = await import('../archive-reader/inspect.ts')
    const deliver = async () => {
      const redirect = await shared.send(downloadRequest(owner, path, id))
      const { exchange, result } = await shared.download(redirect, (body) =>
        inspectArchive(body, { limit: shared.archiveBytes, wanted }),
      )
      return { started, redirect, delivered: exchange, inspection: result }
    }
    // A store of files may refuse a new one for some seconds.
    const isDecided = ({ delivered }: Delivery) =>
      isServed(delivered) || isExpired(started, delivered)
    const { last } = await eventually(shared, 'an archive to be delivered', deliver, isDecided)
    ;(await deliveries(t)).push(last)
    return last
  })
}

/** The delivery of the plain migration's archive. */
export const plainDelivery = async (t: CheckContext, resolved: Resolved<typeof archiveNeeds>) =>
  delivery(t, resolved, await plain(t, resolved))

/** Every download of an archive so far, for checks that run afterwards. */
export const deliveries = (t: CheckContext): Promise<Delivery[]> =>
  t.shared('deliveries', async () => [])

/** The contents of a readable archive; ends the check if there is none. */
export async function contents(
  t: CheckContext,
  resolved: Downloading,
  started: Started,
): Promise<{ inspection: Inspection; response: Exchange }> {
  const { inspection, delivered } = await delivery(t, resolved, started)
  if (!inspection) t.untested(`no archive was delivered (${delivered.status})`)
  if (inspection.outcome !== 'readable')
    t.untested(`the archive was not read to its end: ${inspection.reason}`)
  return { inspection, response: delivered }
}

/** The contents of the plain migration's archive. */
export const plainContents = async (t: CheckContext, resolved: Resolved<typeof archiveNeeds>) =>
  contents(t, resolved, await plain(t, resolved))

/** The same for a migration that must be listed, in a certain state if one is given: the list may return it later (readings G16). */
export async function awaitListed(t: CheckContext, owner: Caller, id: number, state?: string) {
  const isAwaited = ({ value }: Located) =>
    state === undefined || (isObject(value) && value.state === state)
  const isListed = ({ migration, cut }: Awaited<ReturnType<typeof listedMigration>>) =>
    migration ? isAwaited(migration) : cut
  const effect = `the migration to be listed${state ? ` as ${state}` : ''}`
  return (await eventually(t, effect, () => listedMigration(t, owner, id), isListed)).last
}

/** The control of a count: the list contains a migration that was started, as itself (readings G15). */
export async function requireListed(t: CheckContext, owner: Caller, started: Started) {
  const { migration } = await awaitListed(t, owner, idOf(t, started))
  if (!migration)
    t.untested(
      'the list does not contain a migration that was started, so it need not contain a further one',
    )
  // A server without storage may assign the same id again in the same second.
  if (guidOf(started.response.json) !== guidOf(migration?.value))
    t.untested('the list contains another migration under the id of the started one')
}

/** A migration as the list returns it now, the pages that were read, and whether there are more (readings G14). */
export async function listedMigration(t: CheckContext, owner: Caller, id: number) {
  if (!Number.isSafeInteger(id))
    t.untested(`the id ${id} is beyond 2^53, where numbers of JSON are not read exactly`)
  const { found, pages, cut } = await listedAmong(t, owner, [id])
  return { migration: found[0], pages, cut }
}

/** The migrations of a list that have certain ids. */
async function listedAmong(t: CheckContext, owner: Caller, ids: readonly unknown[]) {
  const among = (items: readonly Located[]) =>
    items.filter(({ value }) => isObject(value) && ids.includes(value.id))
  const list = new Listing(t, { endpoint: endpoints.listMigrations, as: owner })
  const { items, pages, cut } = await list.walk({
    fresh: true,
    enough: (page) => among(itemsOf(page)).length >= ids.length,
  })
  return { found: among(items), pages, cut }
}

/** The migrations with certain ids, each named once. The list may contain them later (readings G16). */
export async function awaitAllListed(
  t: CheckContext,
  owner: Caller,
  ids: readonly number[],
): Promise<readonly Located[]> {
  const read = () => listedAmong(t, owner, ids)
  return (
    await eventually(
      t,
      'the migrations to be listed',
      read,
      ({ found, cut }) => found.length >= ids.length || cut,
    )
  ).last.found
}

/** Ends the check as deviating if the list and the single migration return different states for good: the list may be late (readings G16). */
export async function expectSameState(t: CheckContext, owner: Caller, id: number) {
  const read = async () => {
    const { state, response } = await stateOf(t, owner, id)
    if (state === undefined && response.ok) t.untested(`the migration ${id} has no state`)
    const { migration } = await listedMigration(t, owner, id)
    const listed = isObject(migration?.value) ? migration.value.state : undefined
    const own = state ?? String(response.status)
    return { state: own, response, migration, listed, agree: listed === own }
  }
  let last = await read()
  // States that agree from the start, such as those of an old migration, show no lag of the list.
  if (!last.agree)
    last = (await eventually(t, 'the states to agree', read, ({ agree }) => agree)).last
  const { migration, state, response, listed, agree } = last
  if (!migration)
    return t.untested(`the list does not contain the migration ${id} (${response.status})`)
  t.expect(migration.exchange, response).satisfy(state, agree, JSON.stringify(listed))
}

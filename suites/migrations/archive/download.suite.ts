import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { redirectTarget } from '../../../src/http/exchange/redirect.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { configuredPath, need, type Resolved, role } from '../../../src/suite/needs.ts'
import { briefly, firstOf } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { accessChecks, foreignMigration } from '../common/access.ts'
import {
  ageOf,
  contents,
  type Delivery,
  deletedEarly,
  deliveries,
  delivery,
  downloadRequest,
  expectExported,
  exportAll,
  exportedState,
  isDeleted,
  plainContents,
  plainDelivery,
  requestArchive,
  stateOf,
} from '../common/migration-state.ts'
import {
  deletionRequest,
  fullName,
  type RepositoryName,
  type Started,
  startMigration,
  startsOf,
} from '../common/start-request.ts'
import {
  archiveNeeds,
  disposable,
  idOf,
  mayBeTwo,
  ofTwo,
  onMigrations,
  plain,
  plainId,
  twoRepositories,
} from '../common/started-migrations.ts'
import { amountOf, parts } from './exclusions.ts'

const endpoint = endpoints.downloadArchive
/** Downloads of the archive of a migration. */
export const download = onMigrations('download', endpoint, archiveNeeds)
const twoArchives = download.with({ needs: { ...twoRepositories, path: archiveNeeds.path } })
const every = download.with({ requirement: 'migrations.download.location', schedule: 'afterwards' })
const ofFailed = download.with({
  needs: {
    owner: role('owner'),
    path: configuredPath('downloadArchive'),
    failed: need('failed-migration'),
  },
  requirement: 'migrations.download.before-exported',
  writes: false,
})

export default download.suite([
  every.check(
    'status',
    'returns 302 for every exported migration',
    'migrations.download.status',
    async (t, resolved) => {
      const known = await plainDelivery(t, resolved)
      const { redirect } =
        known.redirect.status === 302
          ? known
          : await delivery(t, resolved, await another(t, resolved))
      t.expect(redirect).status(302)
      for (const early of await deletedEarly(t)) await unlessUntested(delivery(t, resolved, early))
      for (const { started, redirect } of await deliveries(t)) {
        if (redirect.status < 400) t.expect(redirect).status(302)
        else if (started.repositories.length > 0) await expectServedBeside(t, resolved, started)
      }
    },
  ),
  download.check('location', 'sends an http(s) URL as Location', async (t, resolved) => {
    const { redirect } = await plainDelivery(t, resolved)
    if (redirect.status !== 302) t.untested(`the response was ${redirect.status}`)
    t.expect(redirect).satisfy(
      'an http(s) address as Location',
      !!redirectTarget(redirect),
      redirect.header('location') ?? 'no Location header',
    )
  }),
  every.check(
    'delivers',
    'redirects to a URL that serves the archive without Authorization',
    async (t, resolved) => {
      const { redirect: first } = await plainDelivery(t, resolved)
      if (!redirectTarget(first)) t.untested('the redirect has no usable Location')
      for (const { redirect, delivered, inspection } of await deliveries(t)) {
        if (redirectTarget(redirect))
          t.expect(delivered, redirect).satisfy('200', inspection !== undefined)
      }
    },
  ),
  every.check(
    'again',
    'returns an archive a second time',
    {
      requirement: 'migrations.download.lifetime',
      also: mayBeTwo,
    },
    expectServedAgain,
  ),
  twoArchives.check(
    'distinct',
    'returns a different archive for each migration, with its own Git data',
    { requirement: 'migrations.download.own-archive', slow: true },
    async (t, resolved) => {
      if (fullName(resolved.second) === fullName(resolved.repository))
        t.untested('the needs name one repository twice', 'second-repository')
      const starts = [
        plain(t, resolved),
        disposable(t, resolved),
        disposable(t, resolved, 2),
        ofTwo(t, resolved),
      ]
      await exportAll(t, resolved.owner, starts)
      const { response: one } = await plainContents(t, resolved)
      const { response: other } = await contents(t, resolved, await disposable(t, resolved))
      for (const each of await deliveries(t))
        expectOwnGitData(t, each, [resolved.repository, resolved.second])
      const [a, b] = [one.response.streamed, other.response.streamed]
      if (!a || !b || a.bytes === 0) return t.untested('the target did not deliver two archives')
      t.expect(other, one).satisfy('a different archive', a.sha256 !== b.sha256, 'the same bytes')
    },
  ),
  twoArchives.check(
    'before-exported',
    'rejects a download before the migration is exported',
    async (t, resolved) => {
      const { owner, repository, second, path } = resolved
      // The control of its archive is that of an earlier migration.
      await plain(t, resolved)
      const judged = await firstOf(t, async (time) => {
        const started = await startMigration(t, owner, [repository, second])
        const id = idOf(t, started)
        const isRefused = await isRefusedWhileUnfinished(t, owner, path, id)
        const early = time === 0 && isRefused && (await t.send(deletionRequest(owner, id)))
        if (early !== false && early.rejected) (await deletedEarly(t)).push(started)
        // Once more while it is if that is seen.
        await briefly(
          t,
          'the export to begin',
          () => stateOf(t, owner, id),
          ({ state }) => state !== 'pending',
        )
        return (await isRefusedWhileUnfinished(t, owner, path, id)) || isRefused || undefined
      })
      if (!judged) t.untested('each migration was exported before it could be tried')
    },
  ),
  ofFailed.check(
    'failed',
    'rejects a download of a failed migration',
    async (t, { owner, path, failed }) => {
      if (!(await isRefusedWhileUnfinished(t, owner, path, failed.migration_id)))
        t.untested('the migration has not failed')
    },
  ),
  foreignMigration(download, {
    request: (as, id, { path }) => downloadRequest(as, path, id),
    readOwn: async (t, resolved) => (await plainDelivery(t, resolved)).redirect,
  }),
  download.check(
    'state-stays',
    'keeps the state exported after a download',
    'migrations.download.state',
    async (t, resolved) => {
      await requireOwnServed(t, resolved)
      expectExported(t, await exportedState(t, resolved.owner, await plainId(t, resolved)))
    },
  ),
  ...accessChecks(download, async (t, resolved) => {
    await requireOwnServed(t, resolved)
    const wanted = await plainId(t, resolved)
    return (as) => downloadRequest(as, resolved.path, wanted)
  }),
])

/** An archive contains no Git data of a repository that its migration does not name. */
function expectOwnGitData(
  t: CheckContext,
  { started, inspection, delivered }: Delivery,
  known: readonly RepositoryName[],
) {
  const own = started.repositories.map(fullName)
  const strangers = known.map(fullName).filter((name) => !own.includes(name))
  const strange = strangers.find((name) => inspection?.found.has(`/${name}.git/`))
  t.expect(delivered).satisfy(
    'no Git data of another repository',
    strange === undefined,
    `Git data of ${strange}`,
  )
}

/** The control of a refusal: the archive of the caller's own migration is delivered (readings G15). */
export async function requireOwnServed(t: CheckContext, resolved: Resolved<typeof archiveNeeds>) {
  const { redirect } = await plainDelivery(t, resolved)
  if (redirect.status !== 302)
    t.untested(`the request fails for the caller's own migration as well (${redirect.status})`)
}

/** Requests an archive between readings of the state. False if the migration was exported by then (readings E4, E16). */
async function isRefusedWhileUnfinished(t: CheckContext, owner: Caller, path: string, id: number) {
  // One of several readings in a row is up to date, even if a replica is late (readings G16).
  const read = async () => [await stateOf(t, owner, id), await stateOf(t, owner, id)]
  const before = await read()
  const response = await t.send(downloadRequest(owner, path, id))
  const after = [...(await read()), ...(await read())]
  const [first, last] = [before, after].map((readings) =>
    readings.find(({ state }) => state !== undefined),
  )
  if (!first || !last || [...before, ...after].some(({ state }) => state === 'exported'))
    return false
  if (response.status < 400 && (await isReturnedLate(t, owner, id, response))) return false
  t.expect(response, first.response, last.response).satisfy(
    'no archive',
    response.status >= 400 && !response.broken,
    `${response.status} in the state ${last.state}`,
  )
  return true
}

/** True if the state is exported a little later, since an instant before the response: every replica may be late (readings G16). */
async function isReturnedLate(t: CheckContext, owner: Caller, id: number, response: Exchange) {
  const last = await exportedState(t, owner, id)
  return last.state === 'exported' && ageOf(last.response, response) >= 0
}

/**
 * As long as the archive of an earlier migration is served, one of the run is served unless it was deleted. A later migration proves
 * nothing: another program may have moved the target's clock before its start.
 */
async function expectServedBeside(
  t: CheckContext,
  resolved: Resolved<typeof archiveNeeds>,
  started: Started,
) {
  const { accepted } = await startsOf(t)
  const placeOf = (each: Started) =>
    accepted.findIndex(({ response }) => response === each.response)
  const isControl = ({ redirect, started: each }: Delivery) =>
    redirect.status === 302 && each.repositories.length > 0 && placeOf(each) < placeOf(started)
  const control = (await deliveries(t)).find(isControl)
  if (!control || isDeleted(t, started)) return
  const response = await requestArchive(t, resolved.owner, resolved.path, started)
  const served = await t.send(
    downloadRequest(resolved.owner, resolved.path, idOf(t, control.started)),
  )
  if (served.status === 302) t.expect(response, served).status(302)
}

/** An archive lives for seven days, for any number of downloads. Each download may be packed again, with no less content. */
async function expectServedAgain(
  t: CheckContext,
  resolved: Resolved<typeof archiveNeeds>,
  { second: other }: { readonly second: RepositoryName | undefined },
) {
  const known = await twice(t, resolved, await plain(t, resolved))
  const { first, second } = known.second.inspection
    ? known
    : await twice(t, resolved, await another(t, resolved))
  const { redirect: before, delivered: earlier, inspection: whole } = first
  if (before.status !== 302 || !whole)
    return t.untested(`no archive was delivered (${before.status}, then ${earlier.status})`)
  const { redirect, delivered, inspection } = second
  t.expect(redirect).status(302)
  t.expect(delivered, redirect).satisfy('the archive once more', inspection !== undefined)
  if (other) expectOwnGitData(t, second, [resolved.repository, other])
  if (!inspection || [whole, inspection].some(({ outcome }) => outcome !== 'readable')) return
  // Git data may be packed into fewer files.
  const least = (part: string) =>
    part === 'repositories/' ? Math.min(1, amountOf(whole, part)) : amountOf(whole, part)
  const lost = parts.filter((part) => amountOf(inspection, part) < least(part))
  t.expect(delivered, earlier).satisfy(
    'all data of the first download',
    lost.length === 0,
    `less ${lost.join(', ')}`,
  )
}

/** A further migration: another program may move the target's clock, and so end the lifetime of the archives, but hardly twice. */
const another = (t: CheckContext, of: Resolved<typeof archiveNeeds>) =>
  startMigration(t, of.owner, [of.repository])

/** Two downloads of one archive. Between them, a further request for it and the start of an equal migration. */
async function twice(t: CheckContext, of: Resolved<typeof archiveNeeds>, started: Started) {
  const first = await delivery(t, of, started)
  await Promise.all([
    unlessUntested(another(t, of)),
    t.send(downloadRequest(of.owner, of.path, idOf(t, started))),
  ])
  return { first, second: await delivery(t, of, started, 2) }
}

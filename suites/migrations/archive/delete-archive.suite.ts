import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'
import { configuredPath, optional, type Resolved } from '../../../src/suite/needs.ts'
import { briefly, firstOf, sendUntil, still } from '../../../src/suite/observe.ts'
import { expectNoServerError } from '../../common/access.ts'
import { unlessUntested } from '../../common/proof.ts'
import {
  accessChecks,
  everyone,
  expectPrivate,
  tryEveryone,
  unknownId,
  unknownMigration,
} from '../common/access.ts'
import { identityOf } from '../common/every-migration.ts'
import { bodyOf, membersOf } from '../common/forms.ts'
import {
  awaitListed,
  deletedEarly,
  deletionsOf,
  downloadRequest,
  expectExported,
  exported,
  exportedState,
  isDeleted,
  isServed,
  requestArchive,
  stateOf,
  withoutArchive,
} from '../common/migration-state.ts'
import {
  deletionRequest,
  echoedFlags,
  migrationRequest,
  type RepositoryName,
  requestOf,
  startMigration,
} from '../common/start-request.ts'
import {
  disposable,
  endedMigrations,
  idOf,
  idsOfEnded,
  metadataOnly,
  onMigrations,
  twoRepositories,
} from '../common/started-migrations.ts'
import { locksStayCheck } from '../locks/lock-checks.ts'

const path = configuredPath('downloadArchive')
const needs = { ...twoRepositories, path: optional(path) }
const deletion = onMigrations('delete-archive', endpoints.deleteArchive, needs).with({
  schedule: 'alone',
})
const archive = deletion.with({
  needs: { ...twoRepositories, path },
  requirement: 'migrations.delete-archive.archive',
})
type Needs = Resolved<typeof needs>

export default deletion.suite([
  ...accessChecks(deletion, async (t, resolved) => {
    const wanted = idOf(t, await withArchive(t, resolved))
    return (as) => deletionRequest(as, wanted)
  }),
  archive.check(
    'refused-without-effect',
    'keeps the archive after a rejected request',
    { requirement: 'migrations.access.no-effect', conclusive: true, also: everyone },
    async (t, resolved, others) => {
      const afterRefusals = async (anew: boolean) => {
        const wanted = await withArchive(t, resolved, anew)
        const read = () => requestArchive(t, resolved.owner, resolved.path, wanted)
        const effect = async () => ({
          facts: isServed(await read()) ? ['the archive is served'] : [],
          visible: true,
        })
        await tryEveryone(t, (as) => deletionRequest(as, idOf(t, wanted)), others, {
          effect,
        })
        await t.send(deletionRequest(resolved.owner, unknownId))
        return read()
      }
      // Another program may have ended the lifetime of the archive.
      const first = await afterRefusals(false)
      const response = isServed(first) ? first : await afterRefusals(true)
      t.expect(response).satisfy('the archive', isServed(response))
    },
  ),
  deletion.check(
    'status',
    'returns 204 without a body for the archive of an exported migration',
    { schedule: 'afterwards' },
    async (t, resolved) => {
      const { response } = await deleted(t, resolved)
      t.expect(response).status(204).noBody()
      for (const each of t.recorded(endpoints.deleteArchive))
        if (each.ok) t.expect(each).status(204)
    },
  ),
  archive.check(
    'archive-gone',
    'rejects a download of the archive two seconds after its deletion',
    async (t, resolved) => {
      const { owner, second } = resolved
      const { wanted, response } = await afterDeletion(t, resolved)
      const request = downloadRequest(owner, resolved.path, wanted)
      // Neither a download nor a reading nor an equal migration brings it back.
      await t.send(request)
      await stateOf(t, owner, wanted)
      await startMigration(t, owner, [second])
      const { last, met } = await still(
        t,
        'the archive to be deleted',
        () => t.send(request),
        (each) => !isServed(each),
      )
      t.expect(last, response).satisfy('no archive', met && !last.broken)
    },
  ),
  archive.check('others-stay', 'keeps the archives of other migrations', async (t, resolved) => {
    const { response, others } = await afterDeletion(t, resolved)
    if (others.length === 0) t.untested('the archives of other migrations are not served')
    for (const after of others)
      t.expect(after, response).satisfy('the archive of another migration', after.status < 400)
  }),
  deletion.check(
    'state-stays',
    'returns and lists the migration as exported after the deletion of its archive',
    'migrations.delete-archive.state',
    async (t, resolved) => {
      const { wanted } = await afterDeletion(t, resolved)
      const { state, response } = await exportedState(t, resolved.owner, wanted)
      t.expect(response).satisfy(`the migration ${wanted}`, state !== undefined)
      const { migration, pages, cut } = await awaitListed(t, resolved.owner, wanted, 'exported')
      t.expect(response, ...pages).satisfy(
        `the migration ${wanted} in the list`,
        cut || migration !== undefined,
        'only others',
      )
      const short = await t.send({
        ...migrationRequest(resolved.owner, wanted),
        query: { exclude: ['repositories'] },
      })
      t.expect(short).satisfy(`the migration ${wanted}`, short.status !== 404, '404')
      const shown = [...bothOf(response, migration), ...(short.ok ? [bodyOf(short)] : [])]
      t.expectAll(membersOf(shown, 'state'), 'state').satisfy(
        'exported',
        (now) => now === 'exported',
      )
    },
  ),
  deletion.check(
    'stays-private',
    'rejects everybody but the owner for a migration without an archive',
    {
      requirement: 'migrations.access.own',
      conclusive: true,
      also: { ...endedMigrations, ...everyone },
    },
    async (t, resolved, others) => {
      const { wanted } = await afterDeletion(t, resolved)
      for (const id of [wanted, ...idsOfEnded(others)])
        await expectPrivate(t, resolved.owner, others, id)
    },
  ),
  deletion.check(
    'metadata-unchanged',
    'returns the migration with the same metadata after the deletion of its archive',
    { level: 'should', requirement: 'migrations.delete-archive.metadata' },
    async (t, resolved) => {
      const { wanted, original } = await afterDeletion(t, resolved)
      const { state, response } = await exportedState(t, resolved.owner, wanted)
      if (state === undefined) t.untested('the migration could not be read')
      const { migration } = await awaitListed(t, resolved.owner, wanted)
      const repositories = await sendUntil(
        t,
        requestOf(endpoints.listMigrationRepositories)(resolved.owner, wanted),
        ({ count }) => count > 0,
      )
      t.expect(repositories, response).satisfy(
        'one repository',
        repositories.count === 1,
        `${repositories.status} with ${repositories.count}`,
      )
      expectSameMetadata(t, bodyOf(original), bothOf(response, migration))
    },
  ),
  deletion.check(
    'again',
    'keeps a migration whose archive is deleted twice, early, or missing',
    {
      also: endedMigrations,
      requirement: 'migrations.delete-archive.metadata',
      schedule: 'afterwards',
    },
    async (t, resolved, ended) => {
      const { wanted, original } = await afterDeletion(t, resolved)
      const empty = await unlessUntested(
        exported(t, resolved.owner, await metadataOnly(t, resolved.owner)),
      )
      const [early = await disposable(t, resolved, 99)] = await deletedEarly(t)
      const others = [empty, early.id].flatMap((id) => id ?? [])
      for (const id of [wanted, ...idsOfEnded(ended), ...others]) {
        const known = id === wanted ? original : (await stateOf(t, resolved.owner, id)).response
        if (!known.ok) continue
        const again = await t.send(deletionRequest(resolved.owner, id))
        expectNoServerError(t, again)
        t.observe('deletion of a missing archive', `${again.status}`, 'any status below 500')
        const { state, response } = await stateOf(t, resolved.owner, id)
        const [before, after] = [identityOf(known.json), identityOf(response.json)]
        t.expect(response).status(200)
        t.expect(response, known).satisfy(before, after === before, after)
        const wasExported = isObject(known.json) && known.json.state === 'exported'
        if (wasExported && state !== 'exported')
          expectExported(t, await exportedState(t, resolved.owner, id), again)
      }
    },
  ),
  locksStayCheck(deletion.with({ needs: twoRepositories })),
  unknownMigration(deletion, {
    request: deletionRequest,
    readOwn: async (t, resolved) => (await deleted(t, resolved)).response,
  }),
])

/** A migration by itself, and in the list if it is there. */
const bothOf = (response: Exchange, listed: Located | undefined) =>
  [bodyOf(response), listed].filter((each) => each !== undefined)

/** A disposable migration with an archive, as far as a download can prove it. `anew`: one that no request was to delete. */
async function withArchive(t: CheckContext, { owner, second, path }: Needs, anew = false) {
  const wanted = await firstOf(t, async (time) => {
    const deletions = t.recorded(endpoints.deleteArchive)
    // A refused deletion may have deleted the archive of the first migration.
    const possible = anew || time > 0 ? deletions : deletions.filter(({ ok }) => ok)
    const started = await disposable(t, { owner, second }, possible.length + time + 1)
    const id = await exported(t, owner, started)
    // Another check may have deleted it during the export.
    if (isDeleted(t, started)) return undefined
    if (!path || isServed(await t.send(downloadRequest(owner, path, id)))) return started
    if (deletionsOf(t, started).length > 0) return undefined
    return isServed(await requestArchive(t, owner, path, started, briefly)) ? started : undefined
  })
  return wanted ?? t.untested('no exported migration has an archive')
}

/**
 * Deletes the disposable migration's archive, once for all checks. Another program may move the target's clock, and so end the
 * lifetime of an archive, but hardly twice.
 */
function deleted(t: CheckContext, resolved: Needs) {
  return t.shared('deletion', async (shared) => {
    const first = await deleteOne(shared, resolved)
    return first.response.status === 404 ? deleteOne(shared, resolved) : first
  })
}

async function deleteOne(t: CheckContext, resolved: Needs) {
  const { owner, path, repository, second } = resolved
  // The archives of two migrations must stay: an earlier one of another repository, and a later one of the same.
  const keep = async (name: RepositoryName) =>
    path === undefined ? [] : [await startMigration(t, owner, [name])]
  const earlier = await keep(repository)
  const wanted = idOf(t, await withArchive(t, resolved))
  const kept = [...earlier, ...(await keep(second))]
  const { response: original } = await exportedState(t, owner, wanted)
  const ids = await Promise.all(kept.map((each) => unlessUntested(exported(t, owner, each))))
  const rest = kept.filter((_, index) => ids[index] !== undefined && ids[index] !== wanted)
  const served = async () =>
    Promise.all(rest.map((each) => requestArchive(t, owner, String(path), each)))
  const before = await served()
  const response = await t.send(deletionRequest(owner, wanted), { tapped: true })
  if (response.ok) (await withoutArchive(t)).push(wanted)
  // An archive that was not served before proves nothing.
  const others = (await served()).filter((_, index) => before[index]?.status === 302)
  return { wanted, response, original, others }
}

/** The same after a successful deletion. Ends the check otherwise, since a refusal proves nothing then. */
async function afterDeletion(t: CheckContext, resolved: Needs) {
  const deletion = await deleted(t, resolved)
  return deletion.response.ok
    ? deletion
    : t.untested(`the deletion returned ${deletion.response.status}`)
}

/** Ends the check as deviating when the description of a migration has changed. The objects of its repositories may change. */
function expectSameMetadata(t: CheckContext, before: Located, after: readonly Located[]) {
  const whole = isObject(before.value)
    ? before.value
    : t.untested('the migration could not be read')
  for (const { value, exchange } of after) {
    const part = isObject(value) ? value : {}
    // The list need not contain org_metadata_only, and may have its own node_id (readings E6, E26).
    const { node_id, org_metadata_only } = whole
    const listed = Array.isArray(exchange.json) ? { org_metadata_only, ...part, node_id } : part
    const [was, is] = [describing(whole), describing(listed)]
    const changed = Object.keys(was).filter((name) => !isDeepStrictEqual(was[name], is[name]))
    t.expect(exchange, before.exchange).satisfy(
      'the same as before',
      changed.length === 0,
      `no or another value of ${changed.join(', ')}`,
    )
  }
}

/** The members that describe a migration, with or without its archive; its repositories by their number (readings E11). */
function describing(migration: JsonObject) {
  const { repositories } = migration
  const kept = ['node_id', 'org_metadata_only', ...echoedFlags].map((name) => [
    name,
    migration[name],
  ])
  return {
    ...Object.fromEntries(kept),
    identity: identityOf(migration),
    repositories: Array.isArray(repositories) && repositories.length,
  }
}

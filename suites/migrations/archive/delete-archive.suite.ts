import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { isObject, type Located } from '../../../src/suite/located.ts'
import { configuredPath, optional, type Resolved } from '../../../src/suite/needs.ts'
import { arrives, firstOf, lastingPause, policies, soon } from '../../../src/suite/observe.ts'
import { expectNoServerError } from '../../common/access.ts'
import { unlessUntested } from '../../common/proof.ts'
import { accessChecks, everyone, tryEveryone } from '../common/access.ts'
import { bodyOf, membersOf } from '../common/forms.ts'
import { listedMigration } from '../common/list-contents.ts'
import { bystander, disposable, downloadRequest, exported, stateOf, twoRepositories } from '../common/migration-state.ts'
import { unknownMigration } from '../common/unknown.ts'
import { deletionRequest, locksStayCheck } from '../locks/locks-stay.ts'
import { expectSameMetadata } from '../read/metadata.ts'

const endpoint = endpoints.deleteArchive
const path = configuredPath('downloadArchive')
const needs = { ...twoRepositories, path: optional(path) }
const deletion = operation({
  id: 'migrations.delete-archive',
  endpoint,
  needs,
  level: 'must',
  writes: true,
  schedule: 'alone',
})
const metadata = deletion.with({ requirement: 'migrations.delete-archive.metadata' })
const archive = deletion.with({ needs: { ...twoRepositories, path }, requirement: 'migrations.delete-archive.archive' })
type Needs = Resolved<typeof needs>

export default deletion.suite([
  ...accessChecks(deletion, {
    requirement: 'migrations.delete-archive.unauthenticated',
    listed401: true,
    ofOneMigration: true,
    request: async (t, resolved) => {
      const wanted = await withArchive(t, resolved)
      return (as) => deletionRequest(as, wanted)
    },
  }),
  archive.check(
    'refused-without-effect',
    'keeps the archive after a rejected request',
    { requirement: 'migrations.access.no-effect', conclusive: true, also: everyone },
    async (t, resolved, others) => {
      const wanted = await withArchive(t, resolved)
      await tryEveryone(t, (as) => deletionRequest(as, wanted), others, { withOutsider: true })
      const answer = await t.send(downloadRequest(resolved.owner, resolved.path, wanted))
      t.expect(answer).satisfy('the archive', answer.status < 400, String(answer.status))
    },
  ),
  deletion.check('status', 'returns 204 for the archive of an exported migration', async (t, resolved) => {
    t.expect((await deleted(t, resolved)).answer).status(204)
  }),
  deletion.check('empty', 'sends no response body', 'migrations.delete-archive.status', async (t, resolved) => {
    const { answer } = await deleted(t, resolved)
    if (answer.status !== 204) t.untested(`the response was ${answer.status}`)
    t.expect(answer).noBody()
  }),
  archive.check('archive-gone', 'rejects a download of the archive after its deletion', async (t, resolved) => {
    const { wanted, answer } = await afterDeletion(t, resolved)
    const { last, met } = await archiveGone(t, resolved, wanted)
    t.expect(last, answer).satisfy('no archive', met, String(last.status))
  }),
  archive.check('others-stay', 'keeps the archives of other migrations', async (t, resolved) => {
    const { answer, other } = await afterDeletion(t, resolved)
    const [before, after] = [other?.before, other?.after]
    if (before?.status !== 302 || !after) return t.untested(`the archive of another migration is not served (${before?.status})`)
    t.expect(after, answer).satisfy('the archive of another migration', after.status < 400, String(after.status))
  }),
  archive.check(
    'lasts',
    'keeps the archive deleted: a download two seconds later is rejected',
    { schedule: 'afterwards' },
    async (t, resolved) => {
      const { wanted, answer } = await afterDeletion(t, resolved)
      await lastingPause(t)
      const { last, met } = await archiveGone(t, resolved, wanted)
      t.expect(last, answer).satisfy('no archive', met, `${last.status} two seconds later`)
    },
  ),
  metadata.check('migration-stays', 'returns the migration after the deletion of its archive', async (t, resolved) => {
    const { wanted } = await afterDeletion(t, resolved)
    t.expect((await stateOf(t, resolved.owner, wanted)).answer).status(200)
  }),
  metadata.check('migration-listed', 'lists the migration after the deletion of its archive', async (t, resolved) => {
    const { wanted } = await afterDeletion(t, resolved)
    const list = new Listing(t, { endpoint: endpoints.listMigrations, as: resolved.owner })
    const isWanted = ({ value }: Located) => isObject(value) && value.id === wanted
    const walk = () => list.walk({ fresh: true })
    const { last, met } = await soon(t, 'the migration to be listed', walk, ({ items }) => items.some(isWanted))
    const [expected, actual] = [`the migration ${wanted}`, `${last.items.length} other migrations`]
    if (!met) t.deviation({ expected, actual, exchanges: last.pages })
    t.examined(1)
  }),
  deletion.check(
    'state-stays',
    'keeps the state of the migration after the deletion of its archive',
    'migrations.delete-archive.state',
    async (t, resolved) => {
      const { wanted, before } = await afterDeletion(t, resolved)
      const { state, answer } = await stateOf(t, resolved.owner, wanted)
      if (state === undefined) t.untested('the migration could not be read')
      const isBefore = (migration: Located | undefined) => isObject(migration?.value) && migration.value.state === before
      let { migration } = await listedMigration(t, resolved.owner, wanted)
      // A list may return an older state for some time (readings G16).
      await arrives(t, 'the list to return the state of the migration', async () => {
        if (migration && !isBefore(migration)) migration = (await listedMigration(t, resolved.owner, wanted)).migration
        return !migration || isBefore(migration) || undefined
      })
      const states = membersOf([bodyOf(answer), ...(migration ? [migration] : [])], 'state')
      t.expectAll(states, 'state').satisfy(before, (now) => now === before)
    },
  ),
  metadata.check(
    'metadata-unchanged',
    'returns the migration with the same metadata after the deletion of its archive',
    { level: 'should' },
    async (t, resolved) => {
      const { wanted, original } = await afterDeletion(t, resolved)
      expectSameMetadata(t, original, (await stateOf(t, resolved.owner, wanted)).answer)
    },
  ),
  metadata.check('again', 'keeps the migration when its archive is deleted twice', async (t, resolved) => {
    const { wanted } = await afterDeletion(t, resolved)
    const again = await t.send(deletionRequest(resolved.owner, wanted))
    expectNoServerError(t, again)
    t.observe('deletion of a missing archive', String(again.status))
    t.expect((await stateOf(t, resolved.owner, wanted)).answer).status(200)
  }),
  locksStayCheck(deletion.with({ needs: twoRepositories })),
  unknownMigration(deletion, {
    request: deletionRequest,
    readOwn: async (t, resolved) => (await deleted(t, resolved)).answer,
  }),
])

/** A disposable migration with an archive, as far as a download can prove it. */
async function withArchive(t: CheckContext, { owner, second, path }: Needs): Promise<number> {
  const wanted = await firstOf(policies.anotherArchive, async (time) => {
    const id = await exported(t, owner, await disposable(t, { owner, second }, time + 1))
    const download = path === undefined ? undefined : await t.send(downloadRequest(owner, path, id))
    return download && download.status >= 400 ? undefined : id
  })
  return wanted ?? t.untested('no exported migration has an archive')
}

/** Deletes the disposable migration's archive, once for all checks. */
function deleted(t: CheckContext, resolved: Needs) {
  return t.shared('deletion', async (shared) => {
    const { owner } = resolved
    const wanted = await withArchive(shared, resolved)
    const { state, answer: original } = await stateOf(shared, owner, wanted)
    const download = await otherDownload(shared, resolved, wanted)
    const before = download && (await shared.send(download))
    const answer = await shared.send(deletionRequest(owner, wanted), { tapped: true })
    const other = download && before && { before, after: await served(shared, download) }
    return { wanted, answer, original, before: state ?? 'exported', other }
  })
}

/** Awaits the redirect to an archive that stays. */
async function served(t: CheckContext, download: RequestSpec): Promise<Exchange> {
  return (
    await soon(
      t,
      'the other archive to be served',
      () => t.send(download),
      ({ status }) => status < 400,
    )
  ).last
}

/** The request for the archive of another migration of the same repository, which stays; undefined without such a migration. */
async function otherDownload(t: CheckContext, { owner, second, path }: Needs, wanted: number): Promise<RequestSpec | undefined> {
  if (path === undefined) return undefined
  const started = bystander(t, { owner, second })
  const other = await unlessUntested(started.then((migration) => exported(t, owner, migration)))
  return other === undefined || other === wanted ? undefined : downloadRequest(owner, path, other)
}

/** Awaits the rejection of a download: a replica may know the archive for some time (readings G16). */
function archiveGone(t: CheckContext, { owner, path }: { owner: Caller; path: string }, wanted: number) {
  const download = () => t.send(downloadRequest(owner, path, wanted))
  return soon(t, 'the archive to be gone', download, ({ status }) => status >= 400)
}

/** The same after a successful deletion. Ends the check otherwise, since a refusal proves nothing then. */
async function afterDeletion(t: CheckContext, resolved: Needs) {
  const deletion = await deleted(t, resolved)
  return deletion.answer.ok ? deletion : t.untested(`the deletion returned ${deletion.answer.status}`)
}

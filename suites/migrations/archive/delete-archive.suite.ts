import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { configuredPath, need, optional, type Resolved } from '../../../src/suite/needs.ts'
import { firstOf, policies, sendUntil, stays } from '../../../src/suite/observe.ts'
import { expectNoServerError } from '../../common/access.ts'
import { unlessUntested } from '../../common/proof.ts'
import { accessChecks, everyone, tryEveryone } from '../common/access.ts'
import { identityOf } from '../common/every-migration.ts'
import { bodyOf, membersOf } from '../common/forms.ts'
import { awaitListed } from '../common/list-contents.ts'
import {
  bystander,
  disposable,
  downloadRequest,
  exported,
  exportedState,
  stateOf,
  twoRepositories,
} from '../common/migration-state.ts'
import { unknownMigration } from '../common/unknown.ts'
import { deletionRequest, locksStayCheck } from '../locks/locks-stay.ts'
import { expectSameMetadata } from './metadata.ts'

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
const also = { failed: optional(need('failed-migration')) }
const later = metadata.with({ schedule: 'afterwards' })
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
      const answer = await sendUntil(t, downloadRequest(resolved.owner, resolved.path, wanted), isServed)
      t.expect(answer).satisfy('the archive', isServed(answer), String(answer.status))
    },
  ),
  deletion.check('status', 'returns 204 without a body for the archive of an exported migration', async (t, resolved) => {
    const { answer } = await deleted(t, resolved)
    t.expect(answer).status(204).noBody()
  }),
  archive.check('archive-gone', 'rejects a download of the archive two seconds after its deletion', async (t, resolved) => {
    const { wanted, answer } = await afterDeletion(t, resolved)
    const request = downloadRequest(resolved.owner, resolved.path, wanted)
    const { last, met } = await stays(
      t,
      'the archive to be deleted',
      () => t.send(request),
      (each) => !isServed(each),
    )
    t.expect(last, answer).satisfy('no archive', met, String(last.status))
  }),
  archive.check('others-stay', 'keeps the archives of other migrations', async (t, resolved) => {
    const { answer, other } = await afterDeletion(t, resolved)
    const [before, after] = [other?.before, other?.after]
    if (before?.status !== 302 || !after) return t.untested(`the archive of another migration is not served (${before?.status})`)
    t.expect(after, answer).satisfy('the archive of another migration', after.status < 400, String(after.status))
  }),
  deletion.check(
    'state-stays',
    'returns and lists the migration as exported after the deletion of its archive',
    'migrations.delete-archive.state',
    async (t, resolved) => {
      const { wanted } = await afterDeletion(t, resolved)
      const { state, answer } = await exportedState(t, resolved.owner, wanted)
      t.expect(answer).satisfy(`the migration ${wanted}`, state !== undefined, String(answer.status))
      const { migration, pages, cut } = await awaitListed(t, resolved.owner, wanted, 'exported')
      t.expect(answer, ...pages).satisfy(`the migration ${wanted} in the list`, cut || migration !== undefined, 'only others')
      const states = membersOf([bodyOf(answer), ...(migration ? [migration] : [])], 'state')
      t.expectAll(states, 'state').satisfy('exported', (now) => now === 'exported')
    },
  ),
  metadata.check(
    'metadata-unchanged',
    'returns the migration with the same metadata after the deletion of its archive',
    { level: 'should' },
    async (t, resolved) => {
      const { wanted, original } = await afterDeletion(t, resolved)
      const { state, answer } = await exportedState(t, resolved.owner, wanted)
      if (state === undefined) t.untested('the migration could not be read')
      const { migration } = await awaitListed(t, resolved.owner, wanted)
      expectSameMetadata(t, bodyOf(original), [bodyOf(answer), ...(migration ? [migration] : [])])
    },
  ),
  later.check(
    'again',
    'keeps a migration whose archive is deleted twice, or missing',
    { also },
    async (t, resolved, { failed }) => {
      const { wanted, original } = await afterDeletion(t, resolved)
      const others = failed ? [(await stateOf(t, resolved.owner, failed.migration_id)).answer] : []
      for (const known of [original, ...others].filter(({ ok }) => ok)) {
        const id = known === original ? wanted : Number(failed?.migration_id)
        const again = await t.send(deletionRequest(resolved.owner, id))
        expectNoServerError(t, again)
        t.observe('deletion of a missing archive', String(again.status))
        const { answer } = await stateOf(t, resolved.owner, id)
        const [before, after] = [identityOf(known.json), identityOf(answer.json)]
        t.expect(answer, known)
          .status(200)
          .satisfy(before, after === before, after)
      }
    },
  ),
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
    if (path === undefined) return id
    return isServed(await sendUntil(t, downloadRequest(owner, path, id), isServed, policies.briefly)) ? id : undefined
  })
  return wanted ?? t.untested('no exported migration has an archive')
}

function isServed({ status }: Exchange): boolean {
  return status < 400
}

/** Deletes the disposable migration's archive, once for all checks. */
function deleted(t: CheckContext, resolved: Needs) {
  return t.shared('deletion', async (shared) => {
    const { owner } = resolved
    const wanted = await withArchive(shared, resolved)
    const { answer: original } = await exportedState(shared, owner, wanted)
    const download = await otherDownload(shared, resolved, wanted)
    const before = download && (await sendUntil(shared, download, isServed))
    const answer = await shared.send(deletionRequest(owner, wanted), { tapped: true })
    const other = download && before && { before, after: await sendUntil(shared, download, isServed) }
    return { wanted, answer, original, other }
  })
}

/** The request for the archive of another migration of the same repository, which stays; undefined without such a migration. */
async function otherDownload(t: CheckContext, { owner, second, path }: Needs, wanted: number): Promise<RequestSpec | undefined> {
  if (path === undefined) return undefined
  const started = bystander(t, { owner, second })
  const other = await unlessUntested(started.then((migration) => exported(t, owner, migration)))
  return other === undefined || other === wanted ? undefined : downloadRequest(owner, path, other)
}

/** The same after a successful deletion. Ends the check otherwise, since a refusal proves nothing then. */
async function afterDeletion(t: CheckContext, resolved: Needs) {
  const deletion = await deleted(t, resolved)
  return deletion.answer.ok ? deletion : t.untested(`the deletion returned ${deletion.answer.status}`)
}

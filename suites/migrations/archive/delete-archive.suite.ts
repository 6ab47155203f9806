import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { isObject } from '../../../src/suite/located.ts'
import { configuredPath, optional } from '../../../src/suite/needs.ts'
import { expectNoServerError } from '../../common/access.ts'
import { unlessUntested } from '../../common/proof.ts'
import { accessChecks, everyone, tryEveryone } from '../common/access.ts'
import { bodyOf, membersOf } from '../common/forms.ts'
import { listedMigration } from '../common/list-contents.ts'
import { bystander, disposable, downloadRequest, exported, stateOf, twoRepositories } from '../common/migration-state.ts'
import type { RepositoryName } from '../common/start-request.ts'
import { unknownMigration } from '../common/unknown.ts'
import { locksStayCheck } from '../locks/locks-stay.ts'
import { expectSameMetadata } from '../read/metadata.ts'

const id = 'migrations.delete-archive'
const endpoint = endpoints.deleteArchive
const needs = { ...twoRepositories, path: optional(configuredPath('downloadArchive')) }

interface Needs {
  readonly owner: Caller
  readonly repository: RepositoryName
  readonly second: RepositoryName
  readonly path: string | undefined
}

export default suite({
  area: 'migrations',
  endpoint,
  checks: [
    ...accessChecks({
      id,
      needs,
      requirement: 'migrations.delete-archive.unauthenticated',
      listed401: true,
      ofOneMigration: true,
      schedule: 'alone',
      request: async (t, resolved) => {
        const wanted = await withArchive(t, resolved)
        return (as) => deletion(as, wanted)
      },
    }),
    check({
      id: `${id}.refused-without-effect`,
      requirement: 'migrations.access.no-effect',
      level: 'must',
      title: 'keeps the archive after a rejected request',
      conclusive: true,
      needs: { ...twoRepositories, ...everyone, path: configuredPath('downloadArchive') },
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => {
        const wanted = await withArchive(t, resolved)
        await tryEveryone(t, (as) => deletion(as, wanted), resolved, { withOutsider: true })
        const answer = await t.send(downloadRequest(resolved.owner, resolved.path, wanted))
        if (answer.status >= 400) t.deviation({ expected: 'the archive', actual: String(answer.status), exchanges: [answer] })
        t.examined(1)
      },
    }),
    check({
      id: `${id}.status`,
      requirement: 'migrations.delete-archive.status',
      level: 'must',
      title: 'returns 204 for the archive of an exported migration',
      needs,
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => void t.expect((await deleted(t, resolved)).answer).status(204),
    }),
    check({
      id: `${id}.empty`,
      requirement: 'migrations.delete-archive.status',
      level: 'must',
      title: 'sends no response body',
      needs,
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => {
        const { answer } = await deleted(t, resolved)
        if (answer.status !== 204) t.untested(`the response was ${answer.status}`)
        t.expect(answer).noBody()
      },
    }),
    check({
      id: `${id}.archive-gone`,
      requirement: 'migrations.delete-archive.archive',
      level: 'must',
      title: 'rejects a download of the archive after its deletion',
      needs: { ...twoRepositories, path: configuredPath('downloadArchive') },
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => {
        const { wanted, answer } = await afterDeletion(t, resolved)
        const download = await t.send(downloadRequest(resolved.owner, resolved.path, wanted))
        if (download.status < 400)
          t.deviation({ expected: 'no archive', actual: String(download.status), exchanges: [answer, download] })
        t.examined(1)
      },
    }),
    check({
      id: `${id}.others-stay`,
      requirement: 'migrations.delete-archive.archive',
      level: 'must',
      title: 'keeps the archives of other migrations',
      needs: { ...twoRepositories, path: configuredPath('downloadArchive') },
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => {
        const { answer, other } = await afterDeletion(t, resolved)
        const [before, after] = [other?.before, other?.after]
        if (before?.status !== 302 || !after)
          return t.untested(`the archive of another migration is not served (${before?.status})`)
        if (after.status >= 400)
          t.deviation({ expected: 'the archive of another migration', actual: String(after.status), exchanges: [answer, after] })
        t.examined(1)
      },
    }),
    check({
      id: `${id}.lasts`,
      requirement: 'migrations.delete-archive.archive',
      level: 'must',
      title: 'keeps the archive deleted: a download two seconds later is rejected',
      needs: { ...twoRepositories, path: configuredPath('downloadArchive') },
      writes: true,
      schedule: 'afterwards',
      run: async (t, resolved) => deletionLasts(t, resolved),
    }),
    check({
      id: `${id}.migration-stays`,
      requirement: 'migrations.delete-archive.metadata',
      level: 'must',
      title: 'returns the migration after the deletion of its archive',
      needs,
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => {
        const { wanted } = await afterDeletion(t, resolved)
        t.expect((await stateOf(t, resolved.owner, wanted)).answer).status(200)
      },
    }),
    check({
      id: `${id}.migration-listed`,
      requirement: 'migrations.delete-archive.metadata',
      level: 'must',
      title: 'lists the migration after the deletion of its archive',
      needs,
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => {
        const { wanted } = await afterDeletion(t, resolved)
        const { items, pages } = await listOf(t, resolved.owner)
        const found = items.some(({ value }) => isObject(value) && value.id === wanted)
        if (!found)
          t.deviation({ expected: `the migration ${wanted}`, actual: `${items.length} other migrations`, exchanges: pages })
        t.examined(1)
      },
    }),
    check({
      id: `${id}.state-stays`,
      requirement: 'migrations.delete-archive.state',
      level: 'must',
      title: 'keeps the state of the migration after the deletion of its archive',
      needs,
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => {
        const { wanted, before } = await afterDeletion(t, resolved)
        const { state, answer } = await stateOf(t, resolved.owner, wanted)
        if (state === undefined) t.untested('the migration could not be read')
        const { found } = await listedMigration(t, resolved.owner, wanted)
        const states = membersOf([bodyOf(answer), ...(found ? [found] : [])], 'state')
        t.expectAll(states, 'state').satisfy(before, (now) => now === before)
      },
    }),
    check({
      id: `${id}.metadata-unchanged`,
      requirement: 'migrations.delete-archive.metadata',
      level: 'should',
      title: 'returns the migration with the same metadata after the deletion of its archive',
      needs,
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => {
        const { wanted, shown } = await afterDeletion(t, resolved)
        expectSameMetadata(t, shown, (await stateOf(t, resolved.owner, wanted)).answer)
      },
    }),
    check({
      id: `${id}.again`,
      requirement: 'migrations.delete-archive.metadata',
      level: 'must',
      title: 'keeps the migration when its archive is deleted twice',
      needs,
      writes: true,
      schedule: 'alone',
      run: async (t, resolved) => {
        const { wanted } = await afterDeletion(t, resolved)
        const again = await t.send(deletion(resolved.owner, wanted))
        expectNoServerError(t, again)
        t.observe('deletion of a missing archive', String(again.status))
        t.expect((await stateOf(t, resolved.owner, wanted)).answer).status(200)
      },
    }),
    locksStayCheck(id),
    unknownMigration({
      id,
      requirement: 'migrations.delete-archive.unknown',
      needs,
      request: deletion,
      served: async (t, resolved) => (await deleted(t, resolved)).answer.ok,
      schedule: 'alone',
    }),
  ],
})

function deletion(as: Caller, migration: number): RequestSpec {
  return { endpoint, params: { migration_id: migration }, as }
}

/** As many archives may get lost to requests that should have been refused. */
const mostDisposable = 8

/** A disposable migration whose archive is there, as far as a download can tell. */
async function withArchive(t: CheckContext, { owner, second, path }: Needs): Promise<number> {
  for (let number = 1; number <= mostDisposable; number += 1) {
    const wanted = await exported(t, owner, await disposable(t, { owner, second }, number))
    if (path === undefined) return wanted
    const { status } = await t.send(downloadRequest(owner, path, wanted))
    if (status < 400) return wanted
  }
  return t.untested('no exported migration has an archive')
}

/** Deletes the disposable migration's archive, once for all checks. */
function deleted(t: CheckContext, resolved: Needs) {
  return t.shared('deletion', async (shared) => {
    const { owner } = resolved
    const wanted = await withArchive(shared, resolved)
    const { state, answer: shown } = await stateOf(shared, owner, wanted)
    const bystander = await otherDownload(shared, resolved, wanted)
    const before = bystander && (await shared.send(bystander))
    const answer = await shared.send(deletion(owner, wanted), { tapped: true })
    const other = bystander && before && { before, after: await shared.send(bystander) }
    return { wanted, answer, shown, before: state ?? 'exported', other }
  })
}

/** The request for the archive of a migration of the same repository, which is not deleted; undefined where there is none. */
async function otherDownload(t: CheckContext, { owner, second, path }: Needs, wanted: number): Promise<RequestSpec | undefined> {
  if (path === undefined) return undefined
  const made = bystander(t, { owner, second })
  const other = await unlessUntested(made.then((started) => exported(t, owner, started)))
  return other === undefined || other === wanted ? undefined : downloadRequest(owner, path, other)
}

/** The same where the archive was deleted; ends the check where it was not, since nothing follows from a refusal then. */
async function afterDeletion(t: CheckContext, resolved: Needs) {
  const done = await deleted(t, resolved)
  return done.answer.ok ? done : t.untested(`the deletion returned ${done.answer.status}`)
}

/** Seconds after which the archive is asked for again. */
const lasting = 2

async function deletionLasts(t: CheckContext, resolved: Needs & { readonly path: string }): Promise<void> {
  const { wanted, answer } = await afterDeletion(t, resolved)
  await t.wait(lasting, 'an effect that must last')
  const download = await t.send(downloadRequest(resolved.owner, resolved.path, wanted))
  if (download.status < 400) {
    const actual = `${download.status} two seconds later`
    t.deviation({ expected: 'no archive', actual, exchanges: [answer, download] })
  }
  t.examined(1)
}

function listOf(t: CheckContext, owner: Caller) {
  return new Listing(t, { endpoint: endpoints.listMigrations, as: owner }).walk({ fresh: true })
}

import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { Check, Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { configuredPath, optional, type Resolved } from '../../../src/suite/needs.ts'
import { eventually, everyTime, moment, sendUntil } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { delivery, exported, exportedState, idOf, plain, progress, type twoRepositories } from './migration-state.ts'
import { type RepositoryName, type Started, setTo, startMigration } from './start-request.ts'

type Two = Resolved<typeof twoRepositories>

/** A migration that still locks the first repository, and the response to unlocking the second one. */
export type Guarded = { readonly started: Started; readonly control: Exchange | undefined }

/** The request that unlocks a repository. The path contains its name without the owner (readings E18). */
export function unlockRequest(as: Caller, id: number, repo: string): RequestSpec {
  return { endpoint: endpoints.unlockRepository, params: { migration_id: id, repo_name: repo }, as }
}

/** A second locked migration, for the requests of tokens that must be rejected. */
export function guarded(t: CheckContext, two: Two): Promise<Guarded> {
  return t.shared('locked migration for refusals', async (shared) => {
    // A repository that is locked already may be refused to a further migration.
    await unlessUntested(unlocking(shared, two))
    return guardedAnew(shared, two, 'exclude_attachments', 'exclude_metadata')
  })
}

/** Unlocks the second repository of a migration that has only just locked it: the control. */
export async function guardedAnew(t: CheckContext, two: Two, ...flags: readonly string[]): Promise<Guarded> {
  const started = await startLocked(t, two, flags)
  const { id } = started
  return { started, control: id === undefined ? undefined : await unlockOnceLocked(t, two.owner, id, two.second.repo) }
}

/**
 * Starts a further migration that locks both repositories, or others. `flags` make it different: an equal migration that runs may be
 * returned again.
 */
async function startLocked(
  t: CheckContext,
  { owner, repository, second }: Two,
  flags: readonly string[] = [],
  repositories: readonly RepositoryName[] = [repository, second],
): Promise<Started> {
  // The path of an unlock contains the name without the owner.
  if (new Set(repositories.map(({ repo }) => repo.toLowerCase())).size < repositories.length)
    t.untested('both repositories have one name, so a request cannot say which of them to unlock', 'second-repository')
  const started = await startMigration(t, owner, repositories, setTo(true, ['lock_repositories', ...flags]))
  const { id } = started
  if (id === undefined) return started
  for (const { repo } of started.repositories) {
    t.cleanUp(`the lock of ${repo} by the migration ${id}`, () => t.send(unlockRequest(owner, id, repo)))
  }
  return started
}

/** The response to unlocking, once the lock exists: locking may come later than the 201 (readings E17). */
async function unlockOnceLocked(t: CheckContext, owner: Caller, id: number, repo: string): Promise<Exchange> {
  const request = unlockRequest(owner, id, repo)
  const isLocked = ({ status }: Exchange) => status !== 404
  return (await eventually(t, 'the repository to be locked', () => t.send(request, { tapped: true }), isLocked)).last
}

/** A migration that has locked two repositories, and the responses to unlocking one of them, once more, and then the other one. */
export interface Unlocking {
  readonly started: Started
  readonly first: Exchange
  readonly again: Exchange
  readonly other: Exchange
}

/**
 * Unlocks the repositories of a locked migration, once for all checks. A lock may be the repository's own, which other
 * migrations of the run set and remove meanwhile: an unusual response is judged again with a new migration that locks them.
 */
export async function unlocking(t: CheckContext, two: Two): Promise<Unlocking> {
  return t.shared('unlocking', async (shared) => {
    const seen = await unlockEach(shared, two, await startLocked(shared, two))
    if (seen.first.status === 204 && seen.again.status === 404 && seen.other.status === 204) return seen
    const anew = await startLocked(shared, two, ['exclude_attachments', 'exclude_releases'])
    return anew.id === undefined ? seen : unlockEach(shared, two, anew)
  })
}

/** Reads migrations and repositories and starts a migration between: that unlocks none (document: States and transitions). */
async function unlockEach(t: CheckContext, { owner, repository, second }: Two, started: Started): Promise<Unlocking> {
  const id = idOf(t, started)
  const first = await unlockOnceLocked(t, owner, id, repository.repo)
  await sendUntil(t, unlockRequest(owner, id, repository.repo), ({ status }) => status === 404)
  const again = await t.send(unlockRequest(owner, id, repository.repo))
  const params = { migration_id: id }
  await t.send({ endpoint: endpoints.listMigrations, as: owner })
  await t.send({ endpoint: endpoints.listMigrationRepositories, params, as: owner })
  await t.send({ endpoint: endpoints.getMigration, params, query: { exclude: ['repositories'] }, as: owner })
  await startMigration(t, owner, [second], { exclude_git_data: true, exclude_owner_projects: true })
  return { started, first, again, other: await t.send(unlockRequest(owner, id, second.repo)) }
}

/** The archive is downloaded if its path is configured. */
const also = { path: optional(configuredPath('downloadArchive')) }

/** Only unlocking ends a lock, so the deletion of the archive keeps it (document: States and transitions). */
export function locksStayCheck(deletion: Operation<typeof twoRepositories>): Check {
  return deletion.check(
    'locks-stay',
    'keeps the locks of the migration after the deletion of its archive',
    { requirement: 'migrations.delete-archive.locks', level: 'should', also },
    expectLockAfterDeletion,
  )
}

async function expectLockAfterDeletion(t: CheckContext, two: Two, { path }: Resolved<typeof also>): Promise<void> {
  const known = await unlessUntested(aroundExport(t, two, path))
  if (known) await exported(t, two.owner, known.started)
  // A lock that outlasted both proves it. For a missing lock, only a migration of its own identifies the cause.
  if (known?.deletion?.ok && known.late.ok && !known.later.ok) return void t.expect(known.late).status(204)
  const { owner, repository, second } = two
  const migration = await exported(t, owner, await startLocked(t, two, ['exclude_releases']))
  const control = await t.send(unlockRequest(owner, migration, second.repo))
  if (!control.ok) t.untested(`the owner could not unlock the other repository (${control.status})`)
  const again = await t.send(unlockRequest(owner, migration, second.repo))
  if (again.ok) t.untested(`unlocking it again returned ${again.status}, so the status does not depend on a lock`)
  const deletion = await sendUntil(t, deletionRequest(owner, migration))
  t.expect(deletion).satisfy('a deletion beside a lock', deletion.ok, String(deletion.status))
  t.expect(await t.send(unlockRequest(owner, migration, repository.repo))).status(204)
}

/** Each repository has a lock. The end of the export neither unlocks a repository nor locks an unlocked one again. */
export function lockChecks(unlock: Operation<typeof twoRepositories>): Check[] {
  return [
    unlock.check('one-at-a-time', 'keeps a separate lock for each repository', 'migrations.start.locks', async (t, two) => {
      const { first, again, other } = await unlocking(t, two)
      if (!first.ok) t.untested(`unlocking the first repository returned ${first.status}`)
      if (again.ok) t.untested(`unlocking it again returned ${again.status}, so the status does not depend on a lock`)
      t.expect(other, first).satisfy('a lock on the second repository', other.status < 300, String(other.status))
      const lost = await everyTime(t, () => lostLocks(t, two))
      if (lost) t.deviation({ expected: 'each lock', actual: '404', exchanges: lost })
    }),
    unlock.check(
      'after-export',
      'keeps locks and the state after the export, and delivers the archive meanwhile',
      { requirement: 'migrations.unlock.status', level: 'should', also },
      async (t, two, { path }) => {
        const { started, late, download } = await aroundExport(t, two, path)
        const { state } = await exportedState(t, two.owner, await exported(t, two.owner, started))
        if (!late.ok || state !== 'exported' || (download?.status ?? 0) >= 400) await expectKeptByExport(t, two, path)
        t.examined(1)
      },
    ),
    unlock.check(
      'lasts',
      'keeps the repository unlocked: two seconds later it is not locked again',
      { requirement: 'migrations.unlock.not-locked', also },
      async (t, two, { path }) => {
        const { again } = await unlocking(t, two)
        if (again.status !== 404) t.untested(`unlocking a second time returned ${again.status}`)
        const { early, later } = await aroundExport(t, two, path)
        t.expect(later, early).satisfy('404, as the repository was unlocked before', !later.ok, String(later.status))
      },
    ),
  ]
}

/** Unlocks a repository that a migration locks alone, and an unknown one. Other migrations keep their locks of other repositories. */
async function lostLocks(t: CheckContext, two: Two): Promise<Exchange[] | undefined> {
  const { owner, repository, second } = two
  const { started, control } = await guardedAnew(t, two, 'exclude_owner_projects')
  const single = await startLocked(t, two, ['exclude_owner_projects'], [second])
  if (!control?.ok || single.id === undefined) return undefined
  const alone = await unlockOnceLocked(t, owner, single.id, second.repo)
  const id = idOf(t, started)
  await t.send(unlockRequest(owner, id, t.unused('absent-')))
  const lost = [alone, await t.send(unlockRequest(owner, id, repository.repo))].filter(({ status }) => status === 404)
  return lost.length > 0 ? lost : undefined
}

/** A lock outlasts the export of a migration whose archive is not deleted, and its archive is delivered like that of an earlier one. */
async function expectKeptByExport(t: CheckContext, two: Two, path: string | undefined): Promise<void> {
  const { started, control: early } = await guardedAnew(t, two, 'exclude_releases', 'exclude_owner_projects')
  if (!early?.ok) return t.untested(`the owner could not unlock the other repository (${early?.status})`)
  const id = await exported(t, two.owner, started)
  const download = async (of: typeof started) => path && (await delivery(t, { owner: two.owner, path }, of)).redirect
  const delivered = await download(started)
  const late = await t.send(unlockRequest(two.owner, id, two.repository.repo))
  if (!late.ok) t.deviation({ expected: 'a lock after the export', actual: String(late.status), exchanges: [early, late] })
  const { state, response } = await exportedState(t, two.owner, id)
  t.expect(response, late).satisfy('exported', state === 'exported', state ?? String(response.status))
  const control = delivered && (await download(await plain(t, two)))
  if (delivered && control && control.status === 302) t.expect(delivered, control).status(302)
}

/** Unlocks one repository before the export, and both after it and the deletion of the archive. */
async function aroundExport(t: CheckContext, two: Two, path?: string) {
  const { owner, repository, second } = two
  const { other } = await unlocking(t, two)
  if (!other.ok) t.untested('a lock may have been removed together with another one')
  return t.shared('locks around an export', async (shared) => {
    const flags = ['exclude_releases', 'exclude_git_data', 'exclude_attachments']
    const { started, control: early } = await guardedAnew(shared, two, ...flags)
    const id = Number(started.id)
    if (!early?.ok) return shared.untested(`the owner could not unlock the other repository (${early?.status})`)
    await sendUntil(shared, unlockRequest(owner, id, second.repo), ({ status }) => status === 404)
    const { ended } = await progress(shared, owner, id)
    const download = path && ended === 'exported' ? (await delivery(shared, { owner, path }, started)).redirect : undefined
    const deletion = ended === 'exported' ? await shared.send(deletionRequest(owner, id)) : undefined
    const late = await shared.send(unlockRequest(owner, id, repository.repo))
    await moment(shared, 'an effect that must last')
    const later = await shared.send(unlockRequest(owner, id, second.repo))
    // Where a lock is the repository's own, other checks may have changed it during the export: this is judged again after them.
    if (!late.ok || later.ok) await shared.settle('the locks of other checks')
    return { started, early, download, deletion, late, later }
  })
}

export function deletionRequest(as: Caller, migration: number): RequestSpec {
  return { endpoint: endpoints.deleteArchive, params: { migration_id: migration }, as }
}

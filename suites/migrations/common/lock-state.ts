import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import { sendUntil, soon } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { idOf, type twoRepositories } from './migration-state.ts'
import { type Flags, type Started, startMigration } from './start-request.ts'

type TwoRepositories = Resolved<typeof twoRepositories>

/** A migration that still locks the first repository, and the response to unlocking the second one. */
export interface Guarded {
  readonly started: Started
  readonly control: Exchange | undefined
}

/** The request that unlocks a repository. The path contains its name without the owner (readings E18). */
export function unlockRequest(as: Caller, id: number, repo: string): RequestSpec {
  return { endpoint: endpoints.unlockRepository, params: { migration_id: id, repo_name: repo }, as }
}

/** The migration that locks both repositories. */
export function locked(t: CheckContext, two: TwoRepositories): Promise<Started> {
  return t.shared('migration with lock_repositories', (shared) => startLocked(shared, two))
}

/** A second locked migration, for the requests of tokens that must be rejected. */
export function guarded(t: CheckContext, two: TwoRepositories): Promise<Guarded> {
  return t.shared('locked migration for refusals', async (shared) => {
    // A repository that is locked already may be refused to a further migration.
    await unlessUntested(unlocking(shared, two))
    return guardedAnew(shared, two, { exclude_attachments: true, exclude_metadata: true })
  })
}

/** Unlocks the second repository of a migration that has only just locked it: the control. */
export async function guardedAnew(t: CheckContext, two: TwoRepositories, flags: Flags): Promise<Guarded> {
  const started = await startLocked(t, two, flags)
  const { id } = started
  return { started, control: id === undefined ? undefined : await unlockOnceLocked(t, two.owner, id, two.second.repo) }
}

/**
 * Starts a further migration that locks both repositories. `flags` make it different: an equal migration that runs may be
 * returned again.
 */
export async function startLocked(
  t: CheckContext,
  { owner, repository, second }: TwoRepositories,
  flags: Flags = {},
): Promise<Started> {
  const started = await startMigration(t, owner, [repository, second], { lock_repositories: true, ...flags })
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
  return (await soon(t, `the migration ${id} to lock ${repo}`, () => t.send(request, { tapped: true }), isLocked)).last
}

/** The responses to unlocking one of two locked repositories, once more when it is unlocked, and then the other one. */
export interface Unlocking {
  readonly first: Exchange
  readonly again: Exchange
  readonly other: Exchange
}

/**
 * Unlocks the repositories of the locked migration, once for all checks. A lock may be the repository's own, which other
 * migrations of the run set and remove meanwhile: anything unusual is looked at again with a migration that locks them anew.
 */
export async function unlocking(t: CheckContext, two: TwoRepositories): Promise<Unlocking> {
  const id = idOf(t, await locked(t, two))
  return t.shared('unlocking', async (shared) => {
    const seen = await unlockEach(shared, two, id)
    if (seen.first.status === 204 && seen.again.status === 404 && seen.other.status === 204) return seen
    const anew = await startLocked(shared, two, { exclude_attachments: true, exclude_releases: true })
    return anew.id === undefined ? seen : unlockEach(shared, two, anew.id)
  })
}

/** Reads migrations and repositories and starts a migration between: that unlocks none (document: States and transitions). */
async function unlockEach(t: CheckContext, { owner, repository, second }: TwoRepositories, id: number): Promise<Unlocking> {
  const first = await unlockOnceLocked(t, owner, id, repository.repo)
  await sendUntil(t, unlockRequest(owner, id, repository.repo), ({ status }) => status === 404)
  const again = await t.send(unlockRequest(owner, id, repository.repo))
  const params = { migration_id: id }
  await t.send({ endpoint: endpoints.listMigrations, as: owner })
  await t.send({ endpoint: endpoints.listMigrationRepositories, params, as: owner })
  await t.send({ endpoint: endpoints.getMigration, params, query: { exclude: ['repositories'] }, as: owner })
  await startMigration(t, owner, [second], { exclude_git_data: true, exclude_owner_projects: true })
  return { first, again, other: await t.send(unlockRequest(owner, id, second.repo)) }
}

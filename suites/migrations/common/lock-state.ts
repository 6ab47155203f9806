import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import { eventually, sendUntil } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import {
  type Flags,
  type RepositoryName,
  type Started,
  setTo,
  startMigration,
} from './start-request.ts'
import {
  idOf,
  type MigrationNeeds,
  ofTwo,
  repositoriesOf,
  type twoRepositories,
} from './started-migrations.ts'

export type Two = Resolved<typeof twoRepositories>

/** A migration that still locks its repositories but one, and the response to unlocking that one: the control. */
export type Guarded = { readonly started: Started; readonly control: Exchange | undefined }

/** The request that unlocks a repository. The path contains its name without the owner (readings E18). */
export function unlockRequest(as: Caller, id: number, repo: string): RequestSpec {
  return { endpoint: endpoints.unlockRepository, params: { migration_id: id, repo_name: repo }, as }
}

/** A name that is in no migration. */
export const unknownRepository = 'service-conformance-no-such-repository'

/** The flags of the migrations that lock repositories. Each exclusion is beside a lock in one of the first two. */
export const besideLocks = {
  refusals: ['exclude_attachments', 'exclude_metadata', 'exclude_owner_projects'],
  export: ['exclude_releases', 'exclude_git_data', 'exclude_attachments'],
  separate: ['exclude_owner_projects'],
} as const

/** A second locked migration, for the requests of tokens that must be rejected. */
export function guarded(t: CheckContext, two: Two): Promise<Guarded> {
  return t.shared('locked migration for refusals', async (shared) => {
    // A repository that is locked already may be refused to a further migration.
    await unlessUntested(unlocking(shared, two))
    return guardedAnew(shared, two, ...besideLocks.refusals)
  })
}

/** Unlocks the second repository of a migration that has only just locked it: the control. */
export async function guardedAnew(
  t: CheckContext,
  two: Two,
  ...flags: readonly string[]
): Promise<Guarded> {
  const started = await startLocked(t, two, flags)
  return {
    started,
    control:
      started.id === undefined ? undefined : await firstUnlock(t, two.owner, started, two.second),
  }
}

/**
 * Starts a further migration that locks repositories. `flags` make it different: an equal migration that runs may be returned
 * again.
 */
export async function startLocked(
  t: CheckContext,
  two: Two,
  flags: readonly string[] = [],
  repositories: readonly RepositoryName[] = repositoriesOf(two),
  further: Flags = {},
): Promise<Started> {
  const { owner } = two
  // The path of an unlock contains the name without the owner.
  if (new Set(repositories.map(({ repo }) => repo.toLowerCase())).size < repositories.length)
    t.untested(
      'two repositories have one name, so a request cannot say which of them to unlock',
      'second-repository',
    )
  const started = await startMigration(t, owner, repositories, {
    ...setTo(true, ['lock_repositories', ...flags]),
    ...further,
  })
  const { id } = started
  if (id === undefined) return started
  for (const { repo } of repositories)
    t.cleanUp(`the lock of ${repo} by the migration ${id}`, () =>
      t.send(unlockRequest(owner, id, repo)),
    )
  return started
}

/** The response to unlocking, once the lock exists: locking may come later than the 201 (readings E17). */
export async function firstUnlock(
  t: CheckContext,
  owner: Caller,
  started: Started,
  { repo }: RepositoryName,
) {
  const request = unlockRequest(owner, idOf(t, started), repo)
  const isLocked = ({ status }: Exchange) => status !== 404
  return (
    await eventually(
      t,
      'the repository to be locked',
      () => t.send(request, { tapped: true }),
      isLocked,
    )
  ).last
}

/**
 * A lock that is there is removed with 204. Another program may have removed one, where locks belong to the repository, but hardly
 * half of several.
 */
export async function expectUnlocked(t: CheckContext, two: Two) {
  const { first, firsts, started: known } = await unlocking(t, two)
  t.expect(first).status(204).noBody()
  const all = [...firsts]
  const names = repositoriesOf(two)
  for (const turn of first === firsts[0] ? [] : [1, 2]) {
    // Another order makes another migration of the same wish.
    const anew = await startLocked(t, two, [], [...names.slice(turn), ...names.slice(0, turn)])
    if (anew.id === undefined || anew.id === known.id) continue
    all.push(await firstUnlock(t, two.owner, anew, two.repository))
    await unlockIn(t, two.owner, anew.id, names)
  }
  const missed = all.filter(({ status }) => status === 404)
  t.expect(first, ...missed).satisfy(
    '204 for each lock',
    2 * missed.length < all.length,
    `404 for ${missed.length} of ${all.length}`,
  )
}

/** A migration that has locked its repositories, and the responses to unlocking the first one, once more, and then the others. */
export interface Unlocking {
  readonly started: Started
  readonly first: Exchange
  readonly again: Exchange
  /** The migration between the unlocks. */
  readonly state: Exchange
  readonly others: readonly Exchange[]
  /** The response to the first unlock of each migration that was tried. */
  readonly firsts: readonly Exchange[]
}

/** True if each further repository was still locked. */
const areSeparate = ({ others }: Unlocking) => others.every(({ status }) => status === 204)

/** Ends the check as untested where the lock of one repository may have been removed with that of another. */
export async function requireSeparate(t: CheckContext, two: Two) {
  if (!areSeparate(await unlocking(t, two)))
    t.untested('a lock may have been removed together with another one')
}

/**
 * Unlocks the repositories of a locked migration, once for all checks. A lock may be the repository's own, which other
 * migrations of the run set and remove meanwhile: an unusual response is judged again with a new migration that locks them.
 */
export async function unlocking(t: CheckContext, two: Two): Promise<Unlocking> {
  return t.shared('unlocking', async (shared) => {
    const seen = await unlockEach(shared, two, await startLocked(shared, two))
    if (seen.first.status === 204 && seen.again.status === 404 && areSeparate(seen)) return seen
    const anew = await startLocked(shared, two, ['exclude_attachments', 'exclude_releases'])
    if (anew.id === undefined) return seen
    const further = await unlockEach(shared, two, anew)
    return { ...further, firsts: [seen.first, further.first] }
  })
}

/** The migrations of several repositories: one as it is, and one that has unlocked its repositories. Empty without a second repository. */
export async function migrationsOfTwo(
  t: CheckContext,
  resolved: MigrationNeeds,
  second: Two['second'] | undefined,
) {
  if (!second) return []
  const two = { ...resolved, second }
  const unlocked = await unlessUntested(unlocking(t, two))
  return [await ofTwo(t, two), ...(unlocked ? [unlocked.started] : [])]
}

/** Reads migrations and repositories and starts a migration between: that unlocks none (document: States and transitions). */
async function unlockEach(t: CheckContext, two: Two, started: Started) {
  const { owner, repository, second } = two
  const id = idOf(t, started)
  const first = await firstUnlock(t, owner, started, repository)
  const request = unlockRequest(owner, id, repository.repo)
  await sendUntil(t, request, ({ status }) => status === 404)
  const again = await t.send(request)
  const params = { migration_id: id }
  await t.send({ endpoint: endpoints.listMigrations, as: owner })
  await t.send({ endpoint: endpoints.listMigrationRepositories, params, as: owner })
  const state = await sendUntil(t, {
    endpoint: endpoints.getMigration,
    params,
    query: { exclude: ['repositories'] },
    as: owner,
  })
  await startMigration(t, owner, [second], { exclude_git_data: true, exclude_owner_projects: true })
  const others = await unlockIn(t, owner, id, repositoriesOf(two).slice(1))
  return { started, first, again, state, others, firsts: [first] }
}

/** The repositories of a migration but one. */
export const otherThan = (one: RepositoryName, two: Two) =>
  repositoriesOf(two).filter((each) => each !== one)

/** Unlocks repositories of a migration one after the other. */
export async function unlockIn(
  t: CheckContext,
  owner: Caller,
  id: number,
  repositories: readonly RepositoryName[],
) {
  const responses: Exchange[] = []
  for (const { repo } of repositories) responses.push(await t.send(unlockRequest(owner, id, repo)))
  return responses
}

import type { Caller } from '../../src/http/exchange/caller.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Located } from '../../src/suite/located.ts'
import type { Needing, NeedMap, Resolved } from '../../src/suite/needs.ts'
import { unlessUntested } from '../common/proof.ts'
import { isBy, isPrivate, sameName } from './feed.ts'
import { nameOf, type RepositoryName, repositoryEvents } from './known-events.ts'

/** The private events that belong to a feed, as their owner knows them. Without any, an empty result proves nothing (readings C10). */
export interface KnownPrivate<Needs extends NeedMap> {
  /** The repository whose private events belong to the feed; undefined where none is known. */
  readonly repository: (t: CheckContext, needs: Resolved<Needs>) => Promise<RepositoryName | undefined>
  /** True for an event of that repository that belongs to the feed. */
  readonly belongs?: (event: unknown, needs: Resolved<Needs>) => boolean
}

type OfUser = { username: Needing<string> }

/** The configured private repository: its events belong to every feed that has no narrower scope. */
async function privateRepository(t: CheckContext): Promise<RepositoryName | undefined> {
  return unlessUntested(t.ask('private-repository', {}))
}

export const anyPrivate: KnownPrivate<NeedMap> = { repository: privateRepository }

export const privateOfOrganization: KnownPrivate<{ organization: Needing<{ org: string }> }> = {
  repository: async (t, { organization: { org } }) => {
    const repository = await privateRepository(t)
    return repository && sameName(repository.owner, org) ? repository : undefined
  },
}

export const privateByUser: KnownPrivate<OfUser> = {
  repository: privateRepository,
  belongs: (event, { username }) => isBy(event, username),
}

export const privateReceived: KnownPrivate<OfUser> = {
  repository: async (t) => {
    const received = await unlessUntested(t.ask('received-events', { private: true }))
    return received && nameOf(received.watchedRepository)
  },
  belongs: (event, { username }) => isPrivate(event) && !isBy(event, username),
}

/** The private events of the feed, as far as the owner's token is configured and a repository is known. */
export async function knownPrivate<Needs extends NeedMap>(
  t: CheckContext,
  { repository, belongs = () => true }: KnownPrivate<Needs>,
  needs: Resolved<Needs>,
  owner: Caller | undefined,
): Promise<readonly Located[]> {
  const place = owner && (await repository(t, needs))
  if (!place) return []
  const events = await unlessUntested(repositoryEvents(t, place, owner))
  return (events ?? []).filter(({ value }) => belongs(value, needs))
}

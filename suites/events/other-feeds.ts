import type { Caller } from '../../src/http/exchange/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Listing } from '../../src/suite/listing.ts'
import type { Located } from '../../src/suite/located.ts'
import { loginIn, repositoryName, sameName } from './feed.ts'
import { isOf, nameOf, type RepositoryName, repositoryEvents } from './known-events.ts'

type Known = Promise<readonly Located[]>

/** The events that a repository's own feed shows under its present name: an earlier owner's feeds may keep the others. */
async function underItsName(t: CheckContext, place: RepositoryName, as: Caller): Known {
  return (await repositoryEvents(t, place, as)).filter(({ value }) => isOf(value, place))
}

/** The events of a repository's own feed, which its network shows as well. */
export function ofSameRepository(t: CheckContext, { repository, reader }: { repository: RepositoryName; reader: Caller }): Known {
  return underItsName(t, repository, reader)
}

/** The events of the public repository. */
export async function ofPublicRepository(t: CheckContext, { reader }: { reader: Caller }): Known {
  return underItsName(t, await t.ask('public-repository', {}), reader)
}

/** The events of the public repository, where it belongs to the organisation, else what the reader did in those that do. */
export async function ofOrganization(
  t: CheckContext,
  { organization: { org }, reader }: { organization: { org: string }; reader: Caller },
): Known {
  const place = await t.ask('public-repository', {})
  if (sameName(place.owner, org)) return underItsName(t, place, reader)
  const username =
    reader.login ?? t.untested('the public repository belongs to somebody else, and nothing says who the reader is')
  const events = await publicOfUser(t, { username, reader })
  return events.filter(({ value }) => sameName(nameOf(repositoryName(value)).owner, org))
}

/** The events of a repository that the feed of its owner shows, be that an organisation or a user. */
export async function ofRepositoryOwner(
  t: CheckContext,
  { repository, reader: as }: { repository: RepositoryName; reader: Caller },
): Known {
  const params = { org: repository.owner }
  const { ok } = await t.read({ endpoint: endpoints.organizationEvents, params, as })
  const list = new Listing(t, { endpoint: endpoints.organizationEvents, params, as })
  const events = ok ? (await list.walk()).items : await publicOfUser(t, { username: repository.owner, reader: as })
  return events.filter(({ value }) => isOf(value, repository))
}

/** What the user did in public. */
export async function publicOfUser(t: CheckContext, { username, reader: as }: { username: string; reader: Caller }): Known {
  return (await new Listing(t, { endpoint: endpoints.userPublicEvents, params: { username }, as }).walk()).items
}

/** What the user did in the public repository. */
export async function byUser(t: CheckContext, { username, reader }: { username: string; reader: Caller }): Known {
  const events = await underItsName(t, await t.ask('public-repository', {}), reader)
  return events.filter(({ value }) => sameName(loginIn(value, 'actor'), username))
}

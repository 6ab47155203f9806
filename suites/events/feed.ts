import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { Endpoint, Paging } from '../../src/spec/endpoints.ts'
import type { Operation } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type ListAddress, Listing } from '../../src/suite/listing.ts'
import { distinctItems, isObject, type JsonObject, type Located } from '../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../src/suite/needs.ts'
import { show } from '../../src/text/format.ts'
import type { PolledList } from '../common/polling.ts'
import { unlessUntested } from '../common/proof.ts'
import { type RepositoryKind, repositoryOf } from '../common/repositories.ts'

/** A concrete feed and its reader. */
export type FeedAddress = Omit<ListAddress, 'endpoint'>

/** How one of the nine event feeds is addressed. */
export interface FeedPlace<Needs extends NeedMap> {
  readonly endpoint: Endpoint & { readonly path: string; readonly paging: Paging }
  /** True if only the usual reader may read the feed. */
  readonly ownerOnly?: boolean
  /** Needs that name further feeds of the endpoint. */
  readonly further?: PolledList<Needs>['further']
  /** Further kinds of repositories with such a feed. */
  readonly kinds?: readonly RepositoryKind[]
  /** The feed as its usual reader reads it. */
  readonly at: (needs: Resolved<Needs>) => FeedAddress
}

/** One of the nine event feeds. Its operation defines its checks. */
export interface Feed<Needs extends NeedMap>
  extends Omit<Operation<Needs>, 'endpoint'>,
    FeedPlace<Needs> {}

/** Opens a feed for reading, as another caller where one is named. */
export function open<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  needs: Resolved<Needs>,
  as?: Caller,
): Listing {
  return openAt(t, feed, feed.at(needs), as)
}

/** Opens a feed at an address. */
export function openAt<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  address: FeedAddress,
  as?: Caller,
): Listing {
  return new Listing(t, {
    ...address,
    endpoint: feed.endpoint,
    ...(as === undefined ? {} : { as }),
  })
}

/** The addresses of the feeds of further kinds of repositories. */
export async function furtherAddresses<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  needs: Resolved<Needs>,
) {
  const found: FeedAddress[] = []
  for (const kind of feed.kinds ?? []) {
    const place = await repositoryOf(t, kind)
    if (!place) continue
    const { owner, repo, ...reader } = place
    found.push({ ...feed.at(needs), ...reader, params: { owner, repo } })
  }
  return found
}

/** The feeds of further kinds of repositories. */
export async function furtherFeeds<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  needs: Resolved<Needs>,
) {
  return (await furtherAddresses(t, feed, needs)).map((address) => openAt(t, feed, address))
}

/** Every distinct event of a feed's endpoint in the exchanges of this run, for any reader. The feeds of each kind are read first. */
export async function recordedEvents<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  needs: Resolved<Needs>,
) {
  await open(t, feed, needs).walk()
  for (const list of await furtherFeeds(t, feed, needs))
    await unlessUntested(t.read(list.request({ per_page: list.paging.max })))
  const served = t.recorded(feed.endpoint).filter(({ status }) => status === 200)
  return distinctItems(served).filter((item): item is Located<JsonObject> => isObject(item.value))
}

/** The recorded events at the address of the feed itself, for any reader and on any page. */
export async function ownEvents<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  needs: Resolved<Needs>,
) {
  const address = addressOf(await open(t, feed, needs).page())
  return (await recordedEvents(t, feed, needs)).filter(
    ({ exchange }) => addressOf(exchange) === address,
  )
}

/** The path that was requested, in lower case. */
export function addressOf({ request: { url, redirectedFrom = url } }: Exchange) {
  return new URL(redirectedFrom).pathname.toLowerCase()
}

/** The facts of an event that are equal in every reading: its type, its `public` mark, and its actor and repository by id. */
export function identityOf(event: unknown) {
  const idOf = (part: unknown) => (isObject(part) ? String(part.id) : '')
  if (!isObject(event)) return ''
  return `${event.type} (public: ${event.public}) by the actor ${idOf(event.actor)} in the repository ${idOf(event.repo)}`
}

/** The same with the date of the event. */
export const factsOf = (event: unknown) =>
  `${identityOf(event)} at ${isObject(event) ? show(event.created_at) : ''}`

/** The id of an event, which is the same in every feed. */
export const eventId = (event: unknown) => (isObject(event) ? String(event.id) : '')

/** The name of an event's repository, `owner/name`. */
export function repositoryName(event: unknown) {
  const repo = isObject(event) ? event.repo : undefined
  return isObject(repo) ? String(repo.name) : ''
}

/** True for an event of which this user is the actor. */
export function isBy(event: unknown, login: string) {
  const actor = isObject(event) ? event.actor : undefined
  return isObject(actor) && sameName(String(actor.login), login)
}

/** True when an event is marked as private. */
export const isPrivate = (event: unknown) => isObject(event) && event.public === false

/** The creation time of an event. Milliseconds; NaN if it has no date. */
export const createdAt = (event: unknown) =>
  isObject(event) ? Date.parse(String(event.created_at)) : Number.NaN

/** Compares names without regard to case. */
export const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

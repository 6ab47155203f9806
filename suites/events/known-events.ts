import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type ListAddress, type ListItem, Listing, type Walk } from '../../src/suite/listing.ts'
import { isObject, itemsOf, type Located } from '../../src/suite/located.ts'
import type { Needing, NeedMap, Resolved } from '../../src/suite/needs.ts'
import { atPointer } from '../../src/text/data.ts'
import { unlessUntested } from '../common/proof.ts'
import { nameOf, type RepositoryName, repositoryOf } from '../common/repositories.ts'
import {
  createdAt,
  eventId,
  factsOf,
  identityOf,
  isBy,
  isPrivate,
  repositoryName,
  sameName,
} from './feed.ts'

/** True for an event of a repository. */
export function isOf(event: unknown, { owner, repo }: RepositoryName) {
  return sameName(repositoryName(event), `${owner}/${repo}`)
}

type Known = Promise<readonly ListItem[]>
type Reading = { reader: Caller }
type ReadingUser = Reading & { username: string }

/** Every event of a feed. */
export async function eventsAt(t: CheckContext, address: ListAddress): Known {
  return (await new Listing(t, address).walk()).items
}

/** Every event of a repository's own feed. */
export function repositoryEvents(t: CheckContext, { owner, repo }: RepositoryName, as: Caller) {
  return eventsAt(t, { endpoint: endpoints.repositoryEvents, params: { owner, repo }, as })
}

/** The events in a repository's own feed that have its present name. Feeds of a former owner may have the others. */
async function underItsName(t: CheckContext, place: RepositoryName, as: Caller) {
  return (await repositoryEvents(t, place, as)).filter(({ value }) => isOf(value, place))
}

/** The events of a repository and those of its fork, if one is known (readings C20). */
export async function ofNetwork(t: CheckContext, { reader }: Reading): Known {
  const places = [await repositoryOf(t, 'public'), await repositoryOf(t, 'fork')]
  const known = places.map((place) => (place ? underItsName(t, place, reader) : []))
  return (await Promise.all(known)).flat()
}

/** The events of the public repository. */
export async function ofPublicRepository(t: CheckContext, { reader }: Reading): Known {
  return underItsName(t, await t.ask('public-repository', {}), reader)
}

/** The events of the public repository if it belongs to the organization, else the reader's own events in its repositories. */
export async function ofOrganization(
  t: CheckContext,
  { organization: { org }, reader }: Reading & { organization: { org: string } },
): Known {
  const place = await t.ask('public-repository', {})
  if (sameName(place.owner, org)) return underItsName(t, place, reader)
  const username =
    reader.login ??
    t.untested('the public repository has another owner, and the login of the reader is unknown')
  const events = await publicOfUser(t, { username, reader })
  return events.filter(({ value }) => sameName(nameOf(repositoryName(value)).owner, org))
}

/** The events of a repository in the feed of its owner, which is an organization or a user. */
export async function ofRepositoryOwner(
  t: CheckContext,
  { repository, reader: as }: Reading & { repository: RepositoryName },
): Known {
  const address = { endpoint: endpoints.organizationEvents, params: { org: repository.owner }, as }
  const { ok } = await t.read(address)
  const events = ok
    ? await eventsAt(t, address)
    : await publicOfUser(t, { username: repository.owner, reader: as })
  return events.filter(({ value }) => isOf(value, repository))
}

/** The public events of a user. */
export function publicOfUser(t: CheckContext, { username, reader: as }: ReadingUser) {
  return eventsAt(t, { endpoint: endpoints.userPublicEvents, params: { username }, as })
}

/** The events of a user in the public repository. */
export async function byUser(t: CheckContext, { username, reader }: ReadingUser): Known {
  return (await ofPublicRepository(t, { reader })).filter(({ value }) => isBy(value, username))
}

/** The public events of others in a repository that the user watches. A followed user has none among them (readings C19). */
export async function ofWatched(t: CheckContext, { username, reader }: ReadingUser): Known {
  const { watchedRepository, followedLogin } = await t.ask('received-events', {})
  const watched = nameOf(watchedRepository)
  return (await underItsName(t, watched, reader)).filter(
    ({ value }) =>
      !isPrivate(value) && ![username, followedLogin].some((login) => isBy(value, login)),
  )
}

/** The public events of a followed user in other repositories than the watched one (readings C19). */
export async function ofFollowed(t: CheckContext, { reader }: Reading): Known {
  const { watchedRepository, followedLogin: username } = await t.ask('received-events', {})
  const events = await publicOfUser(t, { username, reader })
  return events.filter(
    ({ value }) => isBy(value, username) && !isOf(value, nameOf(watchedRepository)),
  )
}

const hour = 60 * 60 * 1000

/** The longest time until an event appears in a feed (document: Resources and their fields, Event). Milliseconds. */
const latency = 6 * hour

/** Older events are not compared, because they may have left one feed and still be in another (readings C17). Milliseconds. */
const window = 29 * 24 * hour

/** A feed of this size may be full: "at most 300" permits a smaller cap, which drops the oldest events. */
const timelineSize = 10

/**
 * Expects the known events that a feed must list by now: older than the latency, within its window, and not pushed out of a full
 * feed (readings C11, C19).
 */
export async function expectListed(t: CheckContext, listing: Listing, known: readonly ListItem[]) {
  const feed = await listing.walk()
  if (known.length === 0) t.untested('the feed to compare with contains no such event')
  if (!isWhole(feed))
    t.untested('the pages of the feed repeat each other, so its contents are unknown')
  const due = dueIn(feed, known)
  if (known.every(({ exchange }) => !exchange.header('date')))
    t.untested('no response has a Date header, so no age is known')
  if (due.length === 0)
    t.untested('no known event is old enough and recent enough to be required in this feed')
  // Pages move during a walk, and others may change or remove events meanwhile: both feeds are read twice more (readings G6).
  let [again, odd] = [feed, oddIn(feed, due)]
  for (let more = 2; more > 0 && odd.length > 0; more -= 1) {
    again = await listing.walk({ fresh: true })
    odd = oddIn(again, await unchanged(odd))
  }
  const [first, ...others] = odd
  if (first) {
    const other = again.items.find(({ value }) => eventId(value) === eventId(first.value))
    if (other)
      t.deviation({
        expected: factsOf(first.value),
        actual: factsOf(other.value),
        pointer: other.pointer,
        exchanges: [first.exchange, other.exchange],
      })
    t.deviation({
      expected: `the ${due.length} events that another feed lists and that are more than six hours old`,
      actual: `${others.length + 1} of them on no page, such as ${eventId(first.value)}`,
      exchanges: [first.exchange, ...feed.pages],
    })
  }
  t.examined(due.length)
}

/** The events that a feed must list and does not, or lists as others. */
function oddIn(feed: Walk, known: readonly ListItem[]) {
  const listed = new Map(feed.items.map(({ value }) => [eventId(value), value]))
  const isSame = (event: unknown, other: unknown) =>
    identityOf(event) === identityOf(other) &&
    !(Math.abs(createdAt(event) - createdAt(other)) > hour / 6) &&
    !(pushOf(event) < pushOf(other) || pushOf(event) > pushOf(other))
  return dueIn(feed, known).filter(({ value }) => !isSame(value, listed.get(eventId(value))))
}

/** The number of the push; NaN for any other event. */
const pushOf = (event: unknown) => Number(atPointer(event, '/payload/push_id'))

/** The events that their own feed still contains, unchanged. */
async function unchanged(events: readonly ListItem[]) {
  const [first] = events
  if (!first) return []
  const before = new Map(events.map(({ value }) => [eventId(value), identityOf(value)]))
  const again = await first.list.walk({ fresh: true })
  return again.items.filter(({ value }) => before.get(eventId(value)) === identityOf(value))
}

/** The events among those given that are listed as well, by their ids. */
export function commonOf<Event extends Located>(
  events: readonly Event[],
  listed: readonly Located[],
) {
  const ids = new Set(listed.map(({ value }) => eventId(value)))
  return events.filter(({ value }) => ids.has(eventId(value)))
}

/** A walk over pages that repeat or overlap proves nothing about events that it did not reach (readings G14). */
function isWhole({ items, repeated }: Walk) {
  return !repeated && new Set(items.map(({ value }) => eventId(value))).size === items.length
}

/** True for an event that every feed must list by now, unless it has left the window. */
export function isPastLatency({ value, exchange }: Located) {
  const age = Date.parse(exchange.header('date') ?? '') - createdAt(value)
  return age > latency && age < window
}

/** The events among those given that a feed must list by now. A full feed may have dropped the older ones. */
export function dueIn(
  { items }: { readonly items: readonly Located[] },
  known: readonly ListItem[],
): ListItem[] {
  const oldest = items.reduce(
    (earliest, { value }) => Math.min(earliest, createdAt(value)),
    Number.POSITIVE_INFINITY,
  )
  return known.filter(
    (event) =>
      isPastLatency(event) && (items.length < timelineSize || createdAt(event.value) > oldest),
  )
}

/** Every one of the events is marked as private. */
export function expectPrivate(t: CheckContext, events: readonly Located[]) {
  t.expectAll(events, 'event of the private repository').satisfy(
    'public: false',
    isPrivate,
    () => 'an event of the private repository without public: false',
  )
}

const isOldAndPublic = (event: Located) => !isPrivate(event.value) && isPastLatency(event)

/** Expects an event of a feed if some are known that are no longer new. */
function expectSome(t: CheckContext, response: Exchange, known: readonly Located[]) {
  if (response.count > 0) return
  const [first] = known
  if (!first) t.untested('no public event is known that is more than six hours old')
  t.expect(response, first.exchange).satisfy(
    `some of the ${known.length} public events`,
    false,
    'an empty list',
  )
}

/** Expects the older public events of the usual reader for every caller: on the first page or, in another order, on any. */
export async function expectPublic(
  t: CheckContext,
  list: Listing,
  response: Exchange,
  own: Listing,
) {
  const known = own.items(await own.page()).filter(isOldAndPublic)
  expectSome(t, response, known)
  if (commonOf(known, itemsOf(response)).length < known.length)
    await unlessUntested(expectListed(t, list, known))
}

/** Expects that a feed is not empty where another one has its events, and that both have the same facts of an event (readings C20). */
export async function expectNotEmpty(t: CheckContext, list: Listing, known: readonly ListItem[]) {
  if (known.length === 0) t.untested('the feed to compare with contains no such event')
  // All events of a small page may be filtered.
  expectSome(t, await list.page({ per_page: list.paging.max }), known.filter(isPastLatency))
  const { items } = await list.walk()
  await unlessUntested(expectListed(t, list, commonOf(known, items)))
  t.examined(1)
}

/** Expects events for an entitled token if its user receives some. `which` selects those it must receive by now. */
export function expectSomeOfUser(
  t: CheckContext,
  response: Exchange,
  own: Exchange,
  which = isOldAndPublic,
) {
  t.expect(response).array()
  const known = itemsOf(own).filter(which)
  if (known.length === 0 || response.count > 0) return
  t.expect(response, own).satisfy(
    `some of the ${known.length} events of its user`,
    false,
    'an empty list',
  )
}

/** How the private events of a feed are known from their owner. Without any, an empty result proves nothing (readings C10). */
export interface KnownPrivate<Needs extends NeedMap> {
  /** The repository whose private events belong to the feed; undefined where none is known. */
  readonly repository: (
    t: CheckContext,
    needs: Resolved<Needs>,
  ) => Promise<RepositoryName | undefined>
  /** True for an event of that repository that belongs to the feed. */
  readonly belongs?: (event: unknown, needs: Resolved<Needs>) => boolean
}

type OfUser = { username: Needing<string> }

/** The events of the private repository belong to every feed that has no narrower scope. */
const privateRepository = (t: CheckContext) => repositoryOf(t, 'private')

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
) {
  const place = owner && (await repository(t, needs))
  const events = place && (await unlessUntested(repositoryEvents(t, place, owner)))
  const known = (events ?? []).filter(({ value }) => belongs(value, needs))
  // A check keeps them while it waits, and whole events may be large.
  return known.flatMap(({ value, ...rest }) =>
    isObject(value) ? { ...rest, value: { id: value.id, created_at: value.created_at } } : [],
  )
}

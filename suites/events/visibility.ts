import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { Permissions, TokenKind } from '../../src/spec/needs.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Listing } from '../../src/suite/listing.ts'
import { itemsOf, type Located } from '../../src/suite/located.ts'
import { type Needing, type NeedMap, optional, type Resolved, role, token } from '../../src/suite/needs.ts'
import { expectServed, inventedToken, requireTwoUsers, unlessUntested } from '../common/access.ts'
import { type Feed, isPrivate, open, repositoryName } from './feed.ts'
import { eventId, isPastLatency, type RepositoryName, repositoryEvents } from './known-events.ts'

/** The private events that belong to a feed, as their owner knows them; without any, an empty result proves nothing (readings C10). */
export interface KnownPrivate<Needs extends NeedMap> {
  /** The repository whose private events belong to the feed; undefined where none is known to. */
  readonly repository: (t: CheckContext, needs: Resolved<Needs>) => Promise<RepositoryName | undefined>
  /** True for an event of that repository that belongs to the feed. */
  readonly belongs?: (event: unknown, needs: Resolved<Needs>) => boolean
}

/** The configured private repository: its events belong to every feed that has no narrower scope. */
export async function privateRepository(t: CheckContext): Promise<RepositoryName | undefined> {
  return unlessUntested(t.ask('private-repository', {}))
}

/** Who must not see a private event (document: Event, `public`; readings C10). */
interface Stranger {
  readonly aspect: string
  readonly title: string
  readonly also: { readonly caller?: Needing<Caller> }
  /** Somebody else of the same standing, as far as there is one; `account` owns the private repository. */
  readonly second?: (t: CheckContext, account: string) => Promise<Caller>
}

/** What opens one's own private events, but nobody else's. */
const ownRights: Permissions = { repository: { metadata: 'read' }, user: { events: 'read' } }

const strangers: readonly Stranger[] = [
  { aspect: 'private-anonymous', title: 'omits private events for anonymous callers', also: {} },
  { aspect: 'private-outsider', title: 'omits private events for an unrelated user', also: { caller: role('outsider') } },
  {
    aspect: 'private-outsider-app',
    title: "omits private events for an unrelated user's tokens of other kinds",
    also: { caller: token({ kind: 'app-user', of: 'outsider', permissions: ownRights }) },
    second: (t) => t.tokenFor({ kind: 'fine-grained', of: 'outsider', permissions: ownRights }),
  },
]

const fellows: readonly Stranger[] = [
  { aspect: 'private-member', title: 'omits private events for a fellow member', also: { caller: role('member') } },
  {
    aspect: 'private-org-owner',
    title: 'omits private events for an owner of the organisation',
    also: { caller: role('org-owner') },
  },
  {
    aspect: 'private-installation',
    title: 'omits private events for an app installation, which belongs to no user',
    also: { caller: token({ kind: 'app-installation', permissions: {}, only: true }) },
    second: (t, account) => t.tokenFor({ kind: 'app-installation', account, permissions: { repository: { metadata: 'read' } } }),
  },
]

/** Nobody and a stranger see no private event. */
export function strangerChecks<const Needs extends NeedMap>(feed: Feed<Needs>, known: KnownPrivate<Needs>): Check[] {
  return [...strangers.map((stranger) => unseenCheck(feed, known, stranger)), inventedTokenCheck(feed, known)]
}

/** A token that was never issued opens nothing; the feed may be refused to it altogether (readings C10, F19). */
function inventedTokenCheck<const Needs extends NeedMap>(feed: Feed<Needs>, known: KnownPrivate<Needs>): Check {
  return check({
    id: `${feed.id}.private-invented`,
    title: 'omits private events for a token that was never issued',
    requirement: 'events.event.private',
    level: 'must',
    conclusive: true,
    needs: feed.needs,
    also: { owner: optional(role('owner')) },
    asks: ['private-repository'],
    run: async (t, needs, { owner }) => {
      const secret = await knownPrivate(t, known, needs, owner)
      await onlyPublicIfServed(t, open(t, feed, needs, inventedToken), secret)
      if (secret.length === 0) t.untested('no private event is known that the feed could reveal', 'private-repository')
      t.examined(1)
    },
  })
}

/** A user's private events are that user's alone: not even those who share an organisation see them. */
export function fellowChecks<const Needs extends NeedMap>(feed: Feed<Needs>, known: KnownPrivate<Needs>): Check[] {
  return fellows.map((stranger) => unseenCheck(feed, known, stranger))
}

function unseenCheck<const Needs extends NeedMap>(feed: Feed<Needs>, known: KnownPrivate<Needs>, stranger: Stranger): Check {
  return check({
    id: `${feed.id}.${stranger.aspect}`,
    title: stranger.title,
    requirement: 'events.event.private',
    level: 'must',
    conclusive: true,
    needs: feed.needs,
    also: { ...stranger.also, owner: optional(role('owner')) },
    asks: ['private-repository', ...(stranger.second ? (['token'] as const) : [])],
    run: async (t, needs, { caller = anonymous, owner }) => {
      if (owner) requireTwoUsers(t, caller, owner)
      const secret = await knownPrivate(t, known, needs, owner)
      await onlyPublic(t, open(t, feed, needs, caller), secret)
      const second = await secondOf(t, stranger, await known.repository(t, needs))
      if (second) await onlyPublicIfServed(t, open(t, feed, needs, second), secret)
    },
  })
}

async function secondOf(t: CheckContext, { second }: Stranger, place: RepositoryName | undefined): Promise<Caller | undefined> {
  return second && place && unlessUntested(second(t, place.owner))
}

/** A feed of public events holds no private one, whoever reads it. */
export function publicOnlyCheck<const Needs extends NeedMap>(feed: Feed<Needs>, known: KnownPrivate<Needs>): Check {
  return check({
    id: `${feed.id}.private-never`,
    requirement: 'events.event.private',
    level: 'must',
    title: 'omits private events even for the owner',
    conclusive: true,
    needs: feed.needs,
    also: { owner: optional(role('owner')), user: optional(bareToken('app-user')), app: optional(bareToken('app-installation')) },
    asks: ['private-repository'],
    run: async (t, needs, { owner, user, app }) => {
      for (const as of [user, app]) if (as) noneMarked(t, await t.read(open(t, feed, needs, as).request()))
      await onlyPublic(t, open(t, feed, needs), await knownPrivate(t, known, needs, owner))
    },
  })
}

async function knownPrivate<Needs extends NeedMap>(
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

/** A feed that the document serves without authentication, as far as the level says. */
export function anonymousCheck<const Needs extends NeedMap>(feed: Feed<Needs>, level: 'must' | 'should'): Check {
  return check({
    id: `${feed.id}.anonymous`,
    requirement: level === 'must' ? 'events.access.repository-anonymous' : 'events.access.none',
    level,
    title: 'accepts a request without a token',
    needs: feed.needs,
    run: async (t, needs) => {
      const own = await open(t, feed, needs).page()
      const answer = await t.read(open(t, feed, needs, anonymous).request())
      t.expect(answer).status(200).array()
      showsSome(t, answer, own)
    },
  })
}

/** Other users read what is public, too. */
export function outsiderServedCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.outsider-served`,
    requirement: 'events.access.none',
    level: 'must',
    title: 'includes public events for another user',
    needs: feed.needs,
    also: { outsider: role('outsider') },
    run: async (t, needs, { outsider }) => serves(t, feed, needs, outsider),
  })
}

const kinds: readonly TokenKind[] = ['app-user', 'app-installation', 'fine-grained']
const nothing: Permissions = {}

function bareToken(kind: TokenKind) {
  return token({ kind, permissions: nothing, only: true })
}

/** A feed that the document marks as needing no permission serves tokens that hold none (readings C12). */
export function bareTokenChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const scopeless = check({
    id: `${feed.id}.bare-classic`,
    requirement: 'events.access.none',
    level: 'must',
    title: 'accepts a classic token without any scope',
    needs: feed.needs,
    also: { bare: token({ kind: 'classic', scopes: [] }) },
    run: async (t, needs, { bare }) => {
      await serves(t, feed, needs, bare)
    },
  })
  const permissionless = kinds.map((kind) =>
    check({
      id: `${feed.id}.bare-${kind}`,
      matrix: { owner: 'feeds', category: 'no permission', kind, access: 'none', expects: 'granted' },
      requirement: 'events.access.none',
      level: 'must',
      title: `accepts a token of kind ${kind} without any permission`,
      needs: feed.needs,
      also: { bare: bareToken(kind) },
      run: async (t, needs, { bare }) => {
        await serves(t, feed, needs, bare)
      },
    }),
  )
  return [scopeless, ...permissionless]
}

/** A token without any permission is shown the public events. */
async function serves<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  needs: Resolved<Needs>,
  bare: Caller,
): Promise<void> {
  const own = await open(t, feed, needs).page()
  const answer = await expectServed(t, open(t, feed, needs, bare).request(), 200)
  t.expect(answer).array()
  showsSome(t, answer, own)
}

/** A feed without any event serves nobody where its usual reader is shown public events that are no longer new. */
export function showsSome(t: CheckContext, answer: Exchange, own: Exchange): void {
  if (itemsOf(answer).length > 0) return
  const known = itemsOf(own).filter(isOldAndPublic)
  if (known.length === 0) t.untested('the feed contains no public event that is more than six hours old')
  t.deviation({ expected: `some of the ${known.length} public events`, actual: 'an empty list', exchanges: [answer, own] })
}

function isOldAndPublic(event: Located): boolean {
  return !isPrivate(event.value) && isPastLatency(event)
}

/** An entitled token is shown events where its user is; `which` are those that cannot be too new for it or hidden from it. */
export function showsAlike(t: CheckContext, answer: Exchange, own: Exchange, which = isOldAndPublic): void {
  t.expect(answer).array()
  const known = itemsOf(own).filter(which)
  if (known.length === 0 || itemsOf(answer).length > 0) return
  t.deviation({ expected: `some of the ${known.length} events of its user`, actual: 'an empty list', exchanges: [own, answer] })
}

/** No event of the page is marked as private. */
function noneMarked(t: CheckContext, page: Exchange): void {
  const marked = itemsOf(page).find(({ value }) => isPrivate(value))
  const actual = 'an event marked public: false'
  if (page.ok && marked) t.deviation({ expected: 'public events only', actual, pointer: marked.pointer, exchanges: [page] })
}

/** A feed that is refused altogether shows nothing. */
async function onlyPublicIfServed(t: CheckContext, list: Listing, known: readonly Located[]): Promise<void> {
  const answer = await t.read(list.request({ per_page: list.paging.max }))
  if (!answer.refused) await onlyPublic(t, list, known)
}

/** No event that is marked as private, and none that is known to be private, however it is marked. */
async function onlyPublic(t: CheckContext, list: Listing, known: readonly Located[]): Promise<void> {
  const { items } = await list.walk()
  const secret = new Set(known.map(({ value }) => eventId(value)))
  for (const { value, pointer, exchange } of items) {
    const actual = isPrivate(value) ? 'an event marked public: false' : `an event of ${repositoryName(value)}`
    if (!isPrivate(value) && !secret.has(eventId(value))) continue
    t.deviation({ expected: 'public events only', actual, pointer, exchanges: [exchange] })
  }
  if (secret.size === 0) t.untested('no private event is known that the feed could reveal', 'private-repository')
  t.examined(Math.max(1, items.length))
}

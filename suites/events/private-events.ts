import type { Caller } from '../../src/http/exchange/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { isLatest } from '../../src/spec/versions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { loginOf, type Needing, type NeedMap, need, role, token } from '../../src/suite/needs.ts'
import { callerChecks } from '../common/callers.ts'
import { neverSent, readOtherwise } from '../common/names.ts'
import { inventedToken, requireProven, unlessUntested } from '../common/proof.ts'
import { nameOf, type RepositoryName } from '../common/repositories.ts'
import { type Feed, isBy, isPrivate, open, openAt, recordedEvents, repositoryName } from './feed.ts'
import {
  eventsAt,
  expectListed,
  expectNotEmpty,
  expectPrivate,
  isOf,
  ofFollowed,
  ofWatched,
  repositoryEvents,
} from './known-events.ts'
import { afterOwner, expectNoneMarked, strangers } from './visibility.ts'

const privateMark = 'events.event.private'

const ownSecret = { owner: role('owner'), secret: need('private-repository') }

/** The owner's own feed contains the known private events of the owner (readings C11). */
export function ownEvents<Needs extends NeedMap>(feed: Feed<Needs>) {
  return feed.check(
    'private-to-owner',
    'includes private events for the owner',
    {
      requirement: 'events.user.private',
      also: { ...ownSecret, username: loginOf('owner') },
    },
    async (t, needs, { owner, secret, username }) => {
      const known = (await repositoryEvents(t, secret, owner)).filter(({ value }) =>
        isBy(value, username),
      )
      await expectListed(t, open(t, feed, needs, owner), known)
    },
  )
}

/** The private events of a feed are marked as such (readings C11). */
export function marked<Needs extends NeedMap>(feed: Feed<Needs>) {
  return feed.check(
    'private-marked',
    'marks private events with public: false',
    { requirement: privateMark, also: ownSecret, schedule: 'afterwards' },
    async (t, needs, { owner, secret }) => {
      await open(t, feed, needs, owner).walk()
      const events = (await recordedEvents(t, feed, needs)).filter(({ value }) =>
        isOf(value, secret),
      )
      expectPrivate(t, events)
    },
  )
}

/** A private repository's own feed: every event of it is private, and it contains those of the owner's feed. */
export function ownRepository<Needs extends NeedMap>(feed: Feed<Needs>) {
  const closed = feed.with({ needs: ownSecret })
  return [
    closed.check(
      'private-marked',
      'marks every event of a private repository with public: false',
      privateMark,
      async (t, { secret, owner }) => expectPrivate(t, await repositoryEvents(t, secret, owner)),
    ),
    closed.check(
      'private-to-owner',
      "includes events, as the owner's own feed has some of the private repository",
      { requirement: 'events.feeds.scope', level: 'should', also: { username: loginOf('owner') } },
      async (t, { secret, owner }, { username }) => {
        const address = { endpoint: endpoints.userEvents, params: { username }, as: owner }
        const known = (await eventsAt(t, address)).filter(
          ({ value }) => isPrivate(value) && isOf(value, secret),
        )
        await expectNotEmpty(t, openAt(t, feed, { params: { ...secret }, as: owner }), known)
      },
    ),
  ]
}

/** The user's own app user and fine-grained tokens with the Events permission receive the private events too (readings F14). */
export function eventsPermission<Needs extends NeedMap>(feed: Feed<Needs>) {
  const permitted = feed.with({ requirement: 'events.access.events-user', level: 'should' })
  const claim = (kind: 'app-user' | 'fine-grained', aspect: string) =>
    permitted.check(
      aspect,
      `includes private events for the user's ${kind} token with Events`,
      {
        also: {
          owner: role('owner'),
          holder: token({ kind, of: 'owner', permissions: { user: { events: 'read' } } }),
        },
      },
      async (t, needs, { owner, holder }) => {
        const own = open(t, feed, needs, owner)
        const secret = (await own.walk()).items.filter(({ value }) => isPrivate(value))
        const listing = open(t, feed, needs, holder)
        await expectListed(t, listing, secret)
        await requireProven(t, holder, listing.request())
      },
    )
  return [
    claim('app-user', 'events-permission'),
    claim('fine-grained', 'events-permission-fine-grained'),
  ]
}

/** Following a user opens none of their private repositories: in the reader's own feed, or in theirs (`ofFollowed`). */
export function foreign<Needs extends NeedMap>(
  feed: Feed<Needs>,
  { ofFollowed = false }: { readonly ofFollowed?: boolean } = {},
) {
  return feed.check(
    'private-foreign',
    'omits events of a private repository that the reader cannot access',
    {
      requirement: privateMark,
      also: { foreign: need('foreign-private-repository') },
      conclusive: true,
    },
    async (t, needs, { foreign }) => {
      const { as, params } = feed.at(needs)
      const address = ofFollowed
        ? { as, params: { ...params, username: foreign.followed } }
        : feed.at(needs)
      const { owner, repo } = foreign
      const name = `${owner}/${repo}`
      // The control: the repository is closed to the reader, so that there are events to omit (readings G15, G17).
      const { ok } = await t.read({
        endpoint: endpoints.repositoryEvents,
        params: { owner, repo },
        as,
      })
      if (ok)
        t.untested(
          `the reader may read ${name}, so its events are no secret`,
          'foreign-private-repository',
        )
      const { items } = await openAt(t, feed, address).walk()
      t.expectAll(items, 'event').satisfy(
        `no event of ${name}`,
        (event) => !isOf(event, foreign),
        repositoryName,
      )
    },
  )
}

/** The feed (and the network) of a private repository contains no event for anonymous callers and unrelated users (readings C10). */
export function closedFeed<Needs extends NeedMap>(feed: Feed<Needs>) {
  const closed = feed.with({ requirement: privateMark })
  return callerChecks(
    closed,
    ownSecret,
    strangers,
    async (t, needs, known, { caller, row: { alike } }) => {
      if (caller !== inventedToken)
        expectNoneMarked(t, (await open(t, feed, needs, caller).walk()).items)
      await expectClosed(t, feed, { ...known, as: caller })
      for (const find of alike) {
        const as = await unlessUntested(find(t, known.secret.owner))
        if (as) await unlessUntested(expectClosed(t, feed, { ...known, as }))
      }
    },
  )
}

/** The feed of the private repository itself is refused to an unrelated caller, or empty. */
async function expectClosed<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  { as, owner, secret }: { as: Caller; owner: Caller; secret: RepositoryName },
) {
  const known = await repositoryEvents(t, secret, owner)
  if (known.length === 0)
    t.untested('the private repository has no event that could be revealed', 'private-repository')
  const listAs = (caller: Caller) => openAt(t, feed, { params: { ...secret }, as: caller })
  const [response = await t.read(listAs(as).request()), ...odd] = await afterOwner(
    t,
    listAs(owner),
    listAs(as),
  )
  const [whole, later] = [
    { per_page: feed.endpoint.paging.max, page: 1 },
    { per_page: 1, page: 2 },
  ]
  const forms = [
    ['renamed', isLatest(t) ? later : whole],
    ['bare', whole],
    ['bare', later],
  ] as const
  const others = forms.map(([form, page]) =>
    readOtherwise(t, { ...listAs(as).request(page), accept: null, headers: neverSent }, [form]),
  )
  for (const each of [response, ...odd, ...(await Promise.all(others)).flat()]) {
    const revealed = each.ok ? each.count : 0
    t.expect(each).satisfy(
      'no event of the private repository',
      revealed === 0 && !each.broken,
      revealed > 0 ? `${each.status} with ${revealed} events` : String(each.status),
    )
  }
  if (!response.ok) t.expect(response).refused('event')
}

type Received = { username: Needing<string>; reader: Needing<Caller> }

/** A user receives events of watched repositories and of followed users. Every known one is looked for (readings C19). */
export function received(feed: Feed<Received>) {
  const content = feed.with({ requirement: 'events.received.content', asks: ['received-events'] })
  const includes = (aspect: string, title: string, find: typeof ofWatched) =>
    content.check(aspect, title, async (t, needs) =>
      expectListed(t, open(t, feed, needs), await find(t, needs)),
    )
  return [
    includes('watched', 'includes events of a watched repository', ofWatched),
    includes('followed', 'includes events of a followed user', ofFollowed),
  ]
}

/** The owner receives the private events of a private repository that the owner watches. */
export function receivedPrivate<Needs extends NeedMap>(feed: Feed<Needs>) {
  return feed.check(
    'private-to-owner',
    'includes private events of a watched repository for the owner',
    {
      requirement: 'events.received.private',
      also: {
        owner: role('owner'),
        username: loginOf('owner'),
        known: need('received-events', { private: true }),
      },
    },
    async (t, needs, { owner, username, known }) => {
      const watched = nameOf(known.watchedRepository)
      const events = await repositoryEvents(t, watched, owner)
      const secret = events.filter(({ value }) => isPrivate(value) && !isBy(value, username))
      if (secret.length === 0)
        t.untested('the watched repository has no private event of another user', 'received-events')
      const received = open(t, feed, needs, owner)
      await expectListed(t, received, secret)
      const ofWatched = (await received.walk()).items.filter(({ value }) => isOf(value, watched))
      expectPrivate(t, ofWatched)
    },
  )
}

import { endpoints } from '../../src/spec/endpoints.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Listing } from '../../src/suite/listing.ts'
import { isObject, type Located } from '../../src/suite/located.ts'
import { type Needing, type NeedMap, need, type Resolved, role, token } from '../../src/suite/needs.ts'
import type { Caller } from '../../src/target/caller.ts'
import { earliest, type Feed, isPrivate, latest, loginIn, open, repositoryName, sameName } from './feed.ts'

interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

/** What the owner is known to receive. */
interface Known {
  readonly watchedRepository: string
  readonly followedLogin: string
}

/** The owner's own feed shows the private events that the owner is known to have, marked as such (readings C11). */
export function ownPrivateEventsChecks<const Needs extends NeedMap & { username: Needing<string> }>(feed: Feed<Needs>): Check[] {
  const needs = { ...feed.needs, owner: role('owner'), secret: need('private-repository') } as NeedMap
  return [
    check({
      id: `${feed.id}.private-to-owner`,
      requirement: 'events.user.private',
      level: 'must',
      title: 'shows the owner the private events',
      needs,
      run: async (t, given) => {
        const { owner, secret, username } = given as { owner: Caller; secret: RepositoryName; username: string }
        const known = (await repositoryEvents(t, secret, owner)).filter(({ value }) =>
          sameName(loginIn(value, 'actor'), username),
        )
        shows(t, await open(t, feed, given as Resolved<Needs>, owner).walk(), known, (event) => isOf(event, secret))
      },
    }),
    check({
      id: `${feed.id}.private-marked`,
      requirement: 'events.event.private',
      level: 'must',
      title: 'marks private events public: false',
      needs,
      run: async (t, given) => {
        const { owner, secret } = given as { owner: Caller; secret: RepositoryName }
        const { items } = await open(t, feed, given as Resolved<Needs>, owner).walk()
        allPrivate(
          t,
          items.filter(({ value }) => isOf(value, secret)),
        )
      },
    }),
  ]
}

/** A private repository's own feed: every event of it is private. */
export async function privateRepositoryIsMarked(t: CheckContext, repository: RepositoryName, as: Caller): Promise<void> {
  allPrivate(t, await repositoryEvents(t, repository, as))
}

/** An app user's token with the Events permission sees the private events too (readings F14). */
export function eventsPermissionCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  const app = token({ kind: 'app-user', of: 'owner', permissions: { user: { events: 'read' } } })
  return check({
    id: `${feed.id}.events-permission`,
    requirement: 'events.access.events-user',
    level: 'should',
    title: "shows private events to the user's app token with the permission Events",
    needs: { ...feed.needs, owner: role('owner'), app } as NeedMap,
    run: async (t, given) => {
      const { owner, app } = given as { owner: Caller; app: Caller }
      const own = await open(t, feed, given as Resolved<Needs>, owner).walk()
      shows(
        t,
        await open(t, feed, given as Resolved<Needs>, app).walk(),
        own.items.filter(({ value }) => isPrivate(value)),
        isPrivate,
      )
    },
  })
}

/** What a user receives: events of watched repositories and of followed users. */
export function receivedChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const needs = { ...feed.needs, known: need('received-events') } as NeedMap
  return [
    check({
      id: `${feed.id}.watched`,
      requirement: 'events.received.content',
      level: 'must',
      title: 'shows events of a watched repository',
      needs,
      run: async (t, given) => {
        const watched = nameOf((given as { known: Known }).known.watchedRepository)
        const as = feed.at(given as Resolved<Needs>).as
        const others = byOthers(await repositoryEvents(t, watched, as), (given as { username: string }).username)
        shows(t, await open(t, feed, given as Resolved<Needs>).walk(), others, (event) => isOf(event, watched))
      },
    }),
    check({
      id: `${feed.id}.followed`,
      requirement: 'events.received.content',
      level: 'must',
      title: 'shows events of a followed user',
      needs,
      run: async (t, given) => {
        const { followedLogin: username } = (given as { known: Known }).known
        const as = feed.at(given as Resolved<Needs>).as
        const { items } = await new Listing(t, { endpoint: endpoints.userPublicEvents, params: { username }, as }).walk()
        const byThem = (event: unknown) => sameName(loginIn(event, 'actor'), username)
        shows(
          t,
          await open(t, feed, given as Resolved<Needs>).walk(),
          items.filter(({ value }) => byThem(value)),
          byThem,
        )
      },
    }),
  ]
}

/** The owner receives the private events of a private repository that the owner watches. */
export function receivedPrivateCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.private-to-owner`,
    requirement: 'events.received.private',
    level: 'must',
    title: 'shows the owner private events of a watched repository',
    needs: { ...feed.needs, owner: role('owner'), known: need('received-events', { private: true }) } as NeedMap,
    run: async (t, given) => {
      const { owner, known } = given as { owner: Caller; known: Known }
      const watched = nameOf(known.watchedRepository)
      const others = byOthers(await repositoryEvents(t, watched, owner), (given as { username: string }).username)
      const secret = others.filter(({ value }) => isPrivate(value))
      if (secret.length === 0)
        await t.missing({ type: 'need', name: 'received-events' }, 'the watched repository shows no private event')
      shows(
        t,
        await open(t, feed, given as Resolved<Needs>, owner).walk(),
        secret,
        (event) => isOf(event, watched) && isPrivate(event),
      )
    },
  })
}

/** Following somebody opens none of their private repositories. */
export function foreignPrivateCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.private-foreign`,
    requirement: 'events.event.private',
    level: 'must',
    title: 'shows nothing of a private repository that is closed to its reader',
    needs: { ...feed.needs, foreign: need('foreign-private-repository') } as NeedMap,
    run: async (t, given) => {
      const { foreign } = given as { foreign: RepositoryName }
      const { items } = await open(t, feed, given as Resolved<Needs>).walk()
      t.expectAll(items, 'event').satisfy(
        `no event of ${foreign.owner}/${foreign.repo}`,
        (event) => !isOf(event, foreign),
        repositoryName,
      )
    },
  })
}

/** What others did: whether one receives one's own doings is not stated. */
function byOthers(events: readonly Located[], username: string): Located[] {
  return events.filter(({ value }) => !sameName(loginIn(value, 'actor'), username))
}

async function repositoryEvents(t: CheckContext, { owner, repo }: RepositoryName, as: Caller): Promise<readonly Located[]> {
  const { items } = await new Listing(t, { endpoint: endpoints.repositoryEvents, params: { owner, repo }, as }).walk()
  return items
}

/**
 * A feed shows events that are known from another feed. Where its own oldest event is newer than all of those,
 * they may have been pushed out of the timeline, and nothing can be said.
 */
function shows(t: CheckContext, feed: Pages, known: readonly Located[], wanted: (event: unknown) => boolean): void {
  if (known.length === 0) t.untested('no such event is known from its own feed')
  const found = feed.items.filter(({ value }) => wanted(value))
  const newestKnown = latest(known.map(({ value }) => created(value)))
  const oldestShown = earliest(feed.items.map(({ value }) => created(value)))
  if (found.length === 0 && feed.items.length > 0 && !(newestKnown > oldestShown)) {
    t.untested('the timeline does not reach back to the events that are known')
  }
  if (found.length === 0) {
    t.deviation({ expected: 'the events that their own feed shows', actual: 'none of them on any page', exchanges: feed.pages })
  }
  t.examined(found.length)
}

interface Pages {
  readonly items: readonly Located[]
  readonly pages: Parameters<CheckContext['deviation']>[0]['exchanges']
}

function allPrivate(t: CheckContext, events: readonly Located[]): void {
  t.expectAll(events, 'event of the private repository').satisfy(
    'public: false',
    isPrivate,
    () => 'an event of a private repository that is not',
  )
}

function nameOf(fullName: string): RepositoryName {
  const [owner = '', repo = ''] = fullName.split('/')
  return { owner, repo }
}

function isOf(event: unknown, { owner, repo }: RepositoryName): boolean {
  return sameName(repositoryName(event), `${owner}/${repo}`)
}

function created(event: unknown): number {
  return isObject(event) ? Date.parse(String(event.created_at)) : Number.NaN
}

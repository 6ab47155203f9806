import { endpoints } from '../../src/spec/endpoints.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Listing } from '../../src/suite/listing.ts'
import type { Located } from '../../src/suite/located.ts'
import { type Needing, type NeedMap, need, type Resolved, role, token } from '../../src/suite/needs.ts'
import type { Caller } from '../../src/target/caller.ts'
import { type Feed, isPrivate, loginIn, open, repositoryName, sameName } from './feed.ts'

interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

/** The owner's own feed shows the private events that the owner is known to have, marked as such (readings C11). */
export function ownPrivateEventsChecks<const Needs extends NeedMap & { username: Needing<string> }>(feed: Feed<Needs>): Check[] {
  const needs = { ...feed.needs, owner: role('owner'), secret: need('private-repository') } as NeedMap
  const own = (aspect: string, title: string, judge: (t: CheckContext, events: Located[], secret: RepositoryName) => void) =>
    check({
      id: `${feed.id}.${aspect}`,
      requirement: aspect === 'private-marked' ? 'events.event.private' : 'events.user.private',
      level: 'must',
      title,
      needs,
      run: async (t, given) => {
        const { owner, secret, username } = given as { owner: Caller; secret: RepositoryName; username: string }
        await knownPrivate(t, secret, owner, username)
        const { items } = await open(t, feed, given as Resolved<Needs>, owner).walk()
        judge(
          t,
          items.filter(({ value }) => isOf(value, secret)),
          secret,
        )
      },
    })
  return [
    own('private-to-owner', 'shows the owner the private events', (t, events, secret) =>
      present(t, events, `an event of ${secret.owner}/${secret.repo}`),
    ),
    own('private-marked', 'marks private events public: false', (t, events) => allPrivate(t, events)),
  ]
}

/** A private repository's own feed: every event of it is private. */
export async function privateRepositoryIsMarked(t: CheckContext, { owner, repo }: RepositoryName, as: Caller): Promise<void> {
  const { items } = await new Listing(t, { endpoint: endpoints.repositoryEvents, params: { owner, repo }, as }).walk()
  allPrivate(t, items)
}

/** An app user's token with the Events permission sees the private events too (readings F14). */
export function eventsPermissionCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.events-permission`,
    requirement: 'events.access.events-user',
    level: 'should',
    title: "shows private events to the user's app token with the permission Events",
    needs: {
      ...feed.needs,
      owner: role('owner'),
      app: token({ kind: 'app-user', of: 'owner', permissions: { user: { events: 'read' } } }),
    } as NeedMap,
    run: async (t, given) => {
      const { owner, app } = given as { owner: Caller; app: Caller }
      const own = await open(t, feed, given as Resolved<Needs>, owner).walk()
      if (!own.items.some(({ value }) => isPrivate(value))) t.untested('the owner has no private event here')
      const { items, pages } = await open(t, feed, given as Resolved<Needs>, app).walk()
      present(
        t,
        items.filter(({ value }) => isPrivate(value)),
        'a private event',
        pages,
      )
    },
  })
}

/** What a user receives: events of watched repositories and of followed users. */
export function receivedChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const needs = { ...feed.needs, known: need('received-events') } as NeedMap
  const known = (
    aspect: string,
    title: string,
    what: (known: Known) => string,
    wanted: (event: unknown, known: Known) => boolean,
  ) =>
    check({
      id: `${feed.id}.${aspect}`,
      requirement: 'events.received.content',
      level: 'must',
      title,
      needs,
      run: async (t, given) => {
        const { known } = given as { known: Known }
        const { items, pages } = await open(t, feed, given as Resolved<Needs>).walk()
        present(
          t,
          items.filter(({ value }) => wanted(value, known)),
          what(known),
          pages,
        )
      },
    })
  return [
    known(
      'watched',
      'shows events of a watched repository',
      (known) => `an event of ${known.watchedRepository}`,
      (event, known) => sameName(repositoryName(event), known.watchedRepository),
    ),
    known(
      'followed',
      'shows events of a followed user',
      (known) => `an event of ${known.followedLogin}`,
      (event, known) => sameName(loginIn(event, 'actor'), known.followedLogin),
    ),
  ]
}

interface Known {
  readonly watchedRepository: string
  readonly followedLogin: string
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
      const [name = '', repo = ''] = known.watchedRepository.split('/')
      await knownPrivate(t, { owner: name, repo }, owner)
      const { items, pages } = await open(t, feed, given as Resolved<Needs>, owner).walk()
      present(
        t,
        items.filter(({ value }) => isOf(value, { owner: name, repo }) && isPrivate(value)),
        `a private event of ${known.watchedRepository}`,
        pages,
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

/** Ends the check unless the repository's own feed shows private events (of the actor, where one is given). */
async function knownPrivate(t: CheckContext, { owner, repo }: RepositoryName, as: Caller, actor?: string): Promise<void> {
  const { items } = await new Listing(t, { endpoint: endpoints.repositoryEvents, params: { owner, repo }, as }).walk()
  const own = items.filter(({ value }) => actor === undefined || sameName(loginIn(value, 'actor'), actor))
  if (own.length === 0) t.untested(`${owner}/${repo} shows no recent event${actor === undefined ? '' : ` of ${actor}`}`)
  if (actor === undefined && !own.some(({ value }) => isPrivate(value))) t.untested(`${owner}/${repo} shows no private event`)
}

function present(
  t: CheckContext,
  found: readonly Located[],
  what: string,
  pages: Parameters<CheckContext['deviation']>[0]['exchanges'] = [],
): void {
  if (found.length === 0) t.deviation({ expected: what, actual: 'none on any page', exchanges: pages })
  t.examined(found.length)
}

function allPrivate(t: CheckContext, events: readonly Located[]): void {
  t.expectAll(events, 'event of the private repository').satisfy(
    'public: false',
    isPrivate,
    () => 'an event of a private repository that is not',
  )
}

function isOf(event: unknown, { owner, repo }: RepositoryName): boolean {
  return sameName(repositoryName(event), `${owner}/${repo}`)
}

import type { Caller } from '../../src/http/caller.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type Needing, type NeedMap, need, type Resolved, role, token } from '../../src/suite/needs.ts'
import { type Feed, isPrivate, loginIn, open, repositoryName, sameName } from './feed.ts'
import { allPrivate, isOf, type RepositoryName, repositoryEvents, shows } from './known-events.ts'

/** The owner's own feed shows the private events that the owner is known to have, marked as such (readings C11). */
export function ownPrivateEventsChecks<const Needs extends NeedMap & { username: Needing<string> }>(feed: Feed<Needs>): Check[] {
  const needs = { ...feed.needs, owner: role('owner'), secret: need('private-repository') } as NeedMap
  return [
    check({
      id: `${feed.id}.private-to-owner`,
      requirement: 'events.user.private',
      level: 'must',
      title: 'includes private events for the owner',
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
      title: 'marks private events with public: false',
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
    title: "includes private events for the user's app user token with Events",
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

/** Following somebody opens none of their private repositories. */
export function foreignPrivateCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.private-foreign`,
    requirement: 'events.event.private',
    level: 'must',
    title: 'omits events of a private repository that the reader cannot access',
    conclusive: true,
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

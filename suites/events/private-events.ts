import { type Check, check } from '../../src/suite/check.ts'
import { loginOf, type NeedMap, need, role, token } from '../../src/suite/needs.ts'
import { type Feed, isPrivate, loginIn, open, repositoryName, sameName } from './feed.ts'
import { allPrivate, isOf, repositoryEvents, shows } from './known-events.ts'

/** The owner's own feed shows the private events that the owner is known to have, marked as such (readings C11). */
export function ownPrivateEventsChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const also = { owner: role('owner'), secret: need('private-repository') }
  return [
    check({
      id: `${feed.id}.private-to-owner`,
      requirement: 'events.user.private',
      level: 'must',
      title: 'includes private events for the owner',
      needs: feed.needs,
      also: { ...also, username: loginOf('owner') },
      run: async (t, needs, { owner, secret, username }) => {
        const known = (await repositoryEvents(t, secret, owner)).filter(({ value }) =>
          sameName(loginIn(value, 'actor'), username),
        )
        shows(t, await open(t, feed, needs, owner).walk(), known, (event) => isOf(event, secret))
      },
    }),
    check({
      id: `${feed.id}.private-marked`,
      requirement: 'events.event.private',
      level: 'must',
      title: 'marks private events with public: false',
      needs: feed.needs,
      also,
      run: async (t, needs, { owner, secret }) => {
        const { items } = await open(t, feed, needs, owner).walk()
        allPrivate(
          t,
          items.filter(({ value }) => isOf(value, secret)),
        )
      },
    }),
  ]
}

/** A private repository's own feed: every event of it is private. */
export function privateMarkedCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.private-marked`,
    requirement: 'events.event.private',
    level: 'must',
    title: 'marks every event of a private repository with public: false',
    needs: { secret: need('private-repository'), owner: role('owner') },
    run: async (t, { secret, owner }) => allPrivate(t, await repositoryEvents(t, secret, owner)),
  })
}

/** An app user's token with the Events permission sees the private events too (readings F14). */
export function eventsPermissionCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  const app = token({ kind: 'app-user', of: 'owner', permissions: { user: { events: 'read' } } })
  return check({
    id: `${feed.id}.events-permission`,
    requirement: 'events.access.events-user',
    level: 'should',
    title: "includes private events for the user's app user token with Events",
    needs: feed.needs,
    also: { owner: role('owner'), app },
    run: async (t, needs, { owner, app }) => {
      const own = await open(t, feed, needs, owner).walk()
      shows(
        t,
        await open(t, feed, needs, app).walk(),
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
    needs: feed.needs,
    also: { foreign: need('foreign-private-repository') },
    run: async (t, needs, { foreign }) => {
      const { items } = await open(t, feed, needs).walk()
      t.expectAll(items, 'event').satisfy(
        `no event of ${foreign.owner}/${foreign.repo}`,
        (event) => !isOf(event, foreign),
        repositoryName,
      )
    },
  })
}

import type { Caller } from '../../src/http/exchange/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Listing } from '../../src/suite/listing.ts'
import { loginOf, type NeedMap, need, role, token } from '../../src/suite/needs.ts'
import { requireToldApart } from '../common/access.ts'
import { type Feed, isPrivate, loginIn, open, openAt, repositoryName, sameName } from './feed.ts'
import { allPrivate, expectListed, isOf, type RepositoryName, repositoryEvents } from './known-events.ts'

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
        await expectListed(t, open(t, feed, needs, owner), known)
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

/** A private repository's own feed: every event of it is private, and those of the owner's feed are there. */
export function ownRepositoryChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const needs = { secret: need('private-repository'), owner: role('owner') }
  return [
    check({
      id: `${feed.id}.private-marked`,
      requirement: 'events.event.private',
      level: 'must',
      title: 'marks every event of a private repository with public: false',
      needs,
      run: async (t, { secret, owner }) => allPrivate(t, await repositoryEvents(t, secret, owner)),
    }),
    check({
      id: `${feed.id}.private-to-owner`,
      requirement: 'events.feeds.scope',
      level: 'should',
      title: "includes the events of a private repository that the owner's own feed shows",
      needs,
      also: { username: loginOf('owner') },
      run: async (t, { secret, owner }, { username }) => {
        const own = await new Listing(t, { endpoint: endpoints.userEvents, params: { username }, as: owner }).walk()
        const known = own.items.filter(({ value }) => isPrivate(value) && isOf(value, secret))
        await expectListed(t, openAt(t, feed, { params: { ...secret }, as: owner }), known)
      },
    }),
  ]
}

/** The user's own app user and fine-grained tokens with the Events permission see the private events too (readings F14). */
export function eventsPermissionChecks<const Needs extends NeedMap>(feed: Feed<Needs>): Check[] {
  const claims = [
    { kind: 'app-user', aspect: 'events-permission' },
    { kind: 'fine-grained', aspect: 'events-permission-fine-grained' },
  ] as const
  return claims.map(({ kind, aspect }) =>
    check({
      id: `${feed.id}.${aspect}`,
      requirement: 'events.access.events-user',
      level: 'should',
      title: `includes private events for the user's ${kind} token with Events`,
      needs: feed.needs,
      also: { owner: role('owner'), holder: token({ kind, of: 'owner', permissions: { user: { events: 'read' } } }) },
      run: async (t, needs, { owner, holder }) => {
        const own = await open(t, feed, needs, owner).walk()
        const secret = own.items.filter(({ value }) => isPrivate(value))
        const listing = open(t, feed, needs, holder)
        await expectListed(t, listing, secret)
        await requireToldApart(t, listing.request())
      },
    }),
  )
}

/** Following somebody opens none of their private repositories: in the reader's own feed, or in theirs (`ofFollowed`). */
export function foreignPrivateCheck<const Needs extends NeedMap>(
  feed: Feed<Needs>,
  { ofFollowed = false }: { readonly ofFollowed?: boolean } = {},
): Check {
  return check({
    id: `${feed.id}.private-foreign`,
    requirement: 'events.event.private',
    level: 'must',
    title: 'omits events of a private repository that the reader cannot access',
    conclusive: true,
    needs: feed.needs,
    also: { foreign: need('foreign-private-repository') },
    run: async (t, needs, { foreign }) => {
      const address = feed.at(needs)
      const params = ofFollowed ? { ...address.params, username: foreign.followed } : address.params
      const { items } = await openAt(t, feed, { ...address, ...(params ? { params } : {}) }).walk()
      t.expectAll(items, 'event').satisfy(
        `no event of ${foreign.owner}/${foreign.repo}`,
        (event) => !isOf(event, foreign),
        repositoryName,
      )
      await requireClosed(t, foreign, address.as)
    },
  })
}

/** The control: the repository is closed to the reader, so that there is something to omit (readings G15). */
async function requireClosed(t: CheckContext, { owner, repo }: RepositoryName, as: Caller): Promise<void> {
  const answer = await t.read({ endpoint: endpoints.repositoryEvents, params: { owner, repo }, as })
  if (answer.ok) t.untested(`the reader may read ${owner}/${repo}, so its events are no secret`, 'foreign-private-repository')
}

import type { Level } from '../../src/spec/level.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Listing } from '../../src/suite/listing.ts'
import { isObject } from '../../src/suite/located.ts'
import { loginOf, type Needing, type NeedMap, need } from '../../src/suite/needs.ts'
import { type Feed, loginIn, open, openAt, repositoryName, sameName } from './feed.ts'
import type { RepositoryName } from './known-events.ts'

/** Something without any event has an empty feed. */
export function emptyFeedCheck<const Needs extends NeedMap, Given>(
  feed: Feed<Needs>,
  empty: Needing<Given>,
  params: (given: Given) => Record<string, string>,
): Check {
  return check({
    id: `${feed.id}.empty`,
    requirement: 'events.feeds.status',
    level: 'must',
    title: 'returns 200 with an empty array when there are no events',
    needs: feed.needs,
    also: { empty },
    run: async (t, needs, { empty: given }) => {
      const address = { ...feed.at(needs), params: params(given) }
      const answer = await t.read(openAt(t, feed, address).request())
      t.expect(answer).status(200).array()
      const { json } = answer
      if (Array.isArray(json) && json.length > 0) {
        t.deviation({ expected: 'an empty array', actual: `${json.length} events`, exchanges: [answer] })
      }
    },
  })
}

/** Where the feed is about an organisation, its events say which (readings C2). */
export function organizationPresentCheck<const Needs extends NeedMap>(feed: Feed<Needs>, level: Level): Check {
  return check({
    id: `${feed.id}.org-present`,
    requirement: 'events.event.org',
    level,
    title: 'includes the organisation in every event',
    needs: feed.needs,
    run: async (t, needs) => {
      const { items } = await open(t, feed, needs).walk()
      t.expectAll(items, 'event').satisfy(
        'a member org',
        (event) => isObject(event) && isObject(event.org),
        () => 'an event without org',
      )
    },
  })
}

/** Only the organisation's events. */
export function organizationScopeCheck<const Needs extends NeedMap>(feed: Feed<Needs>, level: Level): Check {
  return check({
    id: `${feed.id}.scope`,
    requirement: 'events.feeds.scope',
    level,
    title: 'lists only events of the organisation in the path',
    needs: feed.needs,
    also: { organization: need('organization') },
    run: async (t, needs, { organization: { org } }) => {
      const { items } = await open(t, feed, needs).walk()
      const named = items.filter(({ value }) => isObject(value) && isObject(value.org))
      t.expectAll(named, 'event with org').satisfy(`the organisation ${org}`, (event) => sameName(loginIn(event, 'org'), org))
    },
  })
}

/** Only the user's own doings (readings C21: expected, not stated). */
export function actorScopeCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.scope`,
    requirement: 'events.feeds.scope',
    level: 'should',
    title: 'lists only events of which the user in the path is the actor',
    needs: feed.needs,
    also: { username: loginOf('owner') },
    run: async (t, needs, { username }) => {
      const { items } = await open(t, feed, needs).walk()
      t.expectAll(items, 'event').satisfy(`the actor ${username}`, (event) => sameName(loginIn(event, 'actor'), username))
    },
  })
}

/** Only the repository's events; a former name is fine where the id stays the same (readings C22). */
export function repositoryScopeCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.scope`,
    requirement: 'events.feeds.scope',
    level: 'must',
    title: 'lists only events of the repository in the path',
    needs: feed.needs,
    also: { repository: need('public-repository') },
    run: async (t, needs, { repository }) => oneRepository(t, open(t, feed, needs), repository),
  })
}

async function oneRepository(t: CheckContext, list: Listing, { owner, repo }: RepositoryName): Promise<void> {
  const name = `${owner}/${repo}`
  const { items } = await list.walk()
  const known = items.filter(({ value }) => sameName(repositoryName(value), name)).map(({ value }) => idOf(value))
  const ids = new Set(known.length > 0 ? known : items.map(({ value }) => idOf(value)))
  t.expectAll(items, 'event').satisfy(
    `the repository ${name}`,
    (event) => sameName(repositoryName(event), name) || (ids.size === 1 && ids.has(idOf(event))),
    repositoryName,
  )
}

function idOf(event: unknown): unknown {
  return isObject(event) && isObject(event.repo) ? event.repo.id : undefined
}

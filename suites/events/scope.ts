import type { Level } from '../../src/spec/requirements.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Listing } from '../../src/suite/listing.ts'
import { isObject, type Located } from '../../src/suite/located.ts'
import { loginOf, type Needing, type NeedMap, need, optional, type Resolved } from '../../src/suite/needs.ts'
import { type Feed, isPrivate, loginIn, open, openAt, repositoryName, sameName } from './feed.ts'
import { expectListed, type RepositoryName } from './known-events.ts'
import { showsSome } from './visibility.ts'

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

const others = {
  member: optional(loginOf('member')),
  outsider: optional(loginOf('outsider')),
  third: optional(loginOf('inbox-user')),
}

/** A user of whom nothing is known has a feed as well, empty perhaps. */
export function everyUserCheck<const Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return check({
    id: `${feed.id}.other-users`,
    requirement: 'events.feeds.status',
    level: 'must',
    title: 'returns 200 with an array for other users, whatever they have done',
    needs: feed.needs,
    also: others,
    run: async (t, needs, { member, outsider, third }) => {
      await open(t, feed, needs).page()
      for (const username of [member, outsider, third].filter((login) => login !== undefined)) {
        const answer = await t.read(openAt(t, feed, { ...feed.at(needs), params: { username } }).request())
        t.expect(answer).status(200).array()
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

/** What another feed shows of this one's subject is listed here as well (readings C20: expected, not stated). */
export function completeCheck<const Needs extends NeedMap>(
  feed: Feed<Needs>,
  elsewhere: (t: CheckContext, needs: Resolved<Needs>) => Promise<readonly Located[]>,
): Check {
  return check({
    id: `${feed.id}.complete`,
    requirement: 'events.feeds.scope',
    level: 'should',
    title: 'includes the events that another feed shows of the same subject',
    needs: feed.needs,
    asks: ['public-repository'],
    run: async (t, needs) => {
      const known = (await elsewhere(t, needs)).filter(({ value }) => !isPrivate(value))
      await expectListed(t, open(t, feed, needs), known)
    },
  })
}

/** A feed that cannot be compared event by event is not empty where another feed shows something of its subject. */
export function notEmptyCheck<const Needs extends NeedMap>(
  feed: Feed<Needs>,
  elsewhere: (t: CheckContext, needs: Resolved<Needs>) => Promise<readonly Located[]>,
): Check {
  return check({
    id: `${feed.id}.not-empty`,
    requirement: 'events.feeds.scope',
    level: 'should',
    title: 'includes events where another feed shows some of the same subject',
    needs: feed.needs,
    asks: ['public-repository'],
    run: async (t, needs) => {
      const source = (await elsewhere(t, needs))[0] ?? t.untested('the feed to compare with contains no event')
      showsSome(t, await open(t, feed, needs).page(), source.exchange)
      t.examined(1)
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

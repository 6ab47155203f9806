import type { Level } from '../../src/spec/requirements.ts'
import type { Check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { isObject, type Located } from '../../src/suite/located.ts'
import { loginOf, type Needing, type NeedMap, need, optional, type Resolved } from '../../src/suite/needs.ts'
import { requireGiven } from '../common/served.ts'
import { type Feed, isBy, isPrivate, loginIn, open, openAt, repositoryName, sameName } from './feed.ts'
import { expectListed, expectSome, isOf } from './known-events.ts'

const scope = 'events.feeds.scope'

/** The feed of an organisation or repository without any event is empty. */
export function emptyFeedCheck<Needs extends NeedMap, Given>(
  feed: Feed<Needs>,
  empty: Needing<Given>,
  params: (given: Given) => Record<string, string>,
): Check {
  return feed.check(
    'empty',
    'returns 200 with an empty array when there are no events',
    { requirement: 'events.feeds.status', also: { empty } },
    async (t, needs, { empty: given }) => {
      const request = openAt(t, feed, { ...feed.at(needs), params: params(given) }).request()
      const answer = await t.read(request)
      if (answer.refused) await requireGiven(t, request, 'repo' in params(given) ? 'empty-repository' : 'empty-organization')
      t.expect(answer).status(200).array()
      const count = Array.isArray(answer.json) ? answer.json.length : 0
      t.expect(answer).satisfy('an empty array', count === 0, `${count} events`)
    },
  )
}

const others = {
  member: optional(loginOf('member')),
  outsider: optional(loginOf('outsider')),
  third: optional(loginOf('inbox-user')),
}

/** Every user has a feed, possibly an empty one. */
export function everyUserCheck<Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return feed.check(
    'other-users',
    'returns 200 with an array for other users, even without any events',
    { requirement: 'events.feeds.status', also: others },
    async (t, needs, { member, outsider, third }) => {
      await open(t, feed, needs).page()
      for (const username of [member, outsider, third].filter((login) => login !== undefined)) {
        const answer = await t.read(openAt(t, feed, { ...feed.at(needs), params: { username } }).request())
        t.expect(answer).status(200).array()
      }
    },
  )
}

/** Where the feed is about an organisation, its events name the organisation (readings C2). */
export function organizationPresentCheck<Needs extends NeedMap>(feed: Feed<Needs>, level: Level): Check {
  const own = { requirement: 'events.event.org', level }
  return feed.check('org-present', 'includes the organisation in every event', own, async (t, needs) => {
    const { items } = await open(t, feed, needs).walk()
    const hasOrganization = (event: unknown) => isObject(event) && isObject(event.org)
    t.expectAll(items, 'event').satisfy('a member org', hasOrganization, () => 'an event without org')
  })
}

type ReadElsewhere<Needs extends NeedMap> = (t: CheckContext, needs: Resolved<Needs>) => Promise<readonly Located[]>

/** The feed lists the events of another feed that concern its subject (readings C20: expected, not stated). */
export function completeCheck<Needs extends NeedMap>(feed: Feed<Needs>, elsewhere: ReadElsewhere<Needs>): Check {
  return feed.check(
    'complete',
    'includes the events of another feed about the same subject',
    { requirement: scope, level: 'should', asks: ['public-repository'] },
    async (t, needs) => {
      const known = (await elsewhere(t, needs)).filter(({ value }) => !isPrivate(value))
      await expectListed(t, open(t, feed, needs), known)
    },
  )
}

/** A feed that cannot be compared event by event is not empty where another feed has events of its subject. */
export function notEmptyCheck<Needs extends NeedMap>(feed: Feed<Needs>, elsewhere: ReadElsewhere<Needs>): Check {
  return feed.check(
    'not-empty',
    'includes events where another feed has some about the same subject',
    { requirement: scope, level: 'should', asks: ['public-repository'] },
    async (t, needs) => {
      const source = (await elsewhere(t, needs))[0] ?? t.untested('the feed to compare with contains no event')
      expectSome(t, await open(t, feed, needs).page(), source.exchange)
      t.examined(1)
    },
  )
}

/** The feed lists only events of the organisation. */
export function organizationScopeCheck<Needs extends NeedMap>(feed: Feed<Needs>, level: Level): Check {
  return feed.check(
    'scope',
    'lists only events of the organisation in the path',
    { requirement: scope, level, also: { organization: need('organization') } },
    async (t, needs, { organization: { org } }) => {
      const { items } = await open(t, feed, needs).walk()
      const named = items.filter(({ value }) => isObject(value) && isObject(value.org))
      t.expectAll(named, 'event with org').satisfy(`the organisation ${org}`, (event) => sameName(loginIn(event, 'org'), org))
    },
  )
}

/** The feed lists only events of the user (readings C21: expected, not stated). */
export function actorScopeCheck<Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return feed.check(
    'scope',
    'lists only events of which the user in the path is the actor',
    { requirement: scope, level: 'should', also: { username: loginOf('owner') } },
    async (t, needs, { username }) => {
      const { items } = await open(t, feed, needs).walk()
      t.expectAll(items, 'event').satisfy(`the actor ${username}`, (event) => isBy(event, username))
    },
  )
}

/** The feed lists only events of the repository; a former name is permitted where the id stays the same (readings C22). */
export function repositoryScopeCheck<Needs extends NeedMap>(feed: Feed<Needs>): Check {
  return feed.check(
    'scope',
    'lists only events of the repository in the path',
    { requirement: scope, also: { repository: need('public-repository') } },
    async (t, needs, { repository }) => {
      const { items } = await open(t, feed, needs).walk()
      const named = items.filter(({ value }) => isOf(value, repository))
      const ids = new Set((named.length > 0 ? named : items).map(({ value }) => repositoryId(value)))
      t.expectAll(items, 'event').satisfy(
        `the repository ${repository.owner}/${repository.repo}`,
        (event) => isOf(event, repository) || (ids.size === 1 && ids.has(repositoryId(event))),
        repositoryName,
      )
    },
  )
}

function repositoryId(event: unknown): unknown {
  return isObject(event) && isObject(event.repo) ? event.repo.id : undefined
}

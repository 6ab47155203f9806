import type { Caller } from '../../src/http/exchange/caller.ts'
import { isRedirect, redirectTarget } from '../../src/http/exchange/redirect.ts'
import type { NeedName } from '../../src/spec/needs.ts'
import type { Level } from '../../src/spec/requirements.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { ListItem } from '../../src/suite/listing.ts'
import { isObject, itemsOf, type JsonObject, type Located } from '../../src/suite/located.ts'
import {
  loginOf,
  type Needing,
  type NeedMap,
  need,
  optional,
  type Resolved,
  reader,
} from '../../src/suite/needs.ts'
import { show } from '../../src/text/format.ts'
import { readRenamed, unknownName } from '../common/names.ts'
import { unlessUntested } from '../common/proof.ts'
import { requireGiven } from '../common/served.ts'
import {
  createdAt,
  type Feed,
  isBy,
  isPrivate,
  open,
  openAt,
  ownEvents,
  repositoryName,
  sameName,
} from './feed.ts'
import { commonOf, dueIn, expectNotEmpty, isOf, repositoryEvents } from './known-events.ts'

const scope = 'events.feeds.scope'

/** The feed of an organization or repository without any event is empty. */
export function emptyFeed<Needs extends NeedMap, Given>(
  feed: Feed<Needs>,
  empty: Needing<Given>,
  params: (given: Given) => Record<string, string>,
) {
  return feed.check(
    'empty',
    'returns 200 with an empty array when there are no events',
    { requirement: 'events.feeds.status', also: { empty } },
    async (t, needs, { empty: given }) => {
      const request = openAt(t, feed, { ...feed.at(needs), params: params(given) }).request()
      const response = await t.read(request)
      const of = 'repo' in params(given) ? 'empty-repository' : 'empty-organization'
      if (response.refused) await requireGiven(t, request, of)
      t.expect(response).status(200).array()
      const place = Object.values(params(given)).join('/')
      const isOwn = ({ value }: Located) =>
        `${repositoryName(value)}/`.toLowerCase().startsWith(`${place}/`.toLowerCase())
      if (response.count > 0 && itemsOf(response).every(isOwn))
        t.untested(`${place} has events`, of)
      t.expect(response).satisfy('an empty array', response.count === 0, `${response.count} events`)
    },
  )
}

const others = {
  member: optional(loginOf('member')),
  outsider: optional(loginOf('outsider')),
  third: optional(loginOf('inbox-user')),
}

/** Every user has a feed, possibly an empty one. */
export function everyUser<Needs extends NeedMap>(feed: Feed<Needs>) {
  return feed.check(
    'other-users',
    'returns 200 with an array for other users, even without any events',
    { requirement: 'events.feeds.status', also: others },
    async (t, needs, { member, outsider, third }) => {
      await open(t, feed, needs).page()
      for (const username of [member, outsider, third].filter((login) => login !== undefined)) {
        const response = await t.read(
          openAt(t, feed, { ...feed.at(needs), params: { username } }).request(),
        )
        t.expect(response).status(200).array()
      }
    },
  )
}

/** Where the feed is about an organization, its events name the organization (readings C2). */
export function organizationPresent<Needs extends NeedMap>(feed: Feed<Needs>, level: Level) {
  return feed.check(
    'org-present',
    'includes the organization in every event',
    { requirement: 'events.event.org', level, schedule: 'afterwards' },
    async (t, needs) => {
      t.expectAll(await ownEvents(t, feed, needs), 'event').satisfy('a member org', ({ org }) =>
        isObject(org),
      )
    },
  )
}

type ReadElsewhere<Needs extends NeedMap> = (
  t: CheckContext,
  needs: Resolved<Needs>,
) => Promise<readonly ListItem[]>

/**
 * A feed is not empty where another one has events of its subject. No feed but the received events promises that it is complete
 * (readings C20).
 */
export function notEmpty<Needs extends NeedMap>(
  feed: Feed<Needs>,
  elsewhere: ReadElsewhere<Needs>,
  asked: NeedName = 'public-repository',
) {
  return feed.check(
    'not-empty',
    'includes events, as they are in another feed about the same subject',
    {
      requirement: scope,
      level: 'should',
      asks: [asked],
      also: { member: others.member },
    },
    async (t, needs, { member }) => {
      const expectSomeOf = async (of: Resolved<Needs>) => {
        const known = (await elsewhere(t, of)).filter(({ value }) => !isPrivate(value))
        await expectNotEmpty(t, open(t, feed, of), known)
      }
      await expectSomeOf(needs)
      // The watched repository of another user is not known.
      const isOfUser = 'username' in needs && asked === 'public-repository' && !feed.ownerOnly
      if (member && isOfUser) await unlessUntested(expectSomeOf({ ...needs, username: member }))
    },
  )
}

/** The feed lists only events of the organization. */
export function ofOrganization<Needs extends NeedMap>(feed: Feed<Needs>, level: Level) {
  return feed.check(
    'scope',
    'lists only events of the organization in the path',
    {
      requirement: scope,
      level,
      also: { organization: need('organization') },
      schedule: 'afterwards',
    },
    async (t, needs, { organization: { org } }) => {
      const events = (await ownEvents(t, feed, needs)).filter(({ value }) => isObject(value.org))
      const named = events.filter(({ value }) =>
        sameName(String((value.org as JsonObject).login), org),
      )
      const known =
        named.length > 0 ? [] : await inPublicRepository(t, events, org, feed.at(needs).as)
      t.expectAll(events, 'event with org').satisfy(
        `the organization ${org} with the same id`,
        hasIdOf('org', named, known),
        ({ org: own }) => show(own),
      )
    },
  )
}

/** The events of an organization that the feed of its public repository lists as well, for one that was renamed. */
async function inPublicRepository(
  t: CheckContext,
  events: readonly Located<JsonObject>[],
  org: string,
  as: Caller,
) {
  const place = await t.ask('public-repository', {})
  const listed = sameName(place.owner, org) ? await repositoryEvents(t, place, as) : []
  const common = commonOf(events, listed)
  const isKnown = common.length > 0 || dueIn({ items: events }, listed).length > 0
  return isKnown
    ? common
    : t.untested(
        `no event names ${org}, or is known from a public repository of it`,
        'public-repository',
      )
}

/** The feed lists only events of the user (readings C21: expected, not stated). */
export function ofActor<Needs extends NeedMap>(feed: Feed<Needs>) {
  return feed.check(
    'scope',
    'lists only events of which the user in the path is the actor',
    {
      requirement: scope,
      level: 'should',
      also: { username: loginOf('owner') },
      schedule: 'afterwards',
    },
    async (t, needs, { username }) => {
      const events = await ownEvents(t, feed, needs)
      const named = events.filter(({ value }) => isBy(value, username))
      t.expectAll(events, 'event').satisfy(`the actor ${username}`, hasIdOf('actor', named, events))
    },
  )
}

/** True for an event with the id of those with the present name, which has two owners at most, or with the one id of `others` (readings C22). */
function hasIdOf(
  part: 'actor' | 'org' | 'repo',
  named: readonly Located<JsonObject>[],
  others: typeof named,
) {
  const idOf = (event: JsonObject) => isObject(event[part]) && event[part].id
  const [some, most] = named.length > 0 ? [named, 2] : [others, 1]
  const dated = some
    .toSorted((a, b) => createdAt(a.value) - createdAt(b.value))
    .map(({ value }) => idOf(value))
  const ids = dated.filter((id, index) => index === 0 || id !== dated[index - 1])
  return (event: JsonObject) => ids.length <= most && ids.includes(idOf(event))
}

/** The feed lists only events of the repository; a former name is permitted where the id stays the same (readings C22). */
export function ofRepository<Needs extends NeedMap>(feed: Feed<Needs>) {
  return feed.check(
    'scope',
    'lists only events of the repository in the path',
    {
      requirement: scope,
      also: { repository: need('public-repository') },
      schedule: 'afterwards',
    },
    async (t, needs, { repository }) => {
      const items = await ownEvents(t, feed, needs)
      const isNamed = ({ value }: Located<JsonObject>) => isOf(value, repository)
      const isSame = hasIdOf('repo', items.filter(isNamed), items)
      const isOwn = (event: JsonObject) => isOf(event, repository) || isSame(event)
      t.expectAll(items, 'event').satisfy(
        `the repository ${repository.owner}/${repository.repo}`,
        isOwn,
        repositoryName,
      )
    },
  )
}

const movedNeeds = { former: need('renamed-repository'), reader: reader() }
type Moved = Resolved<typeof movedNeeds>

/** Networks of repositories that do not exist or have moved (document: Endpoints, Event feeds). */
export function networks<Needs extends NeedMap>(feed: Feed<Needs>) {
  const missing = feed.with({ requirement: 'events.network.not-found' })
  const readMissing = async (t: CheckContext, needs: Resolved<Needs>) => {
    await open(t, feed, needs).page()
    const address = { ...feed.at(needs), endpoint: feed.endpoint }
    return [await readRenamed(t, address, 'repo'), await readRenamed(t, address, 'owner')]
  }
  const moved = feed.with({
    needs: movedNeeds,
    requirement: 'events.network.moved',
    level: 'should',
  })
  return [
    missing.check('missing', 'rejects a repository that does not exist', async (t, needs) => {
      for (const response of await readMissing(t, needs))
        t.expect(response).satisfy(
          '404',
          response.status >= 400 && !response.broken,
          String(response.status),
        )
    }),
    missing.check(
      'missing-exact',
      'returns 404 for a repository that does not exist',
      { level: 'should' },
      async (t, needs) => {
        const rejections = (await readMissing(t, needs)).filter(({ rejected }) => rejected)
        if (rejections.length === 0)
          t.untested('no request was rejected, which another check judges')
        for (const response of rejections) t.expect(response).status(404)
      },
    ),
    moved.check(
      'moved',
      'returns 301 or 200 for the former address of a moved repository',
      { level: 'must' },
      async (t, resolved) => {
        const response = await readFormer(t, feed, resolved)
        if (response.refused) {
          t.observe('a former name', `${response.status}`, '301, or the feed')
          t.untested(`the former name returns ${response.status}`)
        }
        t.expect(response).status(301, 200)
      },
    ),
    moved.check(
      'moved-location',
      'returns the current feed for the former address of a moved repository',
      (t, resolved) => expectLeadsOn(t, feed, resolved),
    ),
  ]
}

/** Reads a former address. The control: the present name has a feed, and a name that does not exist has none (readings G15). */
async function readFormer<Needs extends NeedMap>(t: CheckContext, feed: Feed<Needs>, moved: Moved) {
  const { present, request } = addressesOf(t, feed, moved)
  await present.page()
  const unknown = await t.read({ ...request, params: { ...request.params, repo: unknownName } })
  if (unknown.ok) t.untested('a name that does not exist is served as well')
  return t.read({ ...request, direct: true })
}

/** The feed of a moved repository, and the request for its former address. */
function addressesOf<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  { former: { owner, repo, newOwner, newRepo }, reader: as }: Moved,
) {
  const at = (params: Record<string, string>) => openAt(t, feed, { params, as })
  return {
    present: at({ owner: newOwner, repo: newRepo }),
    request: at({ owner, repo }).request(),
  }
}

async function expectLeadsOn<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  moved: Moved,
) {
  const { present, request } = addressesOf(t, feed, moved)
  const redirect = await t.read({ ...request, direct: true })
  if (redirect.refused) t.untested('the former name is rejected')
  const target = isRedirect(redirect) ? await t.send(request) : redirect
  if (redirectTarget(target)?.sameOrigin === false) return t.examined(1)
  const location = redirect.header('location') ?? 'no Location'
  t.expect(redirect).satisfy('a Location that can be followed', !isRedirect(target), location)
  t.expect(target).status(200).array()
  const page = await present.freshPage()
  const [wanted, ids] = [new Set(present.ids(page)), present.ids(target)]
  // Two readings of one feed have events in common, unless one of them has none.
  const common = ids.length === 0 || wanted.size === 0 || ids.some((id) => wanted.has(id))
  t.expect(target, page).satisfy(
    'the feed of the repository under its current name',
    common,
    'the events of another feed',
  )
}

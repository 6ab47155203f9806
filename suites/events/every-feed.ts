import { anonymous } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { isLatest } from '../../src/spec/versions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Listing } from '../../src/suite/listing.ts'
import {
  isObject,
  itemsOf,
  type JsonObject,
  type Located,
  member,
} from '../../src/suite/located.ts'
import { type NeedMap, optional, type Resolved, role } from '../../src/suite/needs.ts'
import { eventually } from '../../src/suite/observe.ts'
import { entityTag } from '../../src/suite/poll-session.ts'
import { remembered } from '../../src/text/data.ts'
import { show } from '../../src/text/format.ts'
import { expectSizes } from '../common/page-sizes.ts'
import { pagingChecks } from '../common/paging.ts'
import { anonymousPollingCheck, pollingChecks } from '../common/polling.ts'
import { apart } from '../common/polls.ts'
import { givenParameters, unlessUntested } from '../common/proof.ts'
import { embeddedRemovals, removedFieldChecks } from '../common/removed-fields.ts'
import { servedChecks } from '../common/served.ts'
import {
  addressOf,
  createdAt,
  eventId,
  type Feed,
  factsOf,
  furtherFeeds,
  isPrivate,
  open,
  openAt,
  recordedEvents,
} from './feed.ts'
import { isPastLatency } from './known-events.ts'

/** The checks of every event feed. */
export function feedChecks<Needs extends NeedMap>(feed: Feed<Needs>, excuses: readonly number[]) {
  const { endpoint } = feed
  const at = (resolved: Resolved<Needs>) => ({ ...feed.at(resolved), endpoint })
  const polled = {
    at,
    validator: entityTag,
    requirement: 'polling.etag',
    isOld: isPastLatency,
    further: feed.further ?? [],
    kinds: feed.kinds ?? [],
  }
  return [
    ...servedChecks(feed, { at, requirement: 'events.feeds.status', excuses }),
    ...eventShapeChecks(feed),
    ...pagingChecks(feed, { at, paging: endpoint.paging }),
    ...pollingChecks(feed, { ...polled, recorded: endpoint }),
    ...(feed.ownerOnly ? [] : [anonymousPollingCheck(feed, polled), anonymousPagingCheck(feed)]),
    unquotedValidatorCheck(feed),
    newEventCheck(feed),
    ...removedFieldChecks(feed, {
      fields: Object.values(embeddedRemovals),
      read: (t, resolved) => open(t, feed, resolved).walk(),
    }),
  ]
}

/** The check of an unquoted validator. It uses a token without earlier polls, so that it need not wait for the interval. */
function unquotedValidatorCheck<Needs extends NeedMap>(feed: Feed<Needs>) {
  return feed.check(
    'unquoted-validator',
    'ignores an ETag that is sent back without its quotes',
    {
      requirement: 'polling.etag-quotes',
      level: 'should',
      also: { outsider: optional(role('outsider')) },
      slow: true,
    },
    async (t, needs, { outsider = anonymous }) => {
      const address = feed.ownerOnly
        ? await apart(t, { ...feed.at(needs), endpoint: feed.endpoint }, ['gist'])
        : undefined
      const list = open(t, feed, needs, address?.as ?? outsider)
      await open(t, feed, needs).page()
      const page = await list.freshPage()
      const bare = /^(?:W\/)?"(.+)"$/.exec(page.header('ETag') ?? '')?.[1]
      const response = await t.pollAgain(
        list.request(),
        entityTag,
        bare ?? t.untested('the response has no quoted ETag'),
      )
      t.expect(response, page).satisfy(
        '200 for a validator without quotes',
        response.status !== 304,
        '304',
      )
    },
  )
}

/** The check that a new event changes the validator. It runs after the other checks, since the event is in other feeds too. */
function newEventCheck<Needs extends NeedMap>(feed: Feed<Needs>) {
  return feed.check(
    'old-validator',
    'returns 200 for a stale ETag after a new event',
    {
      requirement: 'polling.etag',
      asks: ['new-event'],
      touches: [{ what: 'feeds', how: 'adds' }],
      writes: true,
      slow: true,
    },
    async (t, needs) => {
      const list = open(t, feed, needs)
      const first = await list.page()
      // A smaller page changes as well, under the newer version the second one, also for a caller without a token where one is served.
      const query = {
        per_page: 10,
        ...(isLatest(t) && first.count > 10 ? { page: 2 } : {}),
      }
      const others = open(t, feed, needs, anonymous)
      const smaller = feed.ownerOnly
        ? undefined
        : await unlessUntested(t.read({ ...others.request(query), extra: 'without a token' }))
      const pages = [
        { list, query: {}, before: first },
        smaller?.count
          ? { list: others, query, before: smaller }
          : { list, query, before: await list.page(query) },
      ]
      const secret =
        feed.endpoint === endpoints.repositoryEvents
          ? await givenParameters(t, 'private-repository')
          : undefined
      if (secret) {
        const hidden = openAt(t, feed, { ...feed.at(needs), ...secret })
        pages.push({ list: hidden, query: {}, before: await t.read(hidden.request()) })
        await t.ask('new-event', { feed: hidden.path })
      }
      await t.ask('new-event', { feed: list.path })
      for (const { list: each, query, before } of pages) {
        const tag = before.header('ETag') ?? t.untested('the response has no ETag to send back')
        const poll = () => t.pollAgain(each.request(query), entityTag, tag)
        const isChanged = (page: Exchange) => page.status !== 304 && !each.same(before, page)
        const changed = async () => isChanged(await each.freshPage(query)) || undefined
        const first = await poll()
        const isNew =
          isChanged(first) || (await eventually(t, 'a new event to appear', changed)).met
        // A conditional request may be answered from an older copy for a while (readings G16).
        const refused = () =>
          eventually(t, 'the stale ETag to be refused', poll, ({ status }) => status !== 304)
        const response = isNew && !isChanged(first) ? (await refused()).last : first
        if (isNew) expectOldToo(t, before, await each.freshPage(query), response)
        // A private event does not appear for a caller without a token, and the provider may make public ones alone.
        else if (each === list) t.untested('no new event appeared in time on page 1 of the feed')
      }
    },
  )
}

/**
 * Expects a whole page in response to a stale ETag. A page as long as the present one may have new events only (readings G16).
 */
function expectOldToo(t: CheckContext, before: Exchange, now: Exchange, response: Exchange) {
  t.expect(response).status(200).array()
  const idsOf = (page: Exchange) =>
    itemsOf(page)
      .filter(isPastLatency)
      .map(({ value }) => eventId(value))
  const [present, listed] = [idsOf(now), idsOf(response)]
  const old = idsOf(before).filter((id) => present.includes(id))
  const isWhole =
    old.length === 0 || response.count >= now.count || old.some((id) => listed.includes(id))
  t.expect(response, before).satisfy(
    'old events as well',
    isWhole,
    `no old event among ${response.count}`,
  )
}

/** The check that callers without a token and other kinds of repositories get the same page sizes. */
function anonymousPagingCheck<Needs extends NeedMap>(feed: Feed<Needs>) {
  const where = feed.kinds?.length
    ? 'tokenless requests and other repositories'
    : 'requests without a token'
  return feed.check(
    'anonymous-paging',
    `applies page and per_page to ${where} as well`,
    'conventions.per-page',
    async (t, needs) => {
      const { items } = await open(t, feed, needs).walk()
      const shown = items.filter(({ value }) => !isPrivate(value))
      for (const list of await furtherFeeds(t, feed, needs)) {
        const response = await unlessUntested(t.read(list.request()))
        if (response?.status === 200 && response.count > 1) await expectPaged(t, list)
      }
      const list = open(t, feed, needs, anonymous)
      const response = await t.read(list.request())
      if (response.refused)
        t.observe('requests without a token', `${response.status}`, 'the pages that a token gets')
      if (response.status !== 200) t.untested(`an anonymous request returns ${response.status}`)
      await expectPaged(t, list, isLatest(t) ? shown.length : 0)
    },
  )
}

/** Expects the documented pages. An anonymous caller may see the first one alone, except on the feed of a repository (readings C12). */
async function expectPaged(t: CheckContext, list: Listing, total = 0) {
  const second = await t.read(list.request({ per_page: 1, page: 2 }))
  if (second.request.as === anonymous.label && [401, 403].includes(second.status)) {
    if (list.request().endpoint === endpoints.repositoryEvents) t.expect(second).status(200)
    t.untested(`an anonymous request for page 2 returns ${second.status}`)
  }
  t.examined((await expectSizes(t, list, { total })) ? 1 : 0)
}

/** The event types whose payloads the document describes. */
const documentedTypes = ['PushEvent', 'WatchEvent', 'CreateEvent']

/** The checks of every event of the feed in this run (document: Resources and their fields, Event; readings C). */
function eventShapeChecks<Needs extends NeedMap>(feed: Feed<Needs>) {
  const recorded = feed.with({ schedule: 'afterwards' })
  const parts = (
    aspect: string,
    requirement: string,
    title: string,
    what: string,
    schema: string,
    partsOf: PartsOf,
  ) =>
    recorded.check(aspect, title, requirement, async (t, needs) => {
      t.expectAll((await recordedEvents(t, feed, needs)).flatMap(partsOf), what).match(schema)
    })
  const payload = (type: string) => {
    const kind = type.replace('Event', '').toLowerCase()
    const [aspect, title] = [`${kind}-payload`, `returns every ${type} with the documented payload`]
    return parts(aspect, `events.payload.${kind}`, title, type, aspect, payloadOf(type))
  }

  return [
    recorded.check(
      'event-shape',
      'returns every event with the documented fields and types',
      'events.event.fields',
      async (t, needs) => {
        const events = await recordedEvents(t, feed, needs)
        t.expectAll(events, 'event').match('event')
        t.expectAll(events, 'event').satisfy(
          'a documented type in its own spelling',
          isOwnSpelling,
          (event) => String(event.type),
        )
        await expectOneIdentityEach(t, events, open(t, feed, needs))
      },
    ),
    parts(
      'created-at',
      'conventions.timestamps',
      'returns created_at in the form YYYY-MM-DDTHH:MM:SSZ',
      'date',
      'timestamp',
      dateOf,
    ),
    ...documentedTypes.map(payload),
    parts(
      'other-payload',
      'events.payload.object',
      'returns an object as the payload of any other event type',
      'other type',
      'payload',
      otherPayload,
    ),
    recorded.check(
      'create-ref',
      'returns refs, repositories, names and addresses that belong to the event',
      { requirement: 'events.payload.create-ref', level: 'should' },
      async (t, needs) => {
        const events = await recordedEvents(t, feed, needs)
        const named = events.filter(
          ({ value: { type } }) => type === 'PushEvent' || type === 'CreateEvent',
        )
        events.sort((a, b) => createdAt(a.value) - createdAt(b.value) || 0)
        t.expectAll(events, 'event').satisfy(
          'names and addresses that belong to one actor or repository alone',
          ownsNames(),
          ({ actor, repo }) => `${show(repo)} by ${show(actor)}`,
        )
        t.expectAll(named, 'CreateEvent or PushEvent').satisfy(
          'a repository_id that is the id of repo, or a ref with which full_ref ends',
          agrees,
          ({ repo, payload }) => `${show(payload)} in ${show(repo)}`,
        )
      },
    ),
  ]
}

/** True if a PushEvent names its own repository, and if a created ref agrees with its full name. The document permits an empty one. */
function agrees({ type, repo, payload }: JsonObject) {
  if (!isObject(payload) || !isObject(repo)) return true
  const { ref, full_ref, repository_id } = payload
  if (type === 'PushEvent')
    return typeof repository_id !== typeof repo.id || repository_id === repo.id
  if (typeof ref !== 'string' || typeof full_ref !== 'string' || full_ref === '')
    return ref !== null
  return full_ref.endsWith(ref)
}

/**
 * A test for events in the order of their dates: a name has one owner at a time, who may give it away and take it back once.
 * Deleted accounts may share one login.
 */
function ownsNames(): (event: JsonObject) => boolean {
  const owners = new Map<string, (readonly unknown[])[]>()
  const isOwn = (part: string, name: unknown, owner: readonly unknown[]) => {
    const known = remembered(owners, `${part} ${name}`, () => [])
    if (!known.at(-1)?.some((each, index) => each === owner[index])) known.push(owner)
    return !name || known.length < 2 * new Set(known.map(String)).size
  }
  return ({ actor, repo, org }) =>
    Object.entries({ actor, repo, org }).every(([part, of]) => {
      const { id, name, login = name, url } = isObject(of) ? of : ({} as JsonObject)
      return (part === 'actor' || isOwn(part, login, [id])) && isOwn(part, url, [id, login])
    })
}

/** False for another spelling of a documented type, such as `push` or `push_event`. */
function isOwnSpelling({ type }: JsonObject) {
  const bare = (name: unknown) => `${name}`.toLowerCase().replaceAll(/[^a-z]|event/g, '')
  return !documentedTypes.some((name) => name !== type && bare(name) === bare(type))
}

/** An event of one feed has the same date, actor and repository in every reading. Others may change it, for every later reading. */
async function expectOneIdentityEach(
  t: CheckContext,
  events: readonly Located<JsonObject>[],
  list: Listing,
) {
  const known = new Map<string, Located<JsonObject>>()
  const reread = new Map<Exchange, Promise<Exchange>>()
  const again = ({ request }: Exchange) =>
    list.freshPage(Object.fromEntries(new URL(request.url).searchParams))
  for (const event of events) {
    const { value, exchange, pointer } = event
    const id = `${JSON.stringify(value.id)} ${addressOf(exchange)}`
    const first = known.get(id) ?? event
    known.set(id, first)
    const [before, now] = [factsOf(first.value), factsOf(value)]
    const page =
      before === now
        ? undefined
        : await remembered(reread, first.exchange, () => again(first.exchange))
    if (
      page &&
      itemsOf(page).some((each) => eventId(each.value) === value.id && factsOf(each.value) !== now)
    )
      t.deviation({
        expected: `${before} as before`,
        actual: now,
        pointer,
        exchanges: [first.exchange, exchange],
      })
  }
}

type PartsOf = (event: Located<JsonObject>) => Located | readonly Located[]

/** Only the form of a date that is a string: another check judges its type. */
const dateOf: PartsOf = (event) =>
  (typeof event.value.created_at === 'string' && member(event, 'created_at')) || []

const payloadOf = (type: string) => (event: Located<JsonObject>) =>
  (event.value.type === type && member(event, 'payload')) || []

const otherPayload: PartsOf = (event) =>
  (!documentedTypes.includes(String(event.value.type)) && member(event, 'payload')) || []

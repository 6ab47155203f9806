import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing, type Query } from '../../../src/suite/listing.ts'
import type { JsonObject } from '../../../src/suite/located.ts'
import { type NeedMap, need, role } from '../../../src/suite/needs.ts'
import { briefly, eventually } from '../../../src/suite/observe.ts'
import { expectSizes } from '../../common/page-sizes.ts'
import { asWritten } from '../../common/paging.ts'
import { givenParameters, unlessUntested } from '../../common/proof.ts'
import { endsBeyond, findListed, past } from '../common/listed-threads.ts'
import {
  around60Days,
  beforeAlone,
  between,
  expectPeriod,
  filterNeeds,
  type ListAround,
  sinceAlone,
} from '../common/periods.ts'
import {
  currentThread,
  everything,
  instantOf,
  objectsAmong,
  readMention,
  threadsOn,
  timestamp,
} from '../common/threads.ts'
import { ownThread } from '../common/touches.ts'
import { everyFilter } from './modification.ts'
import { isParticipant, type NotificationList, participation } from './participating.ts'

/** Filters narrow a list together, in any combination (document: Endpoints, Notifications; readings D5, D6). */
export function combinationChecks<Needs extends NeedMap>(list: NotificationList<Needs>) {
  const { around } = list
  const combined = list.with({
    needs: filterNeeds,
    requirement: 'notifications.lists.combined',
    level: 'should',
  })
  const filtered = combined.with({
    needs: { owner: role('owner'), read: need('read-thread', { reason: 'mention' }) },
    schedule: 'alone',
    touches: ownThread,
  })
  return [
    combined.check(
      'since-and-before-unread',
      'lists the unread threads updated between since and before',
      async (t, { owner, threads }) => {
        const common = { owner, ids: threads.thread_ids, around }
        const own = { ...common, beside: {}, listed: isUnread, kind: 'unread thread' }
        const isBoth = (thread: JsonObject) => isUnread(thread) && isParticipant(thread)
        const both = { ...common, beside: { participating }, listed: isBoth }
        for (const choose of [between, sinceAlone, beforeAlone])
          await expectPeriod(t, { ...own, choose })
        for (const choose of [sinceAlone, beforeAlone])
          await unlessUntested(expectPeriod(t, { ...both, choose }))
      },
    ),
    combined.check(
      'since-and-before-participating',
      'applies since and before together with participating=true',
      async (t, { owner, threads }) => {
        const beside = { ...everything, participating }
        const kind = `thread with a reason such as ${participation.join(', ')}`
        for (const choose of [between, around60Days])
          await expectPeriod(t, {
            owner,
            ids: threads.thread_ids,
            around,
            choose,
            beside,
            listed: isParticipant,
            kind,
          })
      },
    ),
    filtered.check(
      'filters-include',
      'lists a read thread with all=true beside any other filters that it passes',
      (t, { owner, read }) => expectListed(t, { owner, read, around }, passed, true),
    ),
    filtered.check(
      'filters-exclude',
      'omits a thread that any one of several filters excludes',
      (t, { owner, read }) => expectListed(t, { owner, read, around }, failed, false),
    ),
    list.check(
      'paging-with-filters',
      'applies page and per_page beside any filter, and the filter to every page',
      'conventions.page',
      async (t, resolved) => {
        const address = list.at(resolved)
        const whole = { ...everyFilter, participating: false }
        for (const query of [{}, { participating }, everyFilter, whole]) {
          const isLong = await expectSizes(t, new Listing(t, { ...address, query }))
          t.examined(isLong ? 1 : 0)
        }
        for (const base of [everything, {}])
          await expectFilteredPages(t, new Listing(t, address), base)
        const secret = list.kinds && (await givenParameters(t, 'private-repository'))
        if (secret) {
          const ofSecret = new Listing(t, { ...address, ...secret, query: everything })
          await unlessUntested(expectSizes(t, ofSecret))
        }
      },
    ),
  ]
}

/** A list of the owner, and a read thread. */
interface OwnList extends ListAround {
  readonly owner: Caller
  readonly read: { readonly thread_id: string }
}

/** Keeps a thread clearly inside or outside a period. It is open whether a filter includes its boundary. Milliseconds. */
const margin = 2000

const isUnread = ({ unread }: JsonObject) => unread === true

/** Requests by an instant before and one after the thread's update. */
type Requests = (earlier: string, later: string) => readonly Query[]

const participating = true

/** The filters that a read thread passes if its user participates in it. */
const passed: Requests = (since, before) =>
  [
    { participating },
    { since },
    { before },
    { since, participating },
    { before, participating },
  ].map((filters) => ({
    ...everything,
    ...filters,
  }))

/** The filters that it fails: by being read, or by one end of a period. */
const failed: Requests = (earlier, later) => [
  { participating },
  { since: earlier },
  { before: later },
  { since: earlier, participating },
  { before: later, participating },
  { ...everything, since: later, participating },
  { ...everything, before: earlier, participating },
]

/** Each request lists the thread (`wanted`), or none does. Which reasons participate is open, so the target says it (readings D6). */
async function expectListed(
  t: CheckContext,
  { owner, read, around }: OwnList,
  requests: Requests,
  wanted: boolean,
) {
  const { thread_id } = await readMention(t, read)
  const { value: thread } = await currentThread(t, owner, thread_id, 'read-thread')
  const list = new Listing(t, around(thread, owner))
  // A new thread may be listed a little later (readings G16).
  const find = () => findListed(t, list, thread)
  if (thread.unread !== false || !(await briefly(t, 'the read thread to be listed', find)).met)
    t.untested(`the thread ${thread_id} is not a read one in the list`, 'read-thread')
  const participants = objectsAmong((await list.walk({ query: { participating } })).items)
  if (!participants.some(({ value }) => value.reason === thread.reason))
    t.untested(`participating=true lists no thread with its reason ${thread.reason}`, 'read-thread')
  const updated = instantOf(thread.updated_at)
  for (const query of requests(timestamp(updated - margin), timestamp(updated + margin))) {
    if ((await isListed(t, list, thread, query, wanted)) !== wanted) {
      const { value, exchange } = await currentThread(t, owner, thread_id)
      const moved =
        value.unread !== false ||
        value.updated_at !== thread.updated_at ||
        value.reason !== thread.reason
      if (moved) t.untested(`the thread ${thread_id} was updated meanwhile`, 'read-thread')
      t.deviation({
        expected: `${wanted ? 'the' : 'no'} thread ${thread_id} with ${asWritten(query)}`,
        actual: wanted ? 'it is missing or listed as unread' : 'it is listed',
        exchanges: [exchange, ...(await list.walk({ query })).pages],
      })
    }
    t.examined(1)
  }
}

/** True when a list contains a thread; read again for a few seconds until that is as wanted. */
async function isListed(
  t: CheckContext,
  list: Listing,
  thread: JsonObject,
  query: Query,
  wanted: boolean,
) {
  const isOn = (page: Exchange) =>
    threadsOn(page).some(
      ({ value }) => String(value.id) === String(thread.id) && value.unread === thread.unread,
    )
  const read = async () => {
    const isPast = wanted ? () => false : past(list, thread)
    const { pages, cut } = await list.walk({
      fresh: true,
      query,
      enough: (page) => isOn(page) || isPast(page),
    })
    const listed = pages.some(isOn)
    return cut && !listed ? endsBeyond(t) : listed
  }
  return (
    await eventually(t, 'the list to have the right threads', read, (listed) => listed === wanted)
  ).last
}

/** A later page lists only threads that pass the filter: those of the first page at the maximum size, or none. */
async function expectFilteredPages(t: CheckContext, list: Listing, base: Query) {
  const { max: per_page } = list.paging
  const whole = await list.page({ ...base, per_page })
  const middle = threadsOn(whole).map(({ value }) => value.updated_at)[
    Math.min(5, Math.floor(list.ids(whole).length / 2))
  ]
  const instant = timestamp(instantOf(middle))
  for (const filter of [{ participating }, { since: instant }, { before: instant }]) {
    const frame = { ...base, ...filter, per_page }
    const passing = new Set(list.ids(await list.page(frame)))
    // A server that ignores the filter returns at this place a thread that does not pass it.
    const place = list.ids(whole).findIndex((id, index) => index > 0 && !passing.has(id))
    const query = { ...frame, per_page: 1, page: place + 1 }
    const isPassing = (ids: string[], page: Exchange) =>
      list.ids(page).every((id) => ids.includes(id))
    const look =
      place > 0 && (await list.sharedBracket(frame, () => t.send(list.request(query)), isPassing))
    if (!look || isPassing(look.ids, look.result)) continue
    t.expect(look.result, look.page).satisfy(
      `only threads of the filtered list with ${asWritten(query)}`,
      false,
      'another thread',
    )
  }
}

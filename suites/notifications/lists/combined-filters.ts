import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type ListAddress, Listing, type Query } from '../../../src/suite/listing.ts'
import type { JsonObject } from '../../../src/suite/located.ts'
import { type NeedMap, need, role } from '../../../src/suite/needs.ts'
import { endsBeyond, past } from '../common/listed-threads.ts'
import { between, filterNeeds, keepsPeriod } from '../common/periods.ts'
import { describe } from '../common/read-state.ts'
import { currentThread, everything, instantOf, soon, threadsOn, timestamp } from '../common/threads.ts'
import { ownThread } from '../common/touched.ts'
import type { NotificationList } from './every-list.ts'
import { participation } from './participating.ts'

/** Filters narrow a list together, whichever of them a request carries (document: Endpoints, Notifications; readings D5, D6). */
export function combinationChecks<const Needs extends NeedMap>({ id, around, needs, at }: NotificationList<Needs>): Check[] {
  const combined = { requirement: 'notifications.lists.combined', level: 'should' } as const
  const byFilters = {
    ...combined,
    needs: { owner: role('owner'), read: need('read-thread', { reason: 'mention' }) },
    schedule: 'alone',
    touches: ownThread,
  } as const
  return [
    check({
      ...combined,
      needs: filterNeeds,
      id: `${id}.since-and-before-unread`,
      title: 'lists the unread threads updated between since and before',
      run: async (t, { owner, threads }) => {
        const listed = ({ unread }: JsonObject) => unread === true
        await keepsPeriod(t, { owner, ids: threads.thread_ids, around, choose: between, beside: {}, listed })
      },
    }),
    check({
      ...combined,
      needs: filterNeeds,
      id: `${id}.since-and-before-participating`,
      title: 'applies since and before together with participating=true',
      run: async (t, { owner, threads }) => {
        const beside = { ...everything, participating: true }
        await keepsPeriod(t, { owner, ids: threads.thread_ids, around, choose: between, beside, listed: isParticipant })
      },
    }),
    check({
      ...byFilters,
      id: `${id}.filters-include`,
      title: 'lists a read thread with all=true beside any other filters that it passes',
      run: async (t, { owner, read }) => isListedUnder(t, { owner, thread_id: read.thread_id, around }, passed, true),
    }),
    check({
      ...byFilters,
      id: `${id}.filters-exclude`,
      title: 'omits a thread that any one of several filters excludes',
      run: async (t, { owner, read }) => isListedUnder(t, { owner, thread_id: read.thread_id, around }, failed, false),
    }),
    check({
      id: `${id}.paging-with-filters`,
      requirement: 'conventions.page',
      level: 'must',
      title: 'applies page and per_page beside any filter',
      needs,
      run: async (t, resolved) => pagesFiltered(t, new Listing(t, at(resolved))),
    }),
  ]
}

/** A read thread of the owner's that no check changes. */
interface Given {
  readonly owner: Caller
  readonly thread_id: string
  readonly around: (thread: JsonObject, owner: Caller) => ListAddress
}

/** Keeps a thread inside or outside a period, whatever the filters make of a boundary itself. Milliseconds. */
const margin = 2000

const isParticipant = ({ reason }: JsonObject) => participation.some((known) => known === reason)

/** Requests by an instant before and one after the thread's update. */
type Requests = (earlier: string, later: string) => readonly Query[]

const participating = true

/** What a read thread that its user participates in passes. */
const passed: Requests = (since, before) =>
  [{ participating }, { since }, { before }, { since, participating }, { before, participating }].map((filters) => ({
    ...everything,
    ...filters,
  }))

/** What it fails: by being read, or by one end of a period. */
const failed: Requests = (earlier, later) => [
  { participating },
  { since: earlier },
  { before: later },
  { since: earlier, participating },
  { before: later, participating },
  { ...everything, since: later, participating },
  { ...everything, before: earlier, participating },
]

/** Each request lists the thread, or none does; with all=true alone the thread is listed. */
async function isListedUnder(t: CheckContext, { owner, thread_id, around }: Given, requests: Requests, wanted: boolean) {
  const { value: thread } = await currentThread(t, owner, thread_id, 'read-thread')
  const fits = thread.unread === false && isParticipant(thread)
  if (!fits) t.untested(`the thread ${thread_id} is not a read one that the user participates in`, 'read-thread')
  const list = new Listing(t, around(thread, owner))
  if (!(await shows(t, list, thread, everything, true))) t.untested('the thread is not listed with all=true alone', 'read-thread')
  const updated = instantOf(thread.updated_at)
  for (const query of requests(timestamp(updated - margin), timestamp(updated + margin))) {
    if ((await shows(t, list, thread, query, wanted)) !== wanted) {
      const { value, exchange } = await currentThread(t, owner, thread_id)
      const moved = value.unread !== false || value.updated_at !== thread.updated_at || value.reason !== thread.reason
      if (moved) t.untested(`the thread ${thread_id} was updated meanwhile`, 'read-thread')
      const [expected, actual] = wanted ? ['the', 'it is missing'] : ['no', 'it is listed']
      t.deviation({ expected: `${expected} thread ${thread_id} with ${describe(query)}`, actual, exchanges: [exchange] })
    }
    t.examined(1)
  }
}

/** True when a list shows a thread; looked at again for a few seconds where that is not as wanted. */
async function shows(t: CheckContext, list: Listing, thread: JsonObject, query: Query, wanted: boolean): Promise<boolean> {
  const isOn = (page: Exchange) => threadsOn(page).some(({ value }) => value.id === thread.id)
  const asWanted = await soon(t, wanted ? 'the thread to be listed' : 'the thread to be omitted', async () => {
    const isPast = wanted ? () => false : past(list, thread)
    const { pages, cut } = await list.walk({ fresh: true, query, enough: (page) => isOn(page) || isPast(page) })
    const shown = pages.some(isOn)
    if (cut && !shown) endsBeyond(t)
    return shown === wanted ? true : undefined
  })
  return asWanted ? wanted : !wanted
}

/** One thread a page, and another one on the next page, whatever a request filters by. */
async function pagesFiltered(t: CheckContext, list: Listing): Promise<void> {
  const newest = Math.max(...threadsOn(await list.page(everything)).map(({ value }) => instantOf(value.updated_at)))
  if (!Number.isFinite(newest)) t.untested('the list is empty', 'unread-thread')
  const [since, before] = ['2000-01-01T00:00:00Z', timestamp(newest + margin)]
  for (const query of [{}, { participating }, ...passed(since, before)]) {
    const first = { ...query, per_page: 1 }
    const overflow = (a: readonly string[], b: readonly string[]) =>
      a.length > 1 || b.length > 1 || b.some((id) => a.includes(id))
    const next = () => t.send(list.request({ ...first, page: 2 }))
    const { ids, page, result } = await list.bracket(first, next, (frame, other) => !overflow(frame, list.ids(other)))
    if (overflow(ids, list.ids(result))) {
      const actual = `${ids.length} and ${list.ids(result).length} threads, some of them the same or too many`
      const expected = `one thread on page 1 and another one on page 2 with ${describe(first)}`
      t.deviation({ expected, actual, exchanges: [page, result] })
    }
    t.examined(list.ids(result).length)
  }
}

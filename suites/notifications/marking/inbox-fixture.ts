import { bearer, type Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import {
  briefly,
  clearDistance,
  completed,
  eventually,
  type Looking,
  moment,
  spacing,
} from '../../../src/suite/observe.ts'
import { remembered } from '../../../src/text/data.ts'
import type { Effect } from '../../common/access.ts'
import { untilAllSeen } from '../common/listed-threads.ts'
import type { LookForMarks } from '../common/other-data.ts'
import { beside } from '../common/periods.ts'
import * as known from '../common/threads.ts'

/** One unread thread of an inbox that may be marked. */
export interface Unread {
  readonly id: string
  /** Milliseconds. */
  readonly updated: number
  /** By the target's own clock, when it was read. Milliseconds; NaN if the response has no date. */
  readonly age: number
  /** `owner/name`, as the newest thread of the repository has it: older ones may have a former name. */
  readonly repository: string
  readonly private: boolean
  readonly reason: string
}

/** The threads that a request concerns. */
interface Target {
  readonly params: Readonly<Record<string, string>>
  /** The threads that it must mark, and those that it must not. */
  readonly concerned: readonly Unread[]
  readonly others: readonly Unread[]
}

/** Selects the threads that an endpoint marks from a user's unread threads. */
export type Aim = (unread: readonly Unread[]) => Target

/** A user whose inbox may be marked, and its unread threads. */
export interface OpenInbox extends Target {
  readonly user: Caller
  readonly from: 'disposable-inbox' | 'bulk-inbox'
}

/** Opens the inbox of a need. Ends the check as untested if it contains no thread to mark. */
export async function openInbox(
  t: CheckContext,
  from: OpenInbox['from'],
  secret: string,
  aim: Aim,
): Promise<OpenInbox> {
  const user = bearer(secret, from)
  // New threads may be listed a little later (readings G16).
  const { last: unread } = await briefly(
    t,
    'an unread thread',
    () => unreadOf(t, user, isShort),
    isFilled,
  )
  const target = aim(unread)
  if (target.concerned.length === 0) t.untested('the inbox contains no unread thread to mark', from)
  // Of the current second it is open whether it is later than the time of a request (readings D11).
  if (target.concerned.some(({ age }) => age < spacing * 1000))
    await moment(t, 'another second for updated_at')
  return { ...target, user, from }
}

type Enough = (page: Exchange) => boolean
const isFilled = ({ length }: readonly Unread[]) => length > 0

/** The unread threads of a user; `enough` as for a walk. */
export async function unreadOf(t: CheckContext, user: Caller, enough: Enough = () => false) {
  const { items } = await new Listing(t, known.inboxOf(user)).walk({ fresh: true, enough })
  return threadsAmong(known.objectsAmong(items).filter(isUnread))
}

const isUnread = ({ value }: known.Thread) => value.unread === true

/** Ends a walk at a page that is not full: the threads that are judged need not be all. */
export const isShort: Enough = (page) => page.count < endpoints.listNotifications.paging.max

/** The unread threads that a request would change: some of them before the request; after it, those of `before` are looked for. */
export async function unreadShown(t: CheckContext, user: Caller, before?: Effect): Promise<Effect> {
  const unread = await unreadOf(t, user, before ? untilAllSeen(before.facts, isUnread) : isShort)
  return { facts: unread.map(({ id }) => id), visible: unread.length > 0 }
}

/** Threads of a user, the read ones too. */
export async function allOf(t: CheckContext, user: Caller): Promise<Unread[]> {
  const { items } = await new Listing(t, known.inboxOf(user)).walk({
    fresh: true,
    query: known.everything,
    enough: isShort,
  })
  return threadsAmong(known.objectsAmong(items))
}

function threadsAmong(items: readonly known.Thread[]) {
  const names = new Map<unknown, string>()
  return items.map(({ value, exchange }) => {
    const updated = known.instantOf(value.updated_at)
    return {
      id: String(value.id),
      updated,
      age: Date.parse(exchange.header('Date') ?? '') - updated,
      repository: remembered(
        names,
        known.repositoryKey(value),
        () => known.repositoryName(value) ?? '',
      ),
      private: known.isPrivate(value),
      reason: String(value.reason),
    }
  })
}

/** A notification for an inbox, if wanted on a private thread. Ends the check as untested if none arrives. */
export async function unreadAnew(
  t: CheckContext,
  user: Caller,
  isPrivate = false,
): Promise<Record<never, never>> {
  const thread =
    (await allOf(t, user)).find((each) => each.private || !isPrivate) ??
    t.untested('the inbox contains no such thread', 'disposable-inbox')
  if (thread.age < spacing * 1000) await moment(t, 'another second for updated_at')
  await t.ask('new-notification', { thread_id: thread.id })
  const isNew = ({ id, updated }: Unread) => id === thread.id && updated > thread.updated
  const arrived = async () => (await unreadOf(t, user, isShort)).some(isNew)
  const { met } = await eventually(t, 'a notification', arrived, Boolean)
  return met ? {} : t.untested('no notification arrived in time', 'new-notification')
}

/** The whole inbox. */
export const aimAtAll: Aim = (unread) => ({ params: {}, concerned: unread, others: [] })

/** The repository with most of the threads. */
export const aimAtRepository: Aim = (unread) => {
  const count = (name: string) => unread.filter(({ repository }) => repository === name).length
  if (unread.length === 0) return aimAtAll(unread)
  const [name = ''] = [...new Set(unread.map(({ repository }) => repository))].sort(
    (a, b) => count(b) - count(a),
  )
  return {
    params: known.repositoryParameters(name),
    concerned: unread.filter(({ repository }) => repository === name),
    others: unread.filter(({ repository }) => repository !== name),
  }
}

/** A private repository, if the inbox has threads of one. */
export const aimAtPrivate: Aim = (unread) => {
  const some = unread.filter((thread) => thread.private)
  return aimAtRepository(some.length > 0 ? some : unread)
}

/** An entitled request without an effect: every notification is later. */
export const longAgo = { last_read_at: '2000-01-01T00:00:00Z' }

/** An entitled request for the oldest unread thread, where others stay unread for the next one. */
export async function untilOldest(t: CheckContext, user: Caller) {
  const instants = (await unreadOf(t, user, isShort)).map(({ updated }) => updated)
  const [oldest = 0, next] = instants.toSorted((a, b) => a - b)
  return next === undefined ? longAgo : { last_read_at: known.timestamp(oldest + spacing * 1000) }
}

/** Sends the request that marks; the empty body means everything until now, and `null` sends none. */
export async function mark(
  t: CheckContext,
  endpoint: Endpoint,
  inbox: OpenInbox,
  body: object | null = {},
) {
  const { params, user: as } = inbox
  const response = await t.send({ endpoint, params, as, body: body ?? undefined }, { tapped: true })
  if (response.refused) await requireReadable(t, inbox)
  return response
}

/** Ends the check as untested if the user may not even read the list that is marked: the inbox does not serve (readings G17). */
async function requireReadable(t: CheckContext, { params, user, from }: OpenInbox) {
  if (!('repo' in params)) return
  const { status, refused } = await t.send({
    endpoint: endpoints.listRepositoryNotifications,
    params,
    as: user,
  })
  if (refused)
    t.untested(
      `the user of the inbox may not read the notifications of ${params.owner}/${params.repo} (${status})`,
      from,
    )
}

/** The look for the effect of a mark: after 202, it is work in the background (readings D8). */
export const lookAfter = ({ status }: Exchange): Looking =>
  status === 202 ? completed : eventually

/** All of these threads become read in time (readings G16, D8). Returns the ids of the threads that stay unread. */
export async function expectRead(
  t: CheckContext,
  inbox: OpenInbox,
  wanted: readonly Unread[],
  response: Exchange,
) {
  const { status } = response
  const read = () => stillUnread(t, inbox, wanted)
  const isSame = (before: Shown, after: Shown) => before.left.length === after.left.length
  const {
    last: { left, now },
    met,
    isOver,
  } = await lookAfter(response)(
    t,
    `the threads of ${response.request.endpoint}`,
    read,
    (shown) => shown.left.length === 0,
    isSame,
  )
  t.examined(met ? wanted.length : 0)
  if (met) return new Set(now.keys())
  if (left.every(({ moved }) => moved) && left.length * 2 <= wanted.length)
    t.untested(`${left.length} threads were updated while the others were marked`, inbox.from)
  if (!isOver)
    t.untested(
      `${left.length} threads are not marked yet; increase polling.maxWaitSeconds to wait for them`,
    )
  return t.deviation({
    expected: 'every thread that the request covers to be read',
    actual: `${status}, and ${left.length} of ${wanted.length} are unread (thread ${left[0]?.id})`,
    exchanges: [response],
  })
}

/** None of these threads becomes read. */
export function lookForMarks(
  t: CheckContext,
  inbox: OpenInbox,
  wanted: readonly Unread[],
  response: Exchange,
): LookForMarks {
  const read = () => stillUnread(t, inbox, wanted, untilAllSeen(wanted.map(({ id }) => id)))
  return async (looking) => {
    const { last } = await looking(
      t,
      'the other threads to be listed',
      read,
      ({ left }) => left.length === wanted.length,
    )
    const marked = wanted.find(({ id }) => !last.now.has(id))
    t.expect(response).satisfy(
      'the other threads still unread',
      !marked,
      `thread ${marked?.id}, updated ${known.timestamp(marked?.updated ?? 0)}, is read`,
    )
  }
}

/** The threads that are unread after their inbox was marked. One that `moved` was updated since, or seems so. */
async function stillUnread(
  t: CheckContext,
  { user }: OpenInbox,
  wanted: readonly Unread[],
  enough?: Enough,
) {
  const now = new Map((await unreadOf(t, user, enough)).map(({ id, updated }) => [id, updated]))
  const left = wanted
    .filter(({ id }) => now.has(id))
    .map((thread) => ({ ...thread, moved: now.get(thread.id) !== thread.updated }))
  return { left, now }
}

type Shown = Awaited<ReturnType<typeof stillUnread>>

/** Just before and just after the latest thread and a private one. Instants are whole seconds, so threads of the last seconds are left out. */
export function boundariesBeside(t: CheckContext, { concerned, from }: OpenInbox): number[] {
  const some = concerned.filter(({ age }) => age >= clearDistance)
  const latest =
    some[0] ??
    t.untested(
      `no unread thread is ${clearDistance / 1000} s older than the Date of its response`,
      from,
    )
  const secret = some.find((thread) => thread.private) ?? latest
  return [...new Set([latest, secret])].flatMap(({ updated, age }) => [
    beside(updated, 0),
    beside(updated, updated + age),
  ])
}

/** An instant just before the latest thread. Ends the check as untested if no thread is clearly older. */
export function latestBoundary(t: CheckContext, { concerned, from }: OpenInbox) {
  const boundary =
    concerned.reduce((latest, { updated }) => Math.max(latest, updated), 0) - clearDistance / 2
  if (!concerned.some((thread) => isBefore(thread, boundary)))
    t.untested(
      `all unread threads were updated within ${clearDistance / 1000} s of each other`,
      from,
    )
  return boundary
}

/** Clearly before an instant: instants are whole seconds, so the nearest threads are open. */
export const isBefore = ({ updated }: Unread, boundary: number) =>
  updated <= boundary - clearDistance / 2

/** Clearly after it. */
export const isAfter = ({ updated }: Unread, boundary: number) =>
  updated >= boundary + clearDistance / 2

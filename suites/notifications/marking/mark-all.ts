import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { Endpoint } from '../../../src/spec/endpoints.ts'
import { type Check, operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { eventually, moment } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { jsonMediaType } from '../../common/served.ts'
import { type Address, accessChecks } from '../common/access.ts'
import { isMarked, type LookForMarks, onOtherData } from '../common/other-data.ts'
import { subscribe } from '../common/subscription-state.ts'
import { currentThread, instantOf, timestamp, unreadBeside } from '../common/threads.ts'
import { disposableInbox, disposableInboxAlone } from '../common/touches.ts'
import {
  type Aim,
  boundariesWithinDay,
  expectRead,
  isAfter,
  isBefore,
  latestBoundary,
  longAgo,
  lookAfter,
  lookForMarks,
  mark,
  type OpenInbox,
  openInbox,
  unreadAnew,
  unreadOf,
  unreadShown,
} from './inbox-fixture.ts'

/** An endpoint that marks many threads read. */
export interface MarkingAll {
  readonly id: `notifications.${string}`
  readonly endpoint: Endpoint
  readonly aim: Aim
  /** The threads that a request without a body marks, if they are others. */
  readonly bodiless?: Aim
}

/** An inbox as a need describes it. */
type Inbox = { readonly token: string }

/** The operation on a disposable inbox, which may be marked. */
export function onDisposableInbox({ id, endpoint }: Pick<MarkingAll, 'id' | 'endpoint'>) {
  const needs = { inbox: need('disposable-inbox') }
  return operation({
    id,
    endpoint,
    needs,
    level: 'must',
    schedule: 'alone',
    writes: true,
    touches: disposableInbox,
  })
}

/** Marks a disposable inbox, or several, and looks for threads that must stay unread. */
const onInboxes = (t: CheckContext, inbox: Inbox, act: (inbox: Inbox) => Promise<LookForMarks>) =>
  onOtherData(t, inbox, () => t.ask('disposable-inbox', {}), act)

/** The common checks of both endpoints that mark many threads read (readings D8 to D11). */
export function markingAllChecks(marking: MarkingAll): Check[] {
  const { id, bodiless = marking.aim } = marking
  const disposable = onDisposableInbox(marking)
  const effect = disposable.with({ requirement: `${id}.effect` })
  const bulk = disposable.with({ needs: { inbox: need('bulk-inbox') }, slow: true })
  return [
    disposable.check(
      'reset-content',
      'returns 205 without a body for few threads, and no error when sent again',
      `${id}.status`,
      (t, { inbox }) => expectReset(t, marking, inbox),
    ),
    bulk.check(
      'accepted',
      'returns 202 with a message for many threads and marks them in the background',
      (t, { inbox }) => expectAccepted(t, marking, inbox),
    ),
    bulk.check(
      'accepted-last-read-at',
      'keeps threads unread after 202 that are updated after last_read_at, or meanwhile',
      { requirement: `${id}.last-read-at`, asks: ['new-notification'] },
      (t, { inbox }) => expectLatestKept(t, marking, inbox),
    ),
    effect.check(
      'marks-all',
      'marks every thread as read when last_read_at is absent, even old or private',
      (t, { inbox }) => expectAllMarked(t, marking, inbox, {}),
    ),
    effect.check(
      'without-body',
      'marks every thread as read for a request without a body',
      (t, { inbox }) => expectAllMarked(t, { ...marking, aim: bodiless }, inbox, null),
    ),
    disposable.check(
      'other-users',
      'keeps the threads of other users unread',
      {
        requirement: 'notifications.thread.foreign',
        also: { owner: role('owner') },
        touches: disposableInboxAlone,
      },
      (t, { inbox }, { owner }) =>
        onInboxes(t, inbox, (each) => markBeside(t, marking, each, owner)),
    ),
    disposable.check(
      'last-read-at',
      'keeps threads updated after last_read_at unread, even on the same day',
      (t, { inbox }) => onInboxes(t, inbox, (each) => markUntil(t, marking, each)),
    ),
  ]
}

/** The threads of the role inbox-user may be marked, and by which callers. `find` finds the parameters of a request. */
export function markingAllAccess(
  { id, endpoint }: MarkingAll,
  find: (t: CheckContext, entitled: Caller) => Promise<Address>,
) {
  return accessChecks({
    id,
    endpoint,
    of: 'inbox-user',
    resource: 'thread',
    needs: {},
    address: async (t, _, entitled) => ({ ...(await find(t, entitled)), body: {} }),
    effect: async (t, _, entitled, before) => unreadShown(t, entitled, before),
    anew: async (t, _, entitled) => unreadAnew(t, entitled),
    granted: {
      needs: {},
      address: async (t, _, entitled) => ({ ...(await find(t, entitled)), body: longAgo }),
    },
  })
}

type Judge<Result> = (t: CheckContext, marking: MarkingAll, inbox: Inbox) => Promise<Result>

/** A request without last_read_at marks every thread. */
async function expectAllMarked(
  t: CheckContext,
  { endpoint, aim }: MarkingAll,
  { token }: Inbox,
  body: object | null,
) {
  const inbox = await openInbox(t, 'disposable-inbox', token, aim)
  // An ignored thread is marked like any other. Whether it is listed is open.
  const { id = '' } = inbox.concerned.slice(1).at(-1) ?? {}
  if (id) await subscribe(t, inbox.user, id, { ignored: true }, 'disposable-inbox')
  const response = await mark(t, endpoint, inbox, body)
  if (body === null) t.expect(response).status(202, 205)
  await expectRead(t, inbox, inbox.concerned, response)
}

/** The owner has an unread thread of a repository whose threads another user marks. */
async function markBeside(
  t: CheckContext,
  { endpoint, aim }: MarkingAll,
  { token }: Inbox,
  owner: Caller,
): Promise<LookForMarks> {
  const inbox = await openInbox(t, 'disposable-inbox', token, aim)
  const { repository = '' } = inbox.concerned[0] ?? {}
  const { thread_id } = await unreadBeside(t, owner, repository)
  const response = await mark(t, endpoint, inbox)
  return async () => {
    const { value, exchange } = await currentThread(t, owner, thread_id)
    t.expect(exchange, response).satisfy(
      `thread ${thread_id} of another user still unread`,
      value.unread === true,
      'it is read',
    )
    await requireSomeRead(t, inbox, response)
  }
}

/** The control: the request has marked some thread. */
async function requireSomeRead(
  t: CheckContext,
  { user, concerned }: OpenInbox,
  response: Exchange,
): Promise<void> {
  const unread = async () => new Set((await unreadOf(t, user)).map(({ id }) => id))
  const isMarked = (left: ReadonlySet<string>) => concerned.some(({ id }) => !left.has(id))
  const { met } = await lookAfter(response)(t, 'a thread to be read', unread, isMarked)
  if (!met) t.untested(`no thread is marked yet (${response.status})`)
}

const expectReset: Judge<void> = async (t, { endpoint, aim }, { token }) => {
  const inbox = await openInbox(t, 'disposable-inbox', token, aim)
  const response = await mark(t, endpoint, inbox)
  if (response.status === 202) {
    t.expect(response).matches('message')
    await expectRead(t, inbox, inbox.concerned, response)
    t.untested('the response was 202: the inbox is too large for 205', 'disposable-inbox')
  }
  t.expect(response).status(205).noBody()
  const again = await mark(t, endpoint, inbox)
  t.expect(again).status(202, 205, 304)
  if (again.status === 205) t.expect(again).noBody()
}

const expectAccepted: Judge<void> = async (t, { endpoint, aim }, { token }) => {
  const inbox = await openInbox(t, 'bulk-inbox', token, aim)
  const response = await mark(t, endpoint, inbox)
  if (response.status === 205) {
    t.expect(response).noBody()
    await expectRead(t, inbox, inbox.concerned, response)
    t.untested('the response was 205: the inbox is too small for 202', 'bulk-inbox')
  }
  t.expect(response).status(202).header('content-type', jsonMediaType).matches('message')
  await (await expectSplit(t, inbox, Number.POSITIVE_INFINITY, response))(eventually)
  await expectRead(t, inbox, inbox.concerned, response)
}

/** Marks all threads except the latest ones, so that they are too many for 205 as well. A notification renews one of them meanwhile. */
const expectLatestKept: Judge<void> = async (t, { endpoint, aim }, { token }) => {
  const inbox = await openInbox(t, 'bulk-inbox', token, aim)
  const boundary = latestBoundary(t, inbox)
  const response = await mark(t, endpoint, inbox, { last_read_at: timestamp(boundary) })
  if (response.status !== 202)
    t.untested(`the response was ${response.status}: the inbox is too small for 202`, 'bulk-inbox')
  const { id: thread_id = '', updated: old = 0 } =
    inbox.concerned.findLast((thread) => isBefore(thread, boundary)) ?? {}
  const isNotified = (await unlessUntested(t.ask('new-notification', { thread_id }))) !== undefined
  const others = { ...inbox, concerned: inbox.concerned.filter(({ id }) => id !== thread_id) }
  await (await expectSplit(t, others, boundary, response))(eventually)
  if (!isNotified) return
  const now = () => currentThread(t, inbox.user, thread_id)
  const isRenewed = ({ value }: Located<JsonObject>) =>
    value.unread === true || !(instantOf(value.updated_at) > old)
  const { met } = await eventually(t, 'the renewed thread to be unread', now, isRenewed)
  t.expect(response).satisfy(
    `thread ${thread_id} unread, which was updated after 202`,
    met,
    'it is read',
  )
}

const markUntil: Judge<LookForMarks> = async (t, { endpoint, aim }, { token }) => {
  const inbox = await openInbox(t, 'disposable-inbox', token, aim)
  const boundaries = boundariesWithinDay(t, inbox)
  let look: LookForMarks = async () => {}
  // The first one again: threads that are marked already stay so.
  for (const [index, boundary] of [...boundaries, ...boundaries.slice(0, 1)].entries()) {
    if (await isMarked(look)) break
    const response = await mark(t, endpoint, inbox, { last_read_at: timestamp(boundary) })
    look = await expectSplit(t, inbox, boundaries[index] ?? Math.max(...boundaries), response)
  }
  return look
}

/** Threads updated before the boundary are marked. The others stay unread, even after the background work. */
async function expectSplit(
  t: CheckContext,
  inbox: OpenInbox,
  boundary: number,
  response: Exchange,
): Promise<LookForMarks> {
  const earlier = inbox.concerned.filter((thread) => isBefore(thread, boundary))
  const later = inbox.concerned.filter((thread) => isAfter(thread, boundary))
  await expectRead(t, inbox, earlier, response)
  if (response.status === 202) await moment(t, 'background work that must not go further')
  return lookForMarks(t, inbox, [...later, ...inbox.others], response)
}

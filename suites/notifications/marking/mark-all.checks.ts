import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { Endpoint } from '../../../src/spec/endpoints.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { notified } from '../common/arrivals.ts'
import { confirmed } from '../common/confirmed.ts'
import { currentThread, lasting, soon, timestamp, unreadBeside } from '../common/threads.ts'
import { disposableInbox, disposableInboxAlone } from '../common/touched.ts'
import {
  type Aim,
  allOf,
  becomeRead,
  boundaryWithinDay,
  isAfter,
  isBefore,
  latestBoundary,
  mark,
  type OpenInbox,
  openInbox,
  stayRead,
  stayUnread,
  unreadOf,
} from './inbox-fixture.ts'

/** An endpoint that marks many threads read. */
export interface MarkingAll {
  readonly id: string
  readonly endpoint: Endpoint
  readonly aim: Aim
}

const disposable = {
  needs: { inbox: need('disposable-inbox') },
  level: 'must',
  schedule: 'alone',
  writes: true,
  touches: disposableInbox,
} as const
const bulk = { ...disposable, slow: true, needs: { inbox: need('bulk-inbox') } } as const

/** What both endpoints that mark many threads read have in common (readings D8 to D11). */
export function markingAllChecks(marking: MarkingAll): Check[] {
  const { id } = marking
  return [
    check({
      ...disposable,
      id: `${id}.reset-content`,
      requirement: `${id}.status`,
      title: 'returns 205 without a body for few threads, and no error when sent again',
      run: async (t, { inbox }) => resets(t, marking, inbox.token),
    }),
    check({
      ...bulk,
      id: `${id}.accepted`,
      requirement: `${id}.accepted`,
      title: 'returns 202 with a message for many threads and marks them in the background',
      run: async (t, { inbox }) =>
        confirmed(
          t,
          inbox,
          () => t.ask('bulk-inbox', {}),
          ({ token }) => accepts(t, marking, token),
        ),
    }),
    check({
      ...bulk,
      id: `${id}.accepted-last-read-at`,
      requirement: `${id}.last-read-at`,
      title: 'keeps threads updated after last_read_at unread after 202 too',
      run: async (t, { inbox }) =>
        confirmed(
          t,
          inbox,
          () => t.ask('bulk-inbox', {}),
          ({ token }) => keepsLatest(t, marking, token),
        ),
    }),
    check({
      ...disposable,
      id: `${id}.marks-all`,
      requirement: `${id}.effect`,
      title: 'marks every thread as read when last_read_at is absent, even old or private',
      run: async (t, { inbox }) => {
        const open = await openInbox(t, 'disposable-inbox', inbox.token, marking.aim)
        const answer = await mark(t, marking.endpoint, open)
        await becomeRead(t, open, open.concerned, answer)
        await stayRead(t, open, open.concerned, answer)
      },
    }),
    check({
      ...disposable,
      id: `${id}.without-body`,
      requirement: `${id}.effect`,
      title: 'marks every thread as read for a request without a body',
      run: async (t, { inbox }) => {
        const open = await openInbox(t, 'disposable-inbox', inbox.token, marking.aim)
        const answer = await t.send({ endpoint: marking.endpoint, params: open.params, as: open.user })
        t.expect(answer).status(202, 205)
        await becomeRead(t, open, open.concerned, answer)
      },
    }),
    check({
      ...disposable,
      id: `${id}.keeps-reasons`,
      requirement: 'notifications.reasons.kept',
      title: 'keeps the reasons of the threads',
      run: async (t, { inbox }) => keepsReasons(t, marking, inbox.token),
    }),
    check({
      ...disposable,
      id: `${id}.other-users`,
      requirement: 'notifications.thread.foreign',
      title: 'keeps the threads of other users unread',
      touches: disposableInboxAlone,
      also: { owner: role('owner') },
      run: async (t, { inbox }, { owner }) =>
        confirmed(
          t,
          inbox,
          () => t.ask('disposable-inbox', {}),
          ({ token }) => sparesUsers(t, marking, token, owner),
        ),
    }),
    check({
      ...disposable,
      id: `${id}.now-by-default`,
      requirement: `${id}.effect`,
      title: 'marks what came before a request without last_read_at, and nothing after it',
      asks: ['new-notification'],
      run: async (t, { inbox }) => marksTheLatest(t, marking, inbox.token),
    }),
    check({
      ...disposable,
      id: `${id}.last-read-at`,
      requirement: `${id}.last-read-at`,
      title: 'keeps threads updated after last_read_at unread, even on the same day',
      run: async (t, { inbox }) =>
        confirmed(
          t,
          inbox,
          () => t.ask('disposable-inbox', {}),
          ({ token }) => keepsLater(t, marking, token),
        ),
    }),
  ]
}

/** Marking is no notification, which alone replaces a reason. */
async function keepsReasons(t: CheckContext, { endpoint, aim }: MarkingAll, token: string): Promise<void> {
  const inbox = await openInbox(t, 'disposable-inbox', token, aim)
  const answer = await mark(t, endpoint, inbox)
  const left = new Set((await unreadOf(t, inbox.user)).map(({ id }) => id))
  if (inbox.concerned.every(({ id }) => left.has(id))) t.untested(`no thread is marked yet (${answer.status})`)
  const after = await allOf(t, inbox.user)
  for (const { id, reason, updated } of inbox.concerned) {
    const found = after.find((thread) => thread.id === id && thread.updated === updated)
    const expected = `the reason ${reason} of thread ${id} as before`
    if (found && found.reason !== reason) t.deviation({ expected, actual: found.reason, exchanges: [answer] })
    t.examined(found ? 1 : 0)
  }
}

/** The owner has an unread thread of a repository whose threads another user marks. */
async function sparesUsers(t: CheckContext, { endpoint, aim }: MarkingAll, token: string, owner: Caller): Promise<void> {
  const inbox = await openInbox(t, 'disposable-inbox', token, aim)
  const { repository = '' } = inbox.concerned[0] ?? {}
  const { thread_id } = await unreadBeside(t, owner, repository)
  const answer = await mark(t, endpoint, inbox)
  const { value, exchange } = await currentThread(t, owner, thread_id)
  const expected = `thread ${thread_id} of another user still unread`
  if (value.unread !== true) t.deviation({ expected, actual: 'it is read', exchanges: [answer, exchange] })
  const some = inbox.concerned.length + inbox.others.length
  const marked = await soon(t, 'a thread to be read', async () =>
    (await unreadOf(t, inbox.user)).length < some ? true : undefined,
  )
  if (!marked) t.untested(`no thread is marked yet (${answer.status})`)
  t.examined(1)
}

async function resets(t: CheckContext, { endpoint, aim }: MarkingAll, token: string): Promise<void> {
  const inbox = await openInbox(t, 'disposable-inbox', token, aim)
  const answer = await mark(t, endpoint, inbox)
  if (answer.status === 202) {
    await goesOn(t, inbox, answer)
    t.untested('the response was 202: the inbox is too large for 205', 'disposable-inbox')
  }
  t.expect(answer).status(205).noBody()
  t.expect(await mark(t, endpoint, inbox)).status(202, 205, 304)
}

async function accepts(t: CheckContext, { endpoint, aim }: MarkingAll, token: string): Promise<void> {
  const inbox = await openInbox(t, 'bulk-inbox', token, aim)
  const answer = await mark(t, endpoint, inbox)
  if (answer.status === 205) {
    t.expect(answer).noBody()
    await becomeRead(t, inbox, inbox.concerned, answer)
    t.untested('the response was 205: the inbox is too small for 202', 'bulk-inbox')
  }
  t.expect(answer).status(202)
  await goesOn(t, inbox, answer)
  await t.wait(lasting, 'background work that must not go further')
  await stayUnread(t, inbox, inbox.others, answer)
}

/** All but the latest threads, so that they are too many for 205 as well. */
async function keepsLatest(t: CheckContext, { endpoint, aim }: MarkingAll, token: string): Promise<void> {
  const inbox = await openInbox(t, 'bulk-inbox', token, aim)
  const boundary = latestBoundary(t, inbox)
  const answer = await mark(t, endpoint, inbox, { last_read_at: timestamp(boundary) })
  if (answer.status !== 202) t.untested(`the response was ${answer.status}: the inbox is too small for 202`, 'bulk-inbox')
  await splits(t, inbox, boundary, answer)
}

/** 202 has a message, and its work is done some time later, however few the threads (readings D8). */
async function goesOn(t: CheckContext, inbox: OpenInbox, answer: Exchange): Promise<void> {
  t.expect(answer).matches('message')
  await becomeRead(t, inbox, inbox.concerned, answer)
}

/** "Until now" includes what came a moment ago, not only what came before the last full hour or day (readings D30). */
async function marksTheLatest(t: CheckContext, { endpoint, aim }: MarkingAll, token: string): Promise<void> {
  const before = await openInbox(t, 'disposable-inbox', token, aim)
  const thread_id = before.concerned[0]?.id ?? ''
  await t.ask('new-notification', { thread_id })
  const arrived = await t.eventually(`a notification on thread ${thread_id}`, () => updatedInbox(t, before, aim, token), 5)
  if (!arrived)
    return t.untested(`no notification arrived on thread ${thread_id} within ${t.maxWaitSeconds} s`, 'new-notification')
  const answer = await mark(t, endpoint, arrived)
  await becomeRead(t, arrived, arrived.concerned, answer)
  const thread = { owner: arrived.user, thread_id, from: 'disposable-inbox' } as const
  if (await notified(t, thread, () => t.ask('new-notification', { thread_id }))) return
  t.deviation({ expected: `thread ${thread_id} unread after a later notification`, actual: 'it stays read', exchanges: [answer] })
}

/** The inbox once its first thread was updated. */
async function updatedInbox(t: CheckContext, before: OpenInbox, aim: Aim, token: string): Promise<OpenInbox | undefined> {
  const now = await openInbox(t, 'disposable-inbox', token, aim)
  const [first] = before.concerned
  return now.concerned.some(({ id, updated }) => id === first?.id && updated > first.updated) ? now : undefined
}

async function keepsLater(t: CheckContext, { endpoint, aim }: MarkingAll, token: string): Promise<void> {
  const inbox = await openInbox(t, 'disposable-inbox', token, aim)
  const boundary = boundaryWithinDay(t, inbox)
  await splits(t, inbox, boundary, await mark(t, endpoint, inbox, { last_read_at: timestamp(boundary) }))
}

/** What was updated before the boundary is marked, the rest is not, not even later in the background. */
async function splits(t: CheckContext, inbox: OpenInbox, boundary: number, answer: Exchange): Promise<void> {
  const earlier = inbox.concerned.filter((thread) => isBefore(thread, boundary))
  const later = inbox.concerned.filter((thread) => isAfter(thread, boundary))
  await becomeRead(t, inbox, earlier, answer)
  if (answer.status === 202) await t.wait(lasting, 'background work that must not go further')
  await stayUnread(t, inbox, later, answer)
}

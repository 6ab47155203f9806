import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { Endpoint } from '../../../src/spec/endpoints.ts'
import { isLatest } from '../../../src/spec/versions.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, optional, role } from '../../../src/suite/needs.ts'
import { briefly, eventually, moment } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { jsonMediaType } from '../../common/served.ts'
import { accessChecks } from '../common/access.ts'
import type { Address } from '../common/access-request.ts'
import { isMarked, type LookForMarks, onOtherData } from '../common/other-data.ts'
import { subscribe } from '../common/subscription-state.ts'
import { currentThread, instantOf, timestamp, unreadBeside } from '../common/threads.ts'
import { disposableInbox, disposableInboxAlone } from '../common/touches.ts'
import {
  type Aim,
  aimAtAll,
  allOf,
  boundariesBeside,
  expectRead,
  isAfter,
  isBefore,
  isShort,
  latestBoundary,
  lookAfter,
  lookForMarks,
  mark,
  type OpenInbox,
  openInbox,
  type Unread,
  unreadAnew,
  unreadOf,
  unreadShown,
  untilOldest,
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
  return operation({
    id,
    endpoint,
    needs: { inbox: need('disposable-inbox') },
    level: 'must',
    schedule: 'alone',
    writes: true,
    touches: disposableInbox,
  })
}

/** A further disposable inbox. */
const furtherInbox = (t: CheckContext): Promise<Inbox> => t.ask('disposable-inbox', {})

/** The common checks of both endpoints that mark many threads read (readings D8 to D11). */
export function markingAllChecks(marking: MarkingAll) {
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
        also: { owner: role('owner'), other: optional(need('disposable-inbox')) },
        touches: disposableInboxAlone,
      },
      (t, { inbox }, { owner, other }) => {
        const further = async (): Promise<Beside> => {
          return { inbox: await furtherInbox(t), other: await unlessUntested(furtherInbox(t)) }
        }
        return onOtherData(t, { inbox, other }, further, (inboxes) =>
          markBeside(t, marking, inboxes, owner),
        )
      },
    ),
    disposable.check(
      'last-read-at',
      'keeps threads updated after last_read_at unread, even on the same day',
      { asks: ['new-notification'] },
      (t, { inbox }) =>
        onOtherData(
          t,
          inbox,
          () => furtherInbox(t),
          (each) => markUntil(t, marking, each),
        ),
    ),
  ]
}

/** The threads of the role inbox-user may be marked, and by which callers. `find` finds the parameters of a request. */
export function markingAllAccess(
  { id, endpoint, bodiless }: MarkingAll,
  find: (t: CheckContext, entitled: Caller, isPrivate: boolean) => Promise<Address>,
) {
  return accessChecks({
    id,
    endpoint,
    of: 'inbox-user',
    resource: 'thread',
    needs: {},
    address: async (t, _, entitled, isPrivate) => {
      return { body: {}, ...(await find(t, entitled, isPrivate)) }
    },
    effect: async (t, _, entitled, before) => unreadShown(t, entitled, before),
    anew: unreadAnew,
    granted: {
      needs: {},
      address: async (t, _, entitled) => {
        // The effect is visible on a private repository, whose threads are few, or on the oldest thread of the inbox.
        const shown = bodiless && (await unlessUntested(unreadAnew(t, entitled, true)))
        const address = await find(t, entitled, shown !== undefined)
        return { ...address, body: shown ?? (await untilOldest(t, entitled)) }
      },
      expectDone: async (t, _, user, response, { params = {}, body }) => {
        const until = instantOf(isObject(body) && body.last_read_at)
        // Without an instant, NaN, every thread is covered.
        const isConcerned = ({ repository }: Unread) =>
          params.repo === undefined || repository === `${params.owner}/${params.repo}`
        const isLeft = (thread: Unread) => isConcerned(thread) && !(thread.updated >= until)
        const isRead = async () => !(await unreadOf(t, user, isShort)).some(isLeft)
        const { met } = await lookAfter(response)(t, 'the threads to be read', isRead, Boolean)
        t.expect(response).satisfy('every thread that it covers read', met, 'one is unread')
      },
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

/** An inbox that is marked, and that of another user, with private threads and those of several repositories and days. */
interface Beside {
  readonly inbox: Inbox
  readonly other?: Inbox | undefined
}

/** The owner has an unread thread of a repository whose threads another user marks, and a third user has a whole inbox. */
async function markBeside(
  t: CheckContext,
  { endpoint, aim }: MarkingAll,
  { inbox: { token }, other }: Beside,
  owner: Caller,
): Promise<LookForMarks> {
  const bystander =
    other && (await unlessUntested(openInbox(t, 'disposable-inbox', other.token, aimAtAll)))
  const inbox = await openInbox(t, 'disposable-inbox', token, aim)
  // Two tokens may be of one user.
  const own = new Set([...inbox.concerned, ...inbox.others].map(({ id }) => id))
  const theirs = bystander?.concerned.filter(({ id }) => !own.has(id)) ?? []
  const { repository = '' } = inbox.concerned[0] ?? {}
  const { thread_id } = await unreadBeside(t, owner, repository)
  const latest = Math.max(...inbox.concerned.map(({ updated }) => updated))
  const body = isLatest(t) ? {} : { last_read_at: timestamp(latest) }
  const response = await mark(t, endpoint, inbox, body)
  return async (looking) => {
    const { value, exchange } = await currentThread(t, owner, thread_id)
    t.expect(exchange, response).satisfy(
      `thread ${thread_id} of another user still unread`,
      value.unread === true,
      'it is read',
    )
    if (bystander) await lookForMarks(t, bystander, theirs, response)(looking)
    await requireSomeRead(t, inbox, response)
  }
}

/** The control: the request has marked some thread. */
async function requireSomeRead(
  t: CheckContext,
  { user, concerned }: OpenInbox,
  response: Exchange,
) {
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
  const { concerned: marked, others: left } = inbox
  await (await expectSplit(t, inbox, { marked, left }, response)).look(eventually)
  await expectRead(t, inbox, inbox.concerned, response)
}

/** Marks all threads except the latest ones, so that they are too many for 205 as well. A notification renews one of them meanwhile. */
const expectLatestKept: Judge<void> = async (t, { endpoint, aim }, { token }) => {
  const inbox = await openInbox(t, 'bulk-inbox', token, aim)
  const boundary = latestBoundary(t, inbox)
  const response = await mark(t, endpoint, inbox, { last_read_at: timestamp(boundary) })
  if (response.status !== 202)
    t.untested(`the response was ${response.status}: the inbox is too small for 202`, 'bulk-inbox')
  const earlier = inbox.concerned.filter((thread) => isBefore(thread, boundary))
  const moved = await notifiedAnew(t, inbox.user, earlier.slice(-1))
  const left = [...inbox.others, ...inbox.concerned.filter((thread) => isAfter(thread, boundary))]
  await (
    await expectSplit(
      t,
      inbox,
      { marked: earlier.slice(0, -1), left: [...left, ...moved] },
      response,
    )
  ).look(eventually)
}

const markUntil: Judge<LookForMarks> = async (t, marking, { token }) => {
  const { endpoint, aim, bodiless = aim } = marking
  const inbox = await openInbox(t, 'disposable-inbox', token, aim)
  let left = [...inbox.concerned, ...inbox.others]
  const secret = { ...inbox, ...bodiless(left) }
  const marks = (aim === bodiless ? [inbox] : [inbox, secret])
    .flatMap((target) => boundariesBeside(t, target).map((boundary) => ({ ...target, boundary })))
    .sort((a, b) => a.boundary - b.boundary)
  let look: LookForMarks = async () => {}
  const marked: Unread[] = []
  // The first one again: threads that are marked already stay so.
  for (const [index, { boundary, ...target }] of [...marks, ...marks.slice(0, 1)].entries()) {
    const concerned = left.filter((thread) => target.concerned.includes(thread))
    const earlier = concerned.filter((thread) => isBefore(thread, boundary))
    const renewed = index === 0 ? earlier.slice(1).slice(-1) : []
    earlier.splice(earlier.length - renewed.length)
    const [response, moved] = await Promise.all([
      mark(t, endpoint, target, { last_read_at: timestamp(boundary) }),
      notifiedAnew(t, inbox.user, renewed),
    ])
    marked.push(...earlier)
    const isKept = (thread: Unread) => !concerned.includes(thread) || isAfter(thread, boundary)
    left = [...left.filter(isKept), ...moved]
    const split = await expectSplit(t, inbox, { marked, left }, response)
    look = split.look
    if (!split.isSeen && (await isMarked(look))) break
  }
  return look
}

/** Notifications on threads that are marked meanwhile: as they are later than last_read_at, they stay unread. Empty if none arrives. */
async function notifiedAnew(t: CheckContext, user: Caller, threads: readonly Unread[]) {
  const moved: Unread[] = []
  for (const { id, updated } of threads) {
    await unlessUntested(t.ask('new-notification', { thread_id: id }))
    const isNewer = (thread: Unread) => thread.id === id && thread.updated > updated
    const renewed = async () => (await allOf(t, user)).find(isNewer)
    const { last } = await briefly(t, 'a notification', renewed)
    if (last) moved.push(last)
  }
  return moved
}

/** Some threads are marked. The others stay unread, even after the background work: all of them may be seen so already. */
async function expectSplit(
  t: CheckContext,
  inbox: OpenInbox,
  { marked, left }: { readonly marked: readonly Unread[]; readonly left: readonly Unread[] },
  response: Exchange,
) {
  const unread = await expectRead(t, inbox, marked, response)
  const isLater = response.status === 202
  if (isLater) await moment(t, 'background work that must not go further')
  const isSeen = !isLater && left.every(({ id }) => unread.has(id))
  return { look: lookForMarks(t, inbox, left, response), isSeen }
}

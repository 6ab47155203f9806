import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Endpoint } from '../../../src/spec/endpoint.ts'
import type { Level } from '../../../src/spec/level.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, role } from '../../../src/suite/needs.ts'
import type { Effect } from '../../common/access.ts'
import { unlessUntested } from '../../common/proof.ts'
import { accessChecks } from '../common/access.ts'
import { startRead } from '../common/arrivals.ts'
import { confirmed } from '../common/confirmed.ts'
import { findLeft, type findListed } from '../common/listed-threads.ts'
import { othersThreadChecks } from '../common/others-threads.ts'
import { aboutThread, inboxOf, repositoryInboxAround, soon, unreadThread } from '../common/threads.ts'
import { ownThread } from '../common/touched.ts'
import { effectLasts, leavesList, othersUntouched } from './thread-fixture.ts'

/** One of the two endpoints that take a thread out of the default list: read, or done. */
export interface MarkingThread {
  readonly id: string
  readonly endpoint: Endpoint
  /** What a served request is answered, without a body, and the aspect that says so. */
  readonly success: { readonly status: number; readonly aspect: string }
  /** The title of the claim about the default list, and whether the thread stays among those listed with all=true. */
  readonly inbox: { readonly title: string; readonly kept: boolean }
  /** Level of the claim about unknown ids. */
  readonly unknown?: Level
  /** What a refused request must leave as it was. */
  readonly effect: (t: CheckContext, entitled: Caller, thread_id: string, find?: typeof findListed) => Promise<Effect>
}

/** An unread thread of the owner's, to be marked by one check. */
export const marking = {
  needs: { owner: role('owner'), thread: need('unread-thread') },
  level: 'must',
  schedule: 'alone',
  writes: true,
} as const

/** What both endpoints that mark one thread answer and do. */
export function markingThreadChecks({ id, endpoint, success, inbox, effect }: MarkingThread): Check[] {
  return [
    check({
      ...marking,
      touches: ownThread,
      id: `${id}.${success.aspect}`,
      requirement: `${id}.status`,
      title: `returns ${success.status} without a body${inbox.kept ? '' : ', and for a read thread, too'}`,
      run: async (t, { owner, thread }) => {
        await unreadThread(t, owner, thread.thread_id)
        const answer = await t.send(aboutThread(endpoint, thread.thread_id, owner), { tapped: true })
        t.expect(answer).status(success.status).noBody()
        const other = inbox.kept ? undefined : await unlessUntested(t.ask('unread-thread', {}))
        if (other && other.thread_id !== thread.thread_id) await servedWhenRead(t, owner, other.thread_id, { endpoint, success })
      },
    }),
    check({
      ...marking,
      id: `${id}.leaves-inbox`,
      requirement: `${id}.effect`,
      title: inbox.title,
      run: async (t, { owner, thread }) =>
        leavesList(t, owner, thread.thread_id, { endpoint, kept: inbox.kept, list: (_, user) => inboxOf(user) }),
    }),
    check({
      ...marking,
      id: `${id}.leaves-repository-list`,
      requirement: `${id}.effect`,
      title: 'removes the thread from the unread threads in the list of its repository',
      run: async (t, { owner, thread }) =>
        leavesList(t, owner, thread.thread_id, { endpoint, kept: inbox.kept, list: repositoryInboxAround }),
    }),
    check({
      ...marking,
      touches: ownThread,
      slow: true,
      id: `${id}.lasts`,
      requirement: `${id}.effect`,
      title: 'keeps the thread marked: it is not unread again two seconds later',
      run: async (t, { owner, thread }) => effectLasts(t, owner, thread.thread_id, { endpoint, effect }),
    }),
    check({
      ...marking,
      id: `${id}.others-untouched`,
      requirement: `${id}.others`,
      title: 'keeps all other threads unchanged',
      also: { bystander: need('unread-thread') },
      run: async (t, { owner, thread }, { bystander }) => {
        const made = async () => [await t.ask('unread-thread', {}), await t.ask('unread-thread', {})]
        const isSparing = async ([marked, other]: { thread_id: string }[]) => {
          await unreadThread(t, owner, other?.thread_id ?? '')
          await othersUntouched(t, owner, endpoint, marked?.thread_id ?? '')
        }
        await confirmed(t, [thread, bystander], made, isSparing)
      },
    }),
  ]
}

/** That a thread is read already is no reason to refuse it (document: Notification thread moves). */
async function servedWhenRead(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  { endpoint, success }: Pick<MarkingThread, 'endpoint' | 'success'>,
): Promise<void> {
  if (!(await unlessUntested(startRead(t, { owner, thread_id, from: 'unread-thread' }).then(() => true)))) return
  t.expect(await t.send(aboutThread(endpoint, thread_id, owner))).status(success.status)
}

/** Who may mark one thread, and which. */
export function markingThreadAccess({ id, endpoint, effect, unknown = 'must' }: MarkingThread): Check[] {
  return [
    ...othersThreadChecks({ id, endpoint, resource: 'thread', unknown }),
    ...accessChecks({
      id,
      endpoint,
      of: 'owner',
      resource: 'thread',
      needs: { thread: need('shared-thread') },
      address: async (_, { thread }) => ({ params: { thread_id: thread.thread_id } }),
      effect: async (t, { thread }, entitled) => effect(t, entitled, thread.thread_id),
      anew: async (t) => ({ thread: await t.ask('unread-thread', {}) }),
      granted: {
        needs: { disposable: need('unread-thread') },
        address: async (_, { disposable }) => ({ params: { thread_id: disposable.thread_id } }),
        done: async (t, { disposable }, entitled, answer) => {
          // A thread that is done need not be served any more (readings D12).
          const marked = async () => {
            const seen = await unlessUntested(effect(t, entitled, disposable.thread_id, findLeft))
            return seen?.visible ? undefined : true
          }
          if (await soon(t, 'the thread to be marked', marked)) return
          t.deviation({ expected: 'the thread to be marked', actual: 'it stays unread', exchanges: [answer] })
        },
      },
    }),
  ]
}

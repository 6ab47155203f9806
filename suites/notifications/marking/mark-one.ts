import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { Endpoint } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { eventually } from '../../../src/suite/observe.ts'
import { type Effect, expectNoServerError } from '../../common/access.ts'
import { unlessUntested } from '../../common/proof.ts'
import { accessChecks } from '../common/access.ts'
import { startRead } from '../common/arrivals.ts'
import { findLeft, type findListed } from '../common/listed-threads.ts'
import { othersThreadChecks } from '../common/others-threads.ts'
import { aboutThread, privateThread, unreadThread } from '../common/threads.ts'
import { ownThread } from '../common/touches.ts'

/** One of the two endpoints that remove a thread from the default list: as read, or as done. */
export interface MarkingThread {
  readonly id: `notifications.${string}`
  readonly endpoint: Endpoint
  /** The status of a served request, without a body, and the aspect of its check. */
  readonly success: { readonly status: number; readonly aspect: string }
  /** A marked thread is surely served still. */
  readonly kept: boolean
  /** The facts that a refused request must not change. */
  readonly effect: (
    t: CheckContext,
    entitled: Caller,
    thread_id: string,
    find?: typeof findListed,
  ) => Promise<Effect>
}

/** The operation on an unread thread of the owner's, which one check marks. */
export function onUnreadThread({ id, endpoint }: MarkingThread) {
  return operation({
    id,
    endpoint,
    needs: { owner: role('owner'), thread: need('unread-thread') },
    level: 'must',
    schedule: 'alone',
    writes: true,
  })
}

/** The response of both endpoints that mark one thread. */
export function markedCheck(marking: MarkingThread) {
  const { id, endpoint, success, kept } = marking
  return onUnreadThread(marking).check(
    success.aspect,
    `returns ${success.status} without a body, and for a read thread, too`,
    { requirement: `${id}.status`, touches: ownThread },
    async (t, { owner, thread }) => {
      const secret = await unlessUntested(privateThread(t))
      for (const { thread_id } of [thread, secret ?? []].flat()) {
        await unreadThread(t, owner, thread_id)
        const request = aboutThread(endpoint, thread_id, owner)
        const response = await t.send(request, { tapped: true })
        // Another program may have marked it as done (readings D12).
        if (response.status === 404) await unreadThread(t, owner, thread_id)
        t.expect(response).status(success.status).noBody()
        // A thread that is read already is no reason for a refusal.
        const again = await t.send(request, { tapped: true })
        expectNoServerError(t, again)
        if (!kept) continue
        t.expect(again).status(success.status, 304).noBody()
        await expectMarked(t, marking, owner, thread_id, again)
      }
      if (kept) return
      const { thread_id } = await t.ask('unread-thread', {})
      await startRead(t, { owner, thread_id, from: 'unread-thread' })
      t.expect(await t.send(aboutThread(endpoint, thread_id, owner))).status(success.status)
    },
  )
}

/** The threads that may be marked, and by which callers. */
export function markingThreadAccess(marking: MarkingThread) {
  const { id, endpoint, effect } = marking
  const about = { id, endpoint, resource: 'thread' } as const
  return [
    ...othersThreadChecks(about),
    ...accessChecks({
      ...about,
      needs: { thread: need('shared-thread') },
      address: async (_, { thread }) => ({ params: { thread_id: thread.thread_id } }),
      effect: async (t, { thread }, entitled) => effect(t, entitled, thread.thread_id),
      granted: {
        needs: { thread: need('unread-thread') },
        address: async (_, { thread }) => ({ params: { thread_id: thread.thread_id } }),
        expectDone: (t, { thread }, entitled, response) =>
          expectMarked(t, marking, entitled, thread.thread_id, response),
      },
    }),
  ]
}

/** A thread that is done need not be served any more (readings D12). */
async function expectMarked(
  t: CheckContext,
  { effect }: MarkingThread,
  as: Caller,
  thread_id: string,
  response: Exchange,
) {
  const isMarked = async () => !(await unlessUntested(effect(t, as, thread_id, findLeft)))?.visible
  const { met } = await eventually(t, 'the thread to be marked', isMarked, Boolean)
  t.expect(response).satisfy('the thread to be marked', met, 'it stays unread')
}

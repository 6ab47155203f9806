import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { type NeedMap, need, role } from '../../../src/suite/needs.ts'
import { briefly, type Looking } from '../../../src/suite/observe.ts'
import { findListed } from './listed-threads.ts'
import { onOtherData } from './other-data.ts'
import { inboxOf } from './threads.ts'
import { wholeInbox } from './touches.ts'

/** Reads a thread, after an optional preparation. */
interface Reading {
  readonly prepare?: (t: CheckContext, owner: Caller, thread_id: string) => Promise<void>
  readonly read: (t: CheckContext, owner: Caller, thread_id: string) => Promise<Exchange>
}

/** Only marking makes a thread read: a GET of it or of the list does not (document: Notification thread moves). */
export function keepsUnreadCheck(
  operation: Operation<NeedMap>,
  title: string,
  { prepare, read }: Reading,
) {
  return operation.with({ needs: { owner: role('owner'), thread: need('unread-thread') } }).check(
    'keeps-unread',
    title,
    {
      requirement: 'notifications.thread.reading',
      schedule: 'alone',
      writes: true,
      touches: wholeInbox,
    },
    async (t, { owner, thread }) => {
      await onOtherData(
        t,
        thread,
        () => t.ask('unread-thread', {}),
        async ({ thread_id }) => {
          await prepare?.(t, owner, thread_id)
          const list = new Listing(t, inboxOf(owner))
          const isListed = async () =>
            (await findListed(t, list, { id: thread_id }, {}))?.value.unread === true
          // A new thread may be listed a little later (readings G16).
          const isShown = async (looking: Looking) =>
            (await looking(t, 'the thread in the inbox', isListed, Boolean)).met
          if (!(await isShown(briefly)))
            t.untested(`the inbox does not list the thread ${thread_id} as unread`, 'unread-thread')
          const response = await read(t, owner, thread_id)
          return async (looking) =>
            t
              .expect(response)
              .satisfy(
                `thread ${thread_id} still unread in the inbox`,
                await isShown(looking),
                'it is not',
              )
        },
      )
    },
  )
}

import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { confirmed } from './confirmed.ts'
import { findListed } from './listed-threads.ts'
import { inboxOf } from './threads.ts'
import { wholeInbox } from './touched.ts'

/** Reads a thread, or something of it that is made first. */
interface Reading {
  readonly made?: (t: CheckContext, owner: Caller, thread_id: string) => Promise<void>
  readonly read: (t: CheckContext, owner: Caller, thread_id: string) => Promise<Exchange>
}

/** Only marking makes a thread read: a GET of it, like one of the list, does not (document: Notification thread moves). */
export function keepsUnreadCheck(id: string, title: string, reading: Reading): Check {
  return check({
    id: `${id}.keeps-unread`,
    requirement: 'notifications.thread.reading',
    level: 'must',
    title,
    needs: { owner: role('owner'), thread: need('unread-thread') },
    schedule: 'alone',
    writes: true,
    touches: wholeInbox,
    run: async (t, { owner, thread }) =>
      confirmed(
        t,
        thread,
        () => t.ask('unread-thread', {}),
        ({ thread_id }) => staysUnread(t, owner, thread_id, reading),
      ),
  })
}

async function staysUnread(t: CheckContext, owner: Caller, thread_id: string, { made, read }: Reading): Promise<void> {
  await made?.(t, owner, thread_id)
  const list = new Listing(t, inboxOf(owner))
  const isListed = async () => (await findListed(t, list, { id: thread_id }, {}))?.value.unread === true
  if (!(await isListed())) t.untested(`the inbox does not list the thread ${thread_id} as unread`, 'unread-thread')
  const answer = await read(t, owner, thread_id)
  if (await isListed()) return t.examined(1)
  t.deviation({ expected: `thread ${thread_id} still unread in the inbox`, actual: 'it is not', exchanges: [answer] })
}

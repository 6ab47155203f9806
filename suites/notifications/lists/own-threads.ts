import type { Caller } from '../../../src/http/exchange/caller.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { type NeedMap, need, role } from '../../../src/suite/needs.ts'
import { findListed } from '../common/listed-threads.ts'
import { ownerOf } from '../common/others-threads.ts'
import { currentThread } from '../common/threads.ts'
import type { NotificationList } from './every-list.ts'

/** An inbox belongs to one user: no list holds a thread of somebody else's (document: What the service does; readings D13). */
export function ownOnlyCheck<const Needs extends NeedMap>({ id, around }: NotificationList<Needs>): Check {
  return check({
    id: `${id}.own-only`,
    requirement: 'notifications.lists.own',
    level: 'must',
    title: 'omits the threads of other users',
    conclusive: true,
    needs: { owner: role('owner'), own: need('shared-thread'), foreign: need('foreign-thread') },
    run: async (t, { owner, own, foreign }) => {
      await listsItsOwn(t, owner, own.thread_id, around)
      const { value: thread } = await currentThread(t, ownerOf(t, foreign), foreign.thread_id, 'foreign-thread')
      const list = new Listing(t, around(thread, owner))
      const found = (await t.read(list.request())).refused ? undefined : await findListed(t, list, thread)
      if (found) {
        const actual = `the thread ${foreign.thread_id} of another user`
        t.deviation({ expected: 'only threads of the caller', actual, pointer: found.pointer, exchanges: [found.exchange] })
      }
      t.examined(1)
    },
  })
}

/** The control: the same list with a thread that belongs in it (readings G15). */
async function listsItsOwn(
  t: CheckContext,
  owner: Caller,
  thread_id: string,
  around: NotificationList<NeedMap>['around'],
): Promise<void> {
  const { value: own } = await currentThread(t, owner, thread_id, 'shared-thread')
  const listed = await findListed(t, new Listing(t, around(own, owner)), own)
  if (!listed) t.untested(`the list does not contain the caller's own thread ${thread_id} either`, 'shared-thread')
}

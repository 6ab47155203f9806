import type { Check } from '../../../src/suite/check.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { type NeedMap, need, role } from '../../../src/suite/needs.ts'
import { findListed } from '../common/listed-threads.ts'
import { ownerOf } from '../common/others-threads.ts'
import { currentThread } from '../common/threads.ts'
import type { NotificationList } from './notification-list.ts'

/** An inbox belongs to one user: no list contains a thread of another user (readings D13). */
export function ownOnlyCheck<Needs extends NeedMap>({ with: derive, around }: NotificationList<Needs>): Check {
  const needs = { owner: role('owner'), own: need('shared-thread'), foreign: need('foreign-thread') }
  return derive({ needs }).check(
    'own-only',
    'omits the threads of other users',
    { requirement: 'notifications.lists.own', conclusive: true },
    async (t, { owner, own, foreign }) => {
      // The control: the same list contains a thread of the caller (readings G15).
      const { value: mine } = await currentThread(t, owner, own.thread_id, 'shared-thread')
      if (!(await findListed(t, new Listing(t, around(mine, owner)), mine)))
        t.untested(`the list does not contain the caller's own thread ${own.thread_id} either`, 'shared-thread')
      const { value: thread } = await currentThread(t, ownerOf(t, foreign), foreign.thread_id, 'foreign-thread')
      const list = new Listing(t, around(thread, owner))
      const leak = (await t.read(list.request())).refused ? undefined : await findListed(t, list, thread)
      const [expected, actual] = ['only threads of the caller', `the thread ${foreign.thread_id} of another user`]
      if (leak) t.deviation({ expected, actual, pointer: leak.pointer, exchanges: [leak.exchange] })
      t.examined(1)
    },
  )
}

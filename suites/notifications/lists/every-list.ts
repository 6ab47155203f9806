import { Listing } from '../../../src/suite/listing.ts'
import { type NeedMap, need, optional, role } from '../../../src/suite/needs.ts'
import { modificationDate } from '../../../src/suite/poll-session.ts'
import { pagingChecks } from '../../common/paging.ts'
import { pollingChecks } from '../../common/polling.ts'
import { embeddedRemovals, removedFieldChecks } from '../../common/removed-fields.ts'
import { recordedItems, servedChecks } from '../../common/served.ts'
import { keepsUnreadCheck } from '../common/keeps-unread.ts'
import { findListed, near } from '../common/listed-threads.ts'
import { ownerOf } from '../common/others-threads.ts'
import * as readState from '../common/read-state.ts'
import { threadShapeChecks } from '../common/thread-shape.ts'
import {
  currentThread,
  everything,
  inboxOf,
  readMention,
  threadEndpoints,
} from '../common/threads.ts'
import { arrivingThread } from '../common/touches.ts'
import { combinationChecks } from './combined-filters.ts'
import { filterChecks } from './filters.ts'
import { everyFilter, newNotificationCheck } from './modification.ts'
import type { NotificationList } from './participating.ts'

/** The checks of both notification lists. */
export function listChecks<Needs extends NeedMap>(list: NotificationList<Needs>) {
  const { endpoint, at, around, kinds = [] } = list
  return [
    ...servedChecks(list, { at, requirement: 'notifications.lists.status' }),
    ...threadShapeChecks(list.with({ schedule: 'afterwards' }), async (t, needs) => {
      await new Listing(t, list.at(needs)).page()
      await new Listing(t, list.at(needs)).walk({ query: everything })
      return recordedItems(t, endpoint)
    }),
    ...pagingChecks(list, {
      also: { large: need('large-inbox') },
      paging: endpoint.paging,
      at: (needs) => ({ ...at(needs), query: everything }),
    }),
    ...pollingChecks(list, {
      at,
      validator: modificationDate,
      requirement: 'polling.last-modified',
      recorded: endpoint,
      kinds,
      also: { own: optional(need('shared-thread')) },
      filters: [everyFilter, { ...everything, since: everyFilter.since }],
      whole: ({ as }) => ({ ...inboxOf(as), query: everything }),
    }),
    newNotificationCheck(list),
    keepsUnreadCheck(list, 'keeps an unread thread unread when it is listed', {
      read: async (t, owner, thread_id) => {
        const { value, exchange } = await currentThread(t, owner, thread_id)
        const own = new Listing(t, around(value, owner))
        await near(own, value, { ...everything, participating: true })
        return (await findListed(t, own, value, {}))?.exchange ?? exchange
      },
    }),
    ownOnlyCheck(list),
    ...stateChecks(list),
    ...filterChecks(list),
    ...combinationChecks(list),
    ...removedFieldChecks(list, {
      fields: [embeddedRemovals.hasDownloads],
      peers: threadEndpoints,
      read: (t, needs) => new Listing(t, list.at(needs)).page(everything),
    }),
  ]
}

function stateChecks<Needs extends NeedMap>(list: NotificationList<Needs>) {
  const { around } = list
  const all = list.with({ requirement: 'notifications.lists.all' })
  const defaults = list.with({ requirement: 'notifications.lists.defaults' })
  return [
    all.check('unread-only', 'lists only unread threads by default', (t, needs) =>
      readState.expectUnreadOnly(t, new Listing(t, list.at(needs))),
    ),
    all.check(
      'all',
      'lists read threads only with all=true',
      {
        also: { owner: role('owner'), given: optional(need('read-thread')) },
        schedule: 'alone',
        touches: arrivingThread,
      },
      async (t, needs, { owner, given }) => {
        const read = await readMention(t, given)
        const { value } = read ? await currentThread(t, owner, read.thread_id, 'read-thread') : {}
        const own = new Listing(t, value ? around(value, owner) : list.at(needs))
        await readState.expectReadOnlyWithAll(t, own, value)
      },
    ),
    all.check(
      'all-unread',
      'lists each thread by default that is unread with all=true, however old',
      (t, needs) => readState.expectByDefault(t, new Listing(t, list.at(needs)), 'unread'),
    ),
    all.check(
      'all-contains-default',
      'includes the whole default list in the list with all=true',
      (t, needs) => readState.expectWithin(t, new Listing(t, list.at(needs)), {}, 'read-thread'),
    ),
    defaults.check(
      'filters-default',
      'applies all=false and participating=false by default',
      (t, needs) => readState.expectSameByDefault(t, new Listing(t, list.at(needs))),
    ),
    defaults.check(
      'no-parameters',
      'returns the same page without parameters as with all documented defaults',
      (t, needs) =>
        readState.expectSameWithoutParameters(
          t,
          new Listing(t, list.at(needs)),
          list.endpoint.paging.default,
        ),
    ),
  ]
}

/** An inbox belongs to one user: no list contains a thread of another user (readings D13). */
function ownOnlyCheck<Needs extends NeedMap>({ with: derive, around }: NotificationList<Needs>) {
  return derive({
    needs: {
      owner: role('owner'),
      own: need('shared-thread'),
      foreign: need('foreign-thread'),
    },
  }).check(
    'own-only',
    'omits the threads of other users',
    { requirement: 'notifications.lists.own', conclusive: true },
    async (t, { owner, own, foreign }) => {
      // The control: the same list contains a thread of the caller (readings G15).
      const { value: mine } = await currentThread(t, owner, own.thread_id, 'shared-thread')
      if (!(await findListed(t, new Listing(t, around(mine, owner)), mine)))
        t.untested(
          `the list does not contain the caller's own thread ${own.thread_id} either`,
          'shared-thread',
        )
      const user = ownerOf(t, foreign)
      const { value: thread } = await currentThread(t, user, foreign.thread_id, 'foreign-thread')
      // A cache may keep the page of that user for all callers.
      await near(new Listing(t, around(thread, user)), thread)
      const list = new Listing(t, around(thread, owner))
      const leak = (await t.read(list.request())).refused
        ? undefined
        : await findListed(t, list, thread, everything, { fresh: false })
      // Ids may be unique for each user only.
      const isIt = JSON.stringify(leak?.value.subject) === JSON.stringify(thread.subject)
      if (leak && isIt)
        t.deviation({
          expected: 'only threads of the caller',
          actual: `the thread ${foreign.thread_id} of another user`,
          pointer: leak.pointer,
          exchanges: [leak.exchange],
        })
      t.examined(1)
    },
  )
}

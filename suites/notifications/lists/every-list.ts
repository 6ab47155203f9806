import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Endpoint, Paging } from '../../../src/spec/endpoint.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type ListAddress, Listing } from '../../../src/suite/listing.ts'
import type { JsonObject } from '../../../src/suite/located.ts'
import { type NeedMap, need, optional, type Resolved, role } from '../../../src/suite/needs.ts'
import { modificationDate } from '../../../src/suite/poll-session.ts'
import { pagingChecks } from '../../common/paging.ts'
import { pollingChecks } from '../../common/polling.ts'
import { embeddedRemovals } from '../../common/removable-objects.ts'
import { removedFieldChecks } from '../../common/removed-fields.ts'
import { servedChecks } from '../../common/served.ts'
import { keepsUnreadCheck } from '../common/keeps-unread.ts'
import { findListed } from '../common/listed-threads.ts'
import {
  readThreadsOnlyWithAll,
  sameByDefault,
  sameWithoutParameters,
  unreadOnly,
  withinEverything,
} from '../common/read-state.ts'
import { threadShapeChecks } from '../common/thread-shape.ts'
import { currentThread, everything, inboxOf } from '../common/threads.ts'
import { arrivingThread } from '../common/touched.ts'
import { combinationChecks } from './combined-filters.ts'
import { filterChecks } from './filters.ts'
import { newNotificationCheck } from './modification.ts'
import { ownOnlyCheck } from './own-threads.ts'

/** One of the two notification lists, and how to address it. */
export interface NotificationList<Needs extends NeedMap> {
  /** `notifications.<operation>`, the beginning of the ids of its checks. */
  readonly id: `notifications.${string}`
  readonly endpoint: Endpoint & { readonly paging: Paging }
  readonly needs: Needs
  readonly at: (needs: Resolved<Needs>) => ListAddress
  /** The list, of the owner, that holds the thread with this body. */
  readonly around: (thread: JsonObject, owner: Caller) => ListAddress
}

/** What the document asks of both notification lists. */
export function listChecks<const Needs extends NeedMap>(list: NotificationList<Needs>): Check[] {
  const { id, needs, endpoint, at } = list
  const open = (t: CheckContext, resolved: Resolved<Needs>) => new Listing(t, at(resolved))
  return [
    ...servedChecks({ id, needs, at, requirement: 'notifications.lists.status' }),
    ...threadShapeChecks({
      id,
      needs,
      items: async (t, resolved) => (await open(t, resolved).walk({ query: everything })).items,
    }),
    ...pagingChecks({
      id,
      needs,
      also: { large: need('large-inbox') },
      paging: endpoint.paging,
      at: (resolved) => ({ ...at(resolved), query: everything }),
    }),
    ...pollingChecks({
      ...{ id, needs, at, validator: modificationDate, requirement: 'polling.last-modified', recorded: endpoint },
      whole: ({ as }) => ({ ...inboxOf(as), query: everything }),
    }),
    newNotificationCheck(list),
    keepsUnreadCheck(id, 'keeps an unread thread unread when it is listed', {
      read: async (t, owner, thread_id) => {
        const { value, exchange } = await currentThread(t, owner, thread_id)
        return (await findListed(t, new Listing(t, list.around(value, owner)), value, {}))?.exchange ?? exchange
      },
    }),
    ownOnlyCheck(list),
    ...stateChecks(list),
    ...filterChecks(list),
    ...combinationChecks(list),
    ...removedFieldChecks({
      id,
      endpoint,
      needs,
      fields: [embeddedRemovals.hasDownloads],
      read: (t, resolved) => open(t, resolved).page(everything),
    }),
  ]
}

function stateChecks<const Needs extends NeedMap>(list: NotificationList<Needs>): Check[] {
  const { id, needs } = list
  const open = (t: CheckContext, resolved: Resolved<Needs>) => new Listing(t, list.at(resolved))
  return [
    check({
      id: `${id}.unread-only`,
      requirement: 'notifications.lists.all',
      level: 'must',
      title: 'lists only unread threads by default',
      needs,
      run: async (t, resolved) => unreadOnly(t, open(t, resolved)),
    }),
    check({
      id: `${id}.all`,
      requirement: 'notifications.lists.all',
      level: 'must',
      title: 'lists read threads only with all=true',
      needs,
      also: { owner: role('owner'), read: optional(need('read-thread')) },
      schedule: 'alone',
      touches: arrivingThread,
      run: async (t, resolved, { owner, read }) => {
        const given = read && (await currentThread(t, owner, read.thread_id, 'read-thread')).value
        await readThreadsOnlyWithAll(t, given ? new Listing(t, list.around(given, owner)) : open(t, resolved), given)
      },
    }),
    check({
      id: `${id}.all-contains-default`,
      requirement: 'notifications.lists.all',
      level: 'must',
      title: 'includes the whole default list in the list with all=true',
      needs,
      run: async (t, resolved) => withinEverything(t, open(t, resolved), { narrow: {}, wide: everything, need: 'read-thread' }),
    }),
    check({
      id: `${id}.filters-default`,
      requirement: 'notifications.lists.defaults',
      level: 'must',
      title: 'applies false as the default of all and participating',
      needs,
      run: async (t, resolved) => sameByDefault(t, open(t, resolved)),
    }),
    check({
      id: `${id}.no-parameters`,
      requirement: 'notifications.lists.defaults',
      level: 'must',
      title: 'returns the same page without parameters as with all documented defaults',
      needs,
      run: async (t, resolved) => sameWithoutParameters(t, open(t, resolved), list.endpoint.paging.default),
    }),
  ]
}

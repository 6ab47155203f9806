import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Endpoint, Paging } from '../../../src/spec/endpoints.ts'
import type { NeedCatalogue } from '../../../src/spec/needs.ts'
import type { Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing, type Query } from '../../../src/suite/listing.ts'
import type { JsonObject } from '../../../src/suite/located.ts'
import type { NeedMap } from '../../../src/suite/needs.ts'
import { eventually } from '../../../src/suite/observe.ts'
import { asWritten } from '../../common/paging.ts'
import type { PolledList } from '../../common/polling.ts'
import { around, findListed } from '../common/listed-threads.ts'
import type { ListAround } from '../common/periods.ts'
import {
  currentThread,
  everything,
  instantOf,
  objectsAmong,
  type Thread,
} from '../common/threads.ts'

/** One of the two notification lists. Its operation defines its checks. */
export interface NotificationList<Needs extends NeedMap>
  extends Omit<Operation<Needs>, 'endpoint'>,
    Pick<PolledList<Needs>, 'at' | 'kinds'>,
    ListAround {
  readonly endpoint: Endpoint & { readonly paging: Paging }
}

type Cause = NeedCatalogue['new-notification']['with']

export const isWatched = ({ reason }: JsonObject) => reason === 'subscribed'

/** The list omits threads that the user only watches. */
export async function expectNoneOnlyWatched(t: CheckContext, list: Listing) {
  const whole = await list.walk({ query: everything })
  const watched = objectsAmong(whole.items).filter(({ value }) => isWatched(value))
  const [
    first = t.untested('the list contains no thread with reason subscribed', 'new-notification'),
  ] = watched
  for (const filters of [
    everything,
    { ...everything, ...around(instantOf(first.value.updated_at)) },
    {},
  ]) {
    const part = await list.walk({ query: { ...filters, participating: true } })
    const leak = objectsAmong(part.items).find(({ value }) => isWatched(value))
    if (!leak) continue
    const { value, pointer, exchange } = leak
    t.deviation({
      expected: 'only threads that the user participates in',
      actual: `the thread ${value.id} with reason subscribed`,
      pointer,
      exchanges: [exchange],
    })
  }
  t.examined(watched.length)
}

/** A cause makes a thread that `fits`. It is read by itself first, since a list that leaves it out may do so under any parameter. */
export async function expectNewListed(
  t: CheckContext,
  around: ListAround['around'],
  owner: Caller,
  cause: Cause,
  fits: typeof isParticipant,
) {
  const { thread_id } = await t.ask('new-notification', cause)
  const thread = await currentThread(t, owner, thread_id, 'new-notification')
  if (thread.value.unread !== true || !fits(thread.value))
    t.untested(
      `the thread ${thread_id} is not an unread one of the wanted cause or repository`,
      'new-notification',
    )
  await expectUnreadListed(t, owner, new Listing(t, around(thread.value, owner)), thread)
}

/** The list contains the thread, unless another program marks it as read, or as done, meanwhile. */
export async function expectUnreadListed(
  t: CheckContext,
  owner: Caller,
  list: Listing,
  { value }: Thread,
  query: Query = {},
) {
  const id = String(value.id)
  const { last: listed } = await eventually(t, 'the thread to be listed', () =>
    findListed(t, list, value, query),
  )
  if (listed) return t.examined(1)
  const { value: now, exchange: later } = await currentThread(t, owner, id, 'new-notification')
  if (now.unread !== true && (value.unread === true || !query.all))
    t.untested(`the thread ${id} was marked meanwhile`)
  t.deviation({
    expected: `the thread ${id} with reason ${value.reason} in the list with ${asWritten(query)}`,
    actual: 'the thread is missing',
    exchanges: [later, ...(await list.walk({ query })).pages],
  })
}

/** The reasons that clearly make a user a participant (readings D6). */
export const participation = [
  'author',
  'mention',
  'assign',
  'review_requested',
  'team_mention',
  'comment',
] as const
export const isParticipant = ({ reason }: JsonObject) =>
  participation.some((known) => known === reason)

import { endpoints } from '../../../src/spec/endpoints.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { type NeedMap, need, optional, role } from '../../../src/suite/needs.ts'
import { unlessUntested } from '../../common/proof.ts'
import {
  around60Days,
  beforeAlone,
  between,
  type Choice,
  expectPeriod,
  filterNeeds,
  sinceAlone,
} from '../common/periods.ts'
import { expectWithin } from '../common/read-state.ts'
import { everything, inboxOf, isPrivate, objectsAmong, type Thread } from '../common/threads.ts'
import { ownThread } from '../common/touches.ts'
import {
  expectNewListed,
  expectNoneOnlyWatched,
  isWatched,
  type NotificationList,
} from './participating.ts'

/** `since`, `before` and `participating` (document: Endpoints, Notifications; readings D5, D6). */
export function filterChecks<Needs extends NeedMap>(list: NotificationList<Needs>) {
  const { around } = list
  const dated = list.with({ needs: filterNeeds })
  const period = (
    aspect: string,
    filter: 'since' | 'before',
    title: string,
    ...choices: Choice[]
  ) =>
    dated.check(
      aspect,
      title,
      `notifications.lists.${filter}`,
      async (t, { owner, threads: { thread_ids: ids } }) => {
        for (const choose of choices)
          await expectPeriod(t, {
            owner,
            ids,
            around,
            choose,
            beside: everything,
            listed: () => true,
          })
      },
    )
  const changing = list.with({
    asks: ['new-notification'],
    schedule: 'alone',
    writes: true,
    touches: ownThread,
  })
  const also = { owner: role('owner') }
  return [
    period(
      'since',
      'since',
      'lists the threads updated later than since, even within the same day',
      sinceAlone,
    ),
    period(
      'before',
      'before',
      'lists the threads updated earlier than before, even within the same day',
      beforeAlone,
    ),
    period(
      'since-and-before',
      'since',
      'lists the threads updated between since and before',
      between,
      around60Days,
    ),
    list.check(
      'participating',
      'lists no additional threads with participating=true',
      'notifications.lists.participating',
      (t, needs) =>
        expectWithin(
          t,
          new Listing(t, list.at(needs)),
          { ...everything, participating: true },
          'new-notification',
        ),
    ),
    changing.check(
      'watched',
      'includes merely watched threads by default',
      { requirement: 'notifications.lists.defaults', also },
      (t, _, { owner }) => expectNewListed(t, around, owner, { reason: 'subscribed' }, isWatched),
    ),
    changing.check(
      'private',
      'lists an unread thread of a private repository',
      {
        requirement: 'notifications.lists.all',
        also: { ...also, secret: need('private-repository') },
      },
      (t, _, { owner, secret }) =>
        expectNewListed(t, around, owner, { ...secret, reason: 'mention' }, isPrivate),
    ),
    list.check(
      'participating-not-watching',
      'omits merely watched threads with participating=true',
      {
        requirement: 'notifications.lists.participating-not-watching',
        level: 'should',
        also: { other: optional(role('inbox-user')) },
      },
      async (t, needs, { other }) => {
        await expectNoneOnlyWatched(t, new Listing(t, list.at(needs)))
        if (!other || list.endpoint === endpoints.listNotifications) return
        const whole = await new Listing(t, inboxOf(other)).walk({ query: everything })
        const isIt = ({ value }: Thread) => isPrivate(value) && isWatched(value)
        const secret = objectsAmong(whole.items).find(isIt)
        const listed = secret && new Listing(t, around(secret.value, other))
        if (listed) await unlessUntested(expectNoneOnlyWatched(t, listed))
      },
    ),
  ]
}

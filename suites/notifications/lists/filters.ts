import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { type NeedMap, need, type Resolved, role } from '../../../src/suite/needs.ts'
import { between, type Choice, filterNeeds, keepsPeriod } from '../common/periods.ts'
import { withinEverything } from '../common/read-state.ts'
import { everything } from '../common/threads.ts'
import { ownThread } from '../common/touched.ts'
import type { NotificationList } from './every-list.ts'
import { noneOnlyWatched, participantsAreListed, privateIsListed, watchedIsListed } from './participating.ts'

/** `since`, `before` and `participating` (document: Endpoints, Notifications; readings D5, D6). */
export function filterChecks<const Needs extends NeedMap>(list: NotificationList<Needs>): Check[] {
  const { id, needs } = list
  const open = (t: CheckContext, resolved: Resolved<Needs>) => new Listing(t, list.at(resolved))
  const period = (aspect: string, filter: 'since' | 'before', title: string, choose: Choice) =>
    check({
      id: `${id}.${aspect}`,
      requirement: `notifications.lists.${filter}`,
      level: 'must',
      title,
      needs: filterNeeds,
      run: async (t, { owner, threads }) =>
        keepsPeriod(t, { owner, ids: threads.thread_ids, around: list.around, choose, beside: everything, listed: () => true }),
    })
  return [
    period('since', 'since', 'lists the threads updated later than since, even within the same day', (since) => ({ since })),
    period('before', 'before', 'lists the threads updated earlier than before, even within the same day', (_, before) => ({
      before,
    })),
    period('since-and-before', 'since', 'lists the threads updated between since and before', between),
    check({
      id: `${id}.participating`,
      requirement: 'notifications.lists.participating',
      level: 'must',
      title: 'lists no additional threads with participating=true',
      needs,
      run: async (t, resolved) => {
        const narrow = { ...everything, participating: true }
        await withinEverything(t, open(t, resolved), { narrow, wide: everything, need: 'new-notification' })
      },
    }),
    check({
      id: `${id}.watched`,
      requirement: 'notifications.lists.defaults',
      level: 'must',
      title: 'includes merely watched threads by default',
      needs,
      also: { owner: role('owner') },
      asks: ['new-notification'],
      schedule: 'alone',
      writes: true,
      touches: ownThread,
      run: async (t, resolved, { owner }) => watchedIsListed(t, open(t, resolved), owner),
    }),
    check({
      id: `${id}.private`,
      requirement: 'notifications.lists.all',
      level: 'must',
      title: 'lists an unread thread of a private repository',
      needs: { owner: role('owner'), secret: need('private-repository') },
      asks: ['new-notification'],
      schedule: 'alone',
      writes: true,
      touches: ownThread,
      run: async (t, { owner, secret: { owner: of, repo } }) => {
        const { thread_id } = await t.ask('new-notification', { owner: of, repo, reason: 'mention' })
        await privateIsListed(t, list.around, owner, thread_id)
      },
    }),
    check({
      id: `${id}.participating-not-watching`,
      requirement: 'notifications.lists.participating-not-watching',
      level: 'should',
      title: 'omits merely watched threads with participating=true',
      needs,
      run: async (t, resolved) => noneOnlyWatched(t, open(t, resolved)),
    }),
    check({
      id: `${id}.participating-reasons`,
      requirement: 'notifications.lists.participating-reasons',
      level: 'should',
      title: 'lists threads that the user participates in with participating=true',
      needs,
      also: { owner: role('owner') },
      asks: ['new-notification'],
      schedule: 'alone',
      writes: true,
      touches: ownThread,
      run: async (t, resolved, { owner }) => participantsAreListed(t, open(t, resolved), owner),
    }),
  ]
}

import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import type { NeedMap } from '../../../src/suite/needs.ts'
import { modificationDate } from '../../../src/suite/poll-session.ts'
import { counted } from '../../../src/text/counted.ts'
import { unlessUntested } from '../../common/proof.ts'
import { threadsOn } from '../common/threads.ts'
import { arrivingThread } from '../common/touched.ts'
import type { NotificationList } from './every-list.ts'

/** Dates have a resolution of one second (readings B9). Seconds. */
const spacing = 2

/** A new notification ends the 304 that the date of before was answered with. */
export function newNotificationCheck<const Needs extends NeedMap>(list: NotificationList<Needs>): Check {
  return check({
    id: `${list.id}.new-notification`,
    requirement: 'polling.last-modified',
    level: 'must',
    title: 'returns 200 for a stale Last-Modified after a new notification',
    needs: list.needs,
    asks: ['new-notification'],
    schedule: 'alone',
    writes: true,
    touches: arrivingThread,
    slow: true,
    run: async (t, needs) => oldDateIsAnswered(t, new Listing(t, list.at(needs))),
  })
}

async function oldDateIsAnswered(t: CheckContext, list: Listing): Promise<void> {
  const repository = repositoryOf(list)
  // One list is told of a thread that it shows already, the other one of a new one.
  const known = 'repo' in repository ? await knownThread(t, repository) : undefined
  const before = await list.freshPage()
  const date = before.header('Last-Modified') ?? t.untested('the response has no Last-Modified to send back', 'unread-thread')
  if (known || !(ageOf(before, date) >= spacing)) await t.wait(spacing, 'another second for Last-Modified')
  await t.ask('new-notification', known ? { thread_id: known.thread_id } : repository)
  const changed = async (): Promise<Exchange | undefined> => {
    const page = await list.freshPage()
    return stateOf(page) === stateOf(before) ? undefined : page
  }
  const after = await t.eventually('a new notification to appear', changed, 5)
  const looked = `page 1 of the list (${counted(threadsOn(before).length, 'thread')}), the only one that was looked at`
  if (!after) t.untested(`no new notification appeared on ${looked}, within ${t.maxWaitSeconds} s`, 'new-notification')
  const answer = await t.pollAgain(list.request(), modificationDate, date)
  if (answer.status === 403 || answer.status === 429)
    t.untested(`the conditional request returned ${answer.status}: it was sent too soon`)
  t.expect(answer).status(200).array()
}

/** A thread that is in the list of a repository already; undefined where none can be made there. */
async function knownThread(t: CheckContext, of: { owner: string; repo: string }): Promise<{ thread_id: string } | undefined> {
  const made = await unlessUntested(t.ask('unread-thread', of))
  return `${made?.owner}/${made?.repo}`.toLowerCase() === `${of.owner}/${of.repo}`.toLowerCase() ? made : undefined
}

/** How much older than its answer a date is, by the target's own clock. Seconds; not a number where the answer has no date. */
function ageOf(answer: Exchange, date: string): number {
  return (Date.parse(answer.header('Date') ?? '') - Date.parse(date)) / 1000
}

/** The repository that a list is of, for the need; nothing for the inbox. */
export function repositoryOf(list: Listing): { owner: string; repo: string } | Record<never, never> {
  const { owner, repo } = list.request().params ?? {}
  return owner === undefined || repo === undefined ? {} : { owner: String(owner), repo: String(repo) }
}

/** What a notification changes on a page, be it on a new thread or on a known one. */
function stateOf(page: Exchange): string {
  return JSON.stringify(threadsOn(page).map(({ value }) => [value.id, value.updated_at, value.unread]))
}

import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import type { NeedMap } from '../../../src/suite/needs.ts'
import { eventually, moment, spacing } from '../../../src/suite/observe.ts'
import { modificationDate } from '../../../src/suite/poll-session.ts'
import { counted } from '../../../src/text/format.ts'
import { apart } from '../../common/polls.ts'
import { unlessDeviating, unlessUntested } from '../../common/proof.ts'
import type { RepositoryName } from '../../common/repositories.ts'
import { near } from '../common/listed-threads.ts'
import { currentThread, everything, threadsOn } from '../common/threads.ts'
import { arrivingThread } from '../common/touches.ts'
import type { NotificationList } from './participating.ts'

/** A period that contains every thread. */
export const anyTime = { since: '2000-01-01T00:00:00Z', before: '2037-01-01T00:00:00Z' }

/** Every filter of a list, with values that exclude few threads: those that the user only watches. */
export const everyFilter = { ...everything, participating: true, ...anyTime }

/** After a new notification, the previous date is no longer answered with 304. */
export function newNotificationCheck<Needs extends NeedMap>(list: NotificationList<Needs>) {
  const changing = { schedule: 'alone', writes: true, touches: arrivingThread, slow: true } as const
  return list.check(
    'new-notification',
    'returns 200 for a stale Last-Modified after a new notification',
    { requirement: 'polling.last-modified', asks: ['new-notification'], ...changing },
    async (t, needs) => {
      // The polls of another token need not wait for the interval.
      const [plain, filtered] = await Promise.all([
        apart(t, list.at(needs), ['user']),
        apart(t, list.at(needs), ['gist']),
      ])
      await expectOldDateAnswered(
        t,
        new Listing(t, plain),
        new Listing(t, { ...filtered, query: everyFilter }),
      )
    },
  )
}

async function expectOldDateAnswered(t: CheckContext, list: Listing, filtered: Listing) {
  const repository = repositoryOf(list)
  // One of the two lists gets a notification on a thread that it contains, the other one a new thread that passes every filter.
  const known = 'repo' in repository ? await knownThread(t, repository) : undefined
  const [before, filteredBefore] = [
    await list.freshPage(),
    await unlessDeviating(filtered.freshPage()),
  ]
  const date =
    before.header('Last-Modified') ??
    t.untested('the response has no Last-Modified to send back', 'unread-thread')
  const isOld = [before, filteredBefore ?? before].every((page) => ageOf(page) >= spacing)
  if (known || !isOld) await moment(t, 'another second for Last-Modified')
  const cause = known ? { thread_id: known.thread_id } : { ...repository, reason: 'mention' }
  await awaitChange(t, list, before, (await t.ask('new-notification', cause)).thread_id)
  await expectOldDateStale(t, list, date)
  const filteredDate = filteredBefore?.header('Last-Modified')
  const hasMoved = filteredBefore && stateOf(await filtered.freshPage()) !== stateOf(filteredBefore)
  if (hasMoved && filteredDate) await expectOldDateStale(t, filtered, filteredDate)
}

async function expectOldDateStale(t: CheckContext, list: Listing, date: string) {
  const poll = () => t.pollAgain(list.request(), modificationDate, date)
  const { last: response } = await eventually(
    t,
    'the list to be returned as changed',
    poll,
    ({ status }) => status !== 304,
  )
  if (response.status === 403 || response.status === 429)
    t.untested(`the conditional request returned ${response.status}: it was sent too soon`)
  t.expect(response).status(200).array()
}

/** Ends the check as untested where page 1 does not change. */
async function awaitChange(t: CheckContext, list: Listing, before: Exchange, thread_id: string) {
  const hasChanged = (page: Exchange) => stateOf(page) !== stateOf(before)
  const seen = async () => {
    const page = await list.freshPage()
    if (hasChanged(page)) return page
    // A later page contains the thread, by the period around its instant.
    const thread = await unlessUntested(currentThread(t, list.request().as, thread_id))
    if (!thread || !(await near(list, thread.value, {}))) return undefined
    // The plain first page may be an old copy (readings G16). This one was not read before.
    const first = await unlessDeviating(list.freshPage(anyTime))
    const isLater = first && !threadsOn(first).some(({ value }) => value.id === thread_id)
    return isLater ? page : undefined
  }
  const { last: after } = await eventually(t, 'a new notification', seen)
  const page = `page 1 of the list (${counted(threadsOn(before).length, 'thread')})`
  if (!after)
    t.untested(
      `no new notification appeared in time on ${page}, the only page that was read`,
      'new-notification',
    )
  if (!hasChanged(after))
    t.untested(`${page} does not contain the thread ${thread_id}, which a later page lists`)
}

/** A thread that is in the list of a repository already; undefined if none can be made there. */
async function knownThread(
  t: CheckContext,
  of: RepositoryName,
): Promise<{ thread_id: string } | undefined> {
  const made = await unlessUntested(t.ask('unread-thread', of))
  return `${made?.owner}/${made?.repo}`.toLowerCase() === `${of.owner}/${of.repo}`.toLowerCase()
    ? made
    : undefined
}

/** The age of Last-Modified when a response was sent, by the target's own clock. Seconds; NaN if the response lacks a date. */
function ageOf(page: Exchange) {
  return (
    (Date.parse(page.header('Date') ?? '') - Date.parse(page.header('Last-Modified') ?? '')) / 1000
  )
}

/** The repository of a list, for the need; an empty object for the inbox. */
function repositoryOf(list: Listing): RepositoryName | Record<never, never> {
  const { owner, repo } = list.request().params ?? {}
  return owner === undefined || repo === undefined
    ? {}
    : { owner: String(owner), repo: String(repo) }
}

/** The facts on a page that a notification changes. Marking in the background changes `unread`, which is no notification. */
const stateOf = (page: Exchange) =>
  JSON.stringify(threadsOn(page).map(({ value }) => [value.id, value.updated_at]))

import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { knownReasons } from '../../../src/spec/words/words.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import type { Located } from '../../../src/suite/located.ts'
import { briefly, eventually, moment } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import type { RepositoryName } from '../../common/repositories.ts'
import { threadsOnPage } from '../common/listed-threads.ts'
import {
  aboutThread,
  currentThread,
  everything,
  inboxOf,
  instantOf,
  type Thread,
  timestamp,
} from '../common/threads.ts'

/** The owner's threads that change their reasons, and the reason of each by its id. */
interface Reasoned {
  readonly owner: Caller
  /** An instant before the first of them. */
  readonly since: string
  reasons: ReadonlyMap<string, string>
  /** Those of a private repository. */
  readonly secret: ReadonlySet<string>
}

/** The reasons of a subscription. A plain comment by others causes them as well, after which mention stays (readings D22). */
const standing = ['author', 'comment', 'manual', 'subscribed', 'team_mention']

/**
 * The threads of all reasons get each other's reasons, first unread and then read ones. The seed draws which: two pairs of each
 * reason, of all that can be caused (readings G20). The threads of a private repository get the reason mention, and then each another one.
 */
export async function expectReplaced(t: CheckContext, owner: Caller, secret?: RepositoryName) {
  const threads = await threadOfEachReason(t, owner, secret)
  const distance = 1 + Math.floor(t.random() * (knownReasons.length - 2))
  await expectNextReasons(t, threads, distance)
  for (const thread_id of threads.reasons.keys())
    await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  await expectNextReasons(t, threads, distance + 1)
}

async function threadOfEachReason(t: CheckContext, owner: Caller, hidden?: RepositoryName) {
  const reasons = new Map<string, string>()
  const secret = new Set<string>()
  for (const reason of knownReasons)
    for (const place of [{}, hidden ?? []].flat()) {
      const made = await unlessUntested(t.ask('new-notification', { ...place, reason }))
      if (made) reasons.set(made.thread_id, reason)
      if (made && place === hidden) secret.add(made.thread_id)
    }
  const [first = t.untested('no thread could be made', 'new-notification')] = reasons.keys()
  const { value } = await currentThread(t, owner, first, 'new-notification')
  return { owner, since: timestamp(instantOf(value.updated_at) - 1000), reasons, secret }
}

/** Each thread gets the reason that is so many places further in the document's list, and both views of it have that reason. */
async function expectNextReasons(t: CheckContext, threads: Reasoned, distance: number) {
  const isWhole = (page: readonly Located[]) => page.length >= threads.reasons.size
  const { last: listed } = await briefly(
    t,
    'the threads to be listed',
    () => listedOf(t, threads),
    isWhole,
  )
  const before = new Map(listed.map(({ value }) => [String(value.id), value.updated_at]))
  await moment(t, 'another second for updated_at')
  const wanted = await causeNext(t, threads, distance)
  const isOther = ({ value }: Thread) =>
    (wanted.get(String(value.id)) ?? value.reason) !== value.reason
  const others = async () => (await viewsOf(t, threads)).filter(isOther)
  const { last } = await eventually(t, 'the new reasons', others, ({ length }) => length === 0)
  const hasMoved = ({ value: { id, updated_at } }: Thread) =>
    before.has(String(id)) && updated_at !== before.get(String(id))
  const wrong = last.find(hasMoved)
  if (last[0] && !wrong)
    t.untested(`no notification arrived on thread ${last[0].value.id} in time`, 'new-notification')
  if (wrong) {
    const { value, exchange, pointer } = wrong
    const id = String(value.id)
    t.deviation({
      expected: `reason ${wanted.get(id)} after ${threads.reasons.get(id)}`,
      actual: `reason ${value.reason}`,
      exchanges: [exchange],
      pointer,
    })
  }
  threads.reasons = new Map([...threads.reasons, ...wanted])
  t.examined(wanted.size)
}

const reasonNames: readonly string[] = knownReasons

/** Causes a notification on each thread. Not every provider can cause each reason on an existing thread. */
async function causeNext(t: CheckContext, { reasons, secret }: Reasoned, distance: number) {
  const wanted = new Map<string, string>()
  for (const [index, [thread_id, reason]] of [...reasons].entries()) {
    const isSecret = secret.has(thread_id)
    const place = (isSecret ? index : reasonNames.indexOf(reason)) + distance
    const following = reasonNames[place % reasonNames.length] ?? reason
    const next = isSecret && reason !== 'mention' ? 'mention' : following
    const stays = reason === 'mention' && (next === reason || standing.includes(next))
    if (!stays && (await unlessUntested(t.ask('new-notification', { thread_id, reason: next }))))
      wanted.set(thread_id, next)
  }
  if (wanted.size === 0)
    t.untested('no notification could be caused on an existing thread', 'new-notification')
  return wanted
}

/** The threads as the inbox lists them, and as they are by themselves. */
async function viewsOf(t: CheckContext, threads: Reasoned) {
  const views = await listedOf(t, threads)
  for (const id of threads.reasons.keys())
    views.push(await currentThread(t, threads.owner, id, 'new-notification'))
  return views
}

/** The threads in the inbox. Other checks judge a list that lacks some of them. */
const listedOf = (t: CheckContext, { owner, since }: Reasoned) =>
  threadsOnPage(new Listing(t, inboxOf(owner)), { ...everything, since })

import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type ListAddress, Listing, type Query } from '../../../src/suite/listing.ts'
import { eventually } from '../../../src/suite/observe.ts'
import { cut } from '../../../src/text/format.ts'
import { unlessDeviating, unlessUntested } from '../../common/proof.ts'
import { untilAllSeen } from '../common/listed-threads.ts'
import { readSubscription, stateOf, subscribedState } from '../common/subscription-state.ts'
import {
  aboutThread,
  everything,
  inboxOf,
  instantOf,
  objectIn,
  objectsAmong,
  repositoryInboxOf,
  type Thread,
} from '../common/threads.ts'
import { anyTime } from '../lists/modification.ts'
import { isCommon, steps } from './model.ts'
import type { Contradiction, Fact, Walk, Walker, Wrong } from './walkers.ts'

/** The threads in a list. Only the lists of unread threads say that a missing one is read. */
interface View {
  readonly unreadOnly: boolean
  /** Every thread that is not done or ignored must be in it, since `all` includes read ones. Absent for a thread read by its id. */
  readonly isWhole?: boolean
  readonly threads: readonly Thread[]
  readonly holds: (walker: Walker) => boolean
  readonly exchanges: readonly Exchange[]
}

/** The steps after which a thread is also read by its id. */
const readAlone = ['read', 'unsubscribe']

/** The contradictions after a turn, at most one of each fact and thread. */
export async function contradictions(t: CheckContext, walk: Walk): Promise<Wrong[]> {
  const { walkers, inbox, moves, isLast } = walk
  const turn = moves[0]?.turn ?? 0
  const isFull = isLast || turn % 2 === 1
  const views = listsOf(walk, isLast ? 0 : turn).map((list) => () => listed(t, walk, list))
  const isRead = (thread: number) =>
    moves.some((move) => move.thread === thread && readAlone.includes(move.step))
  for (const [thread, walker] of walkers.entries())
    if (walker.user === inbox.user && (isRead(thread) || (isLast && !walker.state.done)))
      views.unshift(() => alone(t, inbox.user, walker))
  const subscribers = walkers.filter(({ state }) => isFull && typeof state.ignored === 'boolean')
  const look = async () => {
    walk.isLate = false
    for (const walker of walkers) {
      const failed = walker.exchanges.find(({ status }) => status >= 400)
      if (failed) return [answeredWith(walk, walker, failed, 'a successful response')]
      const granted = walker.refusals.find(({ ok }) => ok)
      if (granted)
        return [
          answeredWith(
            walk,
            walker,
            granted,
            'a refusal (401, 403 or 404) of a caller who may not see the thread',
          ),
        ]
    }
    const wrong: (Wrong | undefined)[] = []
    for (const view of views) wrong.push(wrongIn(walk, await view()))
    for (const walker of subscribers) wrong.push(await lostSubscription(t, walk, walker))
    return [
      ...new Map(
        wrong.flatMap((each) => (each ? [[`${each.fact} ${each.thread}`, each]] : [])),
      ).values(),
    ]
  }
  return (await walk.looking(t, effectOf(walk), look, ({ length }) => length === 0 && !walk.isLate))
    .last
}

/** A list of some threads. */
interface Listed {
  readonly at: ListAddress
  readonly query: Query
  readonly holds: View['holds']
}

/** The lists that are read after a turn: only the inbox, or each list with each filter, and in the end on small pages. */
function listsOf({ inbox, stranger, walkers, isLast }: Walk, turn: number): Listed[] {
  const isOwn = ({ user }: Walker) => user === inbox.user
  const isInRepository = (walker: Walker) =>
    isOwn(walker) && walker.repository === walkers[0]?.repository
  const whole = { at: inboxOf(inbox.user), query: {}, holds: isOwn }
  if (turn % 2 === 0 && !isLast) return [whole]
  const ofRepository = repositoryInboxOf(inbox.user, { owner: '', repo: '', ...inbox.params })
  const own = [whole, { at: ofRepository, query: {}, holds: isInRepository }]
  // Participation may omit an unread thread, but it lists no read one. The period omits no thread.
  const participating = own.map(({ at, holds }): Listed => {
    return {
      at,
      query: { participating: true },
      holds: (walker) => holds(walker) && walker.state.unread === false,
    }
  })
  const lists = [
    { ...whole, query: everything },
    ...own,
    ...(turn % 4 === 3 ? [] : participating),
    ...(turn % 4 === 1 ? [] : own.map((list) => ({ ...list, query: anyTime }))),
  ]
  if (isLast) lists.push({ ...whole, query: { per_page: 3 } })
  if (isLast && stranger)
    lists.push({ at: inboxOf(stranger), query: {}, holds: (walker) => !isOwn(walker) })
  return lists
}

/** The lists that are read after a turn, in their cycle of four turns. */
const listNames = ['the inbox', 'lists by participation', 'the inbox', 'lists by period']

/** The effect of a turn. Each step may have a lag of its own, and so may each group of lists (readings G16). */
function effectOf({ moves, looking, isLast }: Walk) {
  if (looking !== eventually) return 'the states of a shorter sequence'
  const names = new Set(moves.map(({ step }) => step))
  const lists = isLast ? 'all lists' : listNames[(moves[0]?.turn ?? 0) % 4]
  return `the states after ${[...names].join(', ')} in ${lists}`
}

/** Some list, as far as it has the threads that must be in it. */
async function listed(
  t: CheckContext,
  { walkers }: Walk,
  { at, query, holds }: Listed,
): Promise<View> {
  const awaited = walkers
    .filter(({ state }) => (query === everything ? !state.done : state.unread))
    .filter(holds)
  const enough = untilAllSeen(awaited.map(({ id }) => id))
  // Other checks judge a list that is not served, such as that of a name in another letter case.
  const walk = await unlessUntested(
    unlessDeviating(new Listing(t, at).walk({ fresh: true, query, enough })),
  )
  const { items = [], pages = [] } = walk ?? {}
  return {
    unreadOnly: query !== everything,
    isWhole: query === everything && walk?.cut === false,
    threads: objectsAmong(items),
    holds: walk ? holds : () => false,
    exchanges: pages,
  }
}

/** A thread by its id. A request without a validator has a body, also if nothing changed (readings B12). */
async function alone(t: CheckContext, user: Caller, walker: Walker): Promise<View> {
  const exchange = await t.send(aboutThread(endpoints.getThread, walker.id, user))
  const threads = [objectIn(exchange) ?? []].flat()
  return { unreadOnly: false, threads, holds: (other) => other === walker, exchanges: [exchange] }
}

/** The first thread of a view that contradicts its steps. */
function wrongIn(
  walk: Walk,
  { unreadOnly, isWhole, threads, holds, exchanges }: View,
): Wrong | undefined {
  const byId = new Map(threads.map(({ value }) => [String(value.id), value]))
  const concerned = walk.walkers.filter(
    (walker) => holds(walker) && !(walker.state.done && !unreadOnly),
  )
  const updates = threads.map(({ value }) => instantOf(value.updated_at) || 0)
  walk.latest = Math.max(walk.latest, ...updates)
  walk.isHeard ||= concerned.some(({ id, state }) => state.renewed && byId.get(id)?.unread === true)
  for (const walker of concerned) {
    const finding = (fact: Fact, expected: string, actual: string) =>
      findingOf(walk, walker, { fact, expected, actual }, exchanges)
    const { state, id } = walker
    const { unread, reason } = byId.get(id) ?? (unreadOnly ? { unread: false } : {})
    if (reason === 'mention' && state.reasons?.at(-1) === reason)
      walker.state = { ...state, reasons: [reason] }
    const isLate = state.unread ? state.renewed && !walk.isHeard : state.awaits
    const isOther =
      state.unread !== undefined && unread !== undefined && (unread === true) !== state.unread
    walk.isLate ||= isOther && state.unread === true
    if (isWhole && !byId.has(id) && !state.ignored)
      return finding('state', 'listed with all=true', 'missing')
    if (!byId.has(id) && isWhole === undefined)
      return finding('state', 'returned', String(exchanges[0]?.status))
    if (isOther && !isLate)
      return unread === true
        ? finding('state', 'read', 'unread')
        : finding('state', 'unread', 'read')
    if (state.reasons && reason !== undefined && !state.reasons.includes(String(reason)))
      return finding('reason', `with reason ${state.reasons.join(' or ')}`, String(reason))
  }
  return undefined
}

/** The subscription of a thread that another step has changed. */
async function lostSubscription(
  t: CheckContext,
  walk: Walk,
  walker: Walker,
): Promise<Wrong | undefined> {
  const expected = walker.state.ignored ? '"ignored":true' : subscribedState
  const response = await readSubscription(t, walk.inbox.user, walker.id)
  if (stateOf(response).includes(expected)) return undefined
  const seen = {
    fact: 'subscription',
    expected: `with ${expected}`,
    actual: stateOf(response),
  } as const
  return findingOf(walk, walker, seen, [response])
}

/** A step whose response has the wrong status. */
function answeredWith(walk: Walk, walker: Walker, response: Exchange, expected: string): Wrong {
  const seen = { fact: 'state', expected, actual: String(response.status) } as const
  return { ...findingOf(walk, walker, seen, [response]), ...seen }
}

function findingOf(
  { walkers, moves }: Walk,
  walker: Walker,
  seen: Contradiction,
  exchanges: readonly Exchange[],
): Wrong {
  const isShared = (name: string) => isCommon(name) && walker.taken.includes(name)
  const ownSteps = ({ taken }: Walker) =>
    taken.filter((name) => !isShared(name) && !steps[name]?.by)
  const others = walkers.filter((each) => each !== walker && ownSteps(each).length > 0)
  const isControl = (other: Walker) => ownSteps(other).join() === 'notify'
  // A thread without a step may have changed by a step on all threads of another inbox as well.
  const isIdle = walker.taken.length === 0
  const sentBy = (some: readonly Walker[]) =>
    some.flatMap((each) => [...each.exchanges, ...each.refusals])
  const suspects = isIdle ? walkers : others.filter((other) => !isControl(other))
  const writes = sentBy(suspects)
    .map(({ request: { method, url } }) => `${method} ${new URL(url).pathname}`)
    .filter((write) => !write.startsWith('GET'))
  const earlier = cut([...new Set(writes)].join(', '), 300)
  const reason = isIdle
    ? ', because no request named it'
    : ` after its steps: ${walker.taken.join(', ')}`
  const sent = new Set(sentBy(isIdle ? walkers : [...others, walker]))
  for (const each of exchanges) sent.delete(each)
  return {
    ...seen,
    wanted: seen.expected,
    thread: walkers.indexOf(walker),
    turn: moves[0]?.turn ?? 0,
    taken: [...walker.taken],
    isMuted: seen.fact === 'state' && walker.state.muted === true,
    isAlone: others.every(isControl),
    expected: `thread ${walker.id} ${seen.expected}${reason}`,
    actual: earlier ? `${seen.actual}; other requests before: ${earlier}` : seen.actual,
    exchanges: [...sent, ...exchanges],
  }
}

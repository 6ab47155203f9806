import { bearer, type Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type ListAddress, Listing, type Query } from '../../../src/suite/listing.ts'
import { isObject } from '../../../src/suite/located.ts'
import {
  briefly,
  eventually,
  type Looking,
  moment,
  sendUntil,
  spacing,
} from '../../../src/suite/observe.ts'
import { groupBy } from '../../../src/text/data.ts'
import { cut } from '../../../src/text/format.ts'
import { inventedToken, unlessDeviating, unlessUntested } from '../../common/proof.ts'
import { untilAllSeen } from '../common/listed-threads.ts'
import { readSubscription, stateOf, subscribedState } from '../common/subscription-state.ts'
import {
  aboutThread,
  everything,
  inboxOf,
  instantOf,
  objectsAmong,
  repositoryInboxOf,
  repositoryParameters,
  type Thread,
  timestamp,
} from '../common/threads.ts'
import { anyTime } from '../lists/modification.ts'
import {
  aimAtRepository,
  isShort,
  openInbox,
  type Unread,
  unreadOf,
} from '../marking/inbox-fixture.ts'
import { steps } from './model.ts'
import {
  type Contradiction,
  everyThread,
  type Fact,
  type Inboxes,
  type Move,
  type Sequence,
  type Walk,
  type Walker,
  type Wrong,
} from './walkers.ts'

/** A brief look for a notification on a muted thread, after the muting has had its time to begin. */
export const settled: Looking = (...of) => briefly(...of)

/** The threads in a list. Only the lists of unread threads say that a missing one is read. */
interface View {
  readonly unreadOnly: boolean
  /** Every thread that is not done or ignored must be in it, since `all` includes read ones. Absent for a thread read by its id. */
  readonly isWhole?: boolean
  readonly threads: readonly Thread[]
  readonly holds: (walker: Walker) => boolean
  readonly exchanges: readonly Exchange[]
}

/** The threads of an inbox that take steps, or that are compared. */
const most = 7

/** Lets the threads of a disposable inbox take their steps in turns, and compares each turn. */
export async function walkThrough(
  t: CheckContext,
  { inbox: { token }, other }: Inboxes,
  sequence: Sequence,
  looking: Looking,
) {
  const inbox = await openInbox(t, 'disposable-inbox', token, aimAtRepository)
  const walkersOf = (user: Caller, threads: readonly Unread[]) =>
    threads.slice(0, most).map((thread): Walker => {
      return {
        ...thread,
        user,
        taken: [],
        exchanges: [],
        refusals: [],
        state: { unread: true, reasons: [thread.reason] },
      }
    })
  const stranger = other && bearer(other.token, 'disposable-inbox')
  const beside = stranger
    ? ((await unlessUntested(unlessDeviating(unreadOf(t, stranger, isShort)))) ?? [])
    : []
  // After those of the largest repository, a private one is next.
  const others = inbox.others.toSorted((a, b) => Number(b.private) - Number(a.private))
  const walkers = walkersOf(inbox.user, [...inbox.concerned, ...others])
  if (stranger) walkers.push(...walkersOf(stranger, beside))
  const walk: Walk = {
    inbox,
    stranger,
    walkers,
    looking,
    latest: Math.max(...walkers.map(({ updated }) => updated)),
    moves: [],
    isLast: false,
    isHeard: false,
    isLate: false,
  }
  const turns = [...groupBy(sequence, ({ turn }) => turn).values()]
  for (const [index, moves] of turns.entries()) {
    const next = turns[index + 1]
    walk.moves = moves
    walk.isLast = next === undefined
    await takeTurn(t, walk)
    const isDated = [...moves, ...(next ?? [])].some(({ step }) => steps[step]?.cause)
    if (isDated || walk.isLast) await moment(t, 'another second for updated_at')
    const wrong = await contradictions(t, walk)
    if (wrong.length > 0) return wrong
  }
  if (!walk.isHeard)
    t.untested('activity on the threads of the inbox sent no notification', 'new-notification')
  return []
}

/** The steps of a turn: first the one of every thread, then those of each. */
async function takeTurn(
  t: CheckContext,
  { inbox, stranger, walkers, moves, looking, latest }: Walk,
) {
  const own = walkers.filter(({ user }) => user === inbox.user)
  const callers = { stranger, nobody: inventedToken }
  const isSilent = ({ thread, step }: Move) => step === 'notify' && walkers[thread]?.state.muted
  if (looking === settled && moves.some(isSilent) && !(await t.settle('the muting to begin')))
    t.untested('the run had no time left for the muting to begin')
  for (const { thread, step } of moves) {
    const walker = own[thread]
    const { cause, by, isUntil } = steps[step] ?? {}
    const common = thread === everyThread ? concernedBy(step, own) : []
    if (common[0]) {
      const params = { ...repositoryParameters(common[0].repository) }
      const until = { body: { last_read_at: timestamp(latest + spacing * 1000) } }
      const of = { params, as: inbox.user, ...(isUntil ? until : {}) }
      await take(t, step, of, common)
    }
    if (!walker) continue
    const params = { thread_id: walker.id }
    const as = by ? callers[by] : inbox.user
    if (by && as) await takeRefused(t, step, { params, as }, walker)
    if (by) continue
    // Not every provider can let the user comment.
    const asked =
      cause &&
      (cause === 'comment-on-thread'
        ? await unlessUntested(t.ask(cause, params))
        : await t.ask(cause, params))
    if (!cause || asked) await take(t, step, { params, as: inbox.user }, [walker])
  }
}

/** The threads that a step is on: all, or those of the largest repository or of a private one. */
function concernedBy(step: string, own: readonly Walker[]): readonly Walker[] {
  if (!/^mark-(?:repository|private)/.test(step)) return own
  const first = step === 'mark-private' ? own.find((walker) => walker.private) : own[0]
  return own.filter(({ repository }) => repository === first?.repository)
}

/** True for a step that is taken on all threads. */
const isCommon = (name: string) => name.startsWith('mark-')

/** The step of a caller who must be refused. Other checks judge its response, and this one the facts that follow. */
async function takeRefused(
  t: CheckContext,
  name: string,
  of: Pick<RequestSpec, 'params' | 'as'>,
  walker: Walker,
) {
  const { endpoint, body } = steps[name] ?? {}
  if (endpoint) walker.refusals.push(await t.send({ endpoint, body, ...of }))
  walker.taken.push(name)
}

async function take(
  t: CheckContext,
  name: string,
  of: Pick<RequestSpec, 'params' | 'as' | 'body'>,
  walkers: readonly Walker[],
) {
  const { endpoint, body, next } = steps[name] ?? {}
  const sent = endpoint && (await sendUntil(t, { endpoint, body, ...of }, undefined, briefly))
  const response = sent?.refused && isExcused(name, walkers[0]) ? undefined : sent
  const isMissing =
    response?.status === 404 &&
    !isCommon(name) &&
    walkers[0] &&
    (await isMissed(t, of.as, walkers[0]))
  if (response && response.status >= 400 && !response.broken && !isMissing)
    t.untested(`a step was refused (${response.status})`, 'disposable-inbox')
  if (!next) return
  for (const walker of walkers) {
    walker.taken.push(name)
    if (response) walker.exchanges.push(response)
    if (!walker.state.done) walker.state = next(walker.state)
  }
}

/** True for a step that may be refused: a thread that is done may be gone, and another one may have no subscription to end. */
const isExcused = (name: string, walker: Walker | undefined) =>
  !isCommon(name) &&
  (walker?.state.done || (name === 'unsubscribe' && typeof walker?.state.ignored !== 'boolean'))

/** True for a 404 to a step on an issue or pull request that is served. */
async function isMissed(t: CheckContext, user: Caller, walker: Walker) {
  const { json } = await t.send(aboutThread(endpoints.getThread, walker.id, user))
  return (
    isObject(json) &&
    isObject(json.subject) &&
    ['Issue', 'PullRequest'].includes(String(json.subject.type))
  )
}

/** The steps after which a thread is also read by its id. */
const readAlone = ['read', 'unsubscribe']

/** The contradictions after a turn, at most one of each fact and thread. */
async function contradictions(t: CheckContext, walk: Walk): Promise<Wrong[]> {
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
    const isFailed = ({ status }: Exchange) => status >= 400
    for (const walker of walkers) {
      const failed = walker.exchanges.find(isFailed)
      if (failed) return [answeredWith(walk, walker, failed, 'a successful response')]
      const granted = walker.refusals.find(({ ok }) => ok)
      if (granted) return [answeredWith(walk, walker, granted, 'a refusal (401, 403 or 404)')]
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

/** The effect of a turn. Each kind has a lag of its own, which only a walk with patience may learn. */
function effectOf({ walkers, moves, looking }: Walk) {
  if (looking !== eventually) return 'the states of a shorter sequence'
  const isRenewed = (walker?: Walker) => walker?.state.unread && walker.state.renewed
  if (moves.some(({ thread, step }) => step === 'notify' && isRenewed(walkers[thread])))
    return 'notifications'
  const isMarking = moves.some(({ step }) => step === 'mark-inbox' || step === 'mark-repository')
  return isMarking ? 'the marks of many threads' : 'the states of all steps'
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
  const [isWhole, threads] = [query === everything && walk?.cut === false, objectsAmong(items)]
  return {
    unreadOnly: query !== everything,
    isWhole,
    threads,
    holds: walk ? holds : () => false,
    exchanges: pages,
  }
}

/** A thread by its id. A request without a validator has a body, also if nothing changed (readings B12). */
async function alone(t: CheckContext, user: Caller, walker: Walker): Promise<View> {
  const exchange = await t.send(aboutThread(endpoints.getThread, walker.id, user))
  const threads =
    exchange.status === 200 && isObject(exchange.json)
      ? [{ value: exchange.json, exchange, pointer: '' }]
      : []
  return { unreadOnly: false, threads, holds: (other) => other === walker, exchanges: [exchange] }
}

const wordOf = (isUnread: boolean) => (isUnread ? 'unread' : 'read')

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
      return finding('state', wordOf(unread !== true), wordOf(unread === true))
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
  return findingOf(walk, walker, { fact: 'subscription', expected, actual: stateOf(response) }, [
    response,
  ])
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
  const earlier = cut([...new Set(writes)].join(' or '), 300)
  const reason = isIdle ? ', because no request named it' : ` after ${walker.taken.join(', ')}`
  const sent = new Set(sentBy(isIdle ? walkers : [...others, walker]))
  for (const each of exchanges) sent.delete(each)
  return {
    ...seen,
    thread: walkers.indexOf(walker),
    turn: moves[0]?.turn ?? 0,
    taken: [...walker.taken],
    isMuted: seen.fact === 'state' && walker.state.muted === true,
    isAlone: others.every(isControl),
    expected: `thread ${walker.id} ${seen.expected}${reason}`,
    actual: earlier ? `${seen.actual} after ${earlier}` : seen.actual,
    exchanges: [...sent, ...exchanges],
  }
}

import { bearer, type Caller } from '../../../src/http/exchange/caller.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { briefly, type Looking, moment, sendUntil, spacing } from '../../../src/suite/observe.ts'
import { atPointer, groupBy } from '../../../src/text/data.ts'
import { inventedToken, unlessDeviating, unlessUntested } from '../../common/proof.ts'
import { aboutThread, repositoryParameters, timestamp } from '../common/threads.ts'
import {
  aimAtRepository,
  isShort,
  openInbox,
  type Unread,
  unreadOf,
} from '../marking/inbox-fixture.ts'
import { contradictions } from './facts.ts'
import { isCommon, steps } from './model.ts'
import {
  everyThread,
  type Inboxes,
  type Move,
  type Sequence,
  type Walk,
  type Walker,
} from './walkers.ts'

/** A brief look for a notification on a muted thread, after the muting has had its time to begin. */
export const settled: Looking = (...of) => briefly(...of)

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
    threads.slice(0, most).map((thread) => {
      return {
        ...thread,
        user,
        taken: [],
        exchanges: [],
        refusals: [],
        state: { unread: true, reasons: [thread.reason] },
      }
    })
  const second = other && bearer(other.token, 'disposable-inbox')
  const beside =
    (second && (await unlessUntested(unlessDeviating(unreadOf(t, second, isShort))))) ?? []
  // Two tokens may be of one user.
  const own = new Set([...inbox.concerned, ...inbox.others].map(({ id }) => id))
  const stranger = beside.some(({ id }) => own.has(id)) ? undefined : second
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
    if (next?.some(isTimed) || walk.isLast) await moment(t, 'another second for updated_at')
    const wrong = await contradictions(t, walk)
    if (wrong.length > 0) return wrong
  }
  if (!walk.isHeard)
    t.untested('activity on the threads of the inbox sent no notification', 'new-notification')
  return []
}

/** A notification has another date than earlier marks. One on its way arrives before its thread is done, or read until an instant. */
const isTimed = ({ step }: Move) => step === 'done' || steps[step]?.cause || steps[step]?.isUntil

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
      await take(
        t,
        step,
        {
          params: { ...repositoryParameters(common[0].repository) },
          as: inbox.user,
          ...(isUntil ? { body: { last_read_at: timestamp(latest + spacing * 1000) } } : {}),
        },
        common,
      )
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
  return ['Issue', 'PullRequest'].includes(String(atPointer(json, '/subject/type')))
}

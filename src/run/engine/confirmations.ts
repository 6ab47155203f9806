import { attempts } from '../../http/exchange/retry.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { LaneName } from '../../record/lane-name.ts'
import { groupBy } from '../../text/data.ts'
import { judge } from '../judge/judge.ts'
import type { Session } from '../judge/session.ts'
import type { PlacedCheck } from '../selection/selection.ts'
import { type Job, type JobOptions, jobOf, runJobs, stageOf } from './scheduler.ts'

/** The most suspected deviations that are confirmed, and the most other failures that are judged again. More than these are no accident. */
const confirmedAtMost = 40

/** The time for the requests of all confirmations, besides the patience. Seconds. */
const requestTime = 10

/** A lane with the checks that have to be judged again. */
export interface ConfirmedLane {
  readonly name: LaneName
  /** The checks that failed, lost their connection or missed an effect. */
  readonly doubtful: readonly CheckRecord[]
  readonly placed: readonly PlacedCheck[]
  readonly session: Session
  readonly records: Map<string, CheckRecord>
  readonly warnings: string[]
}

/** The order and the slots of the confirmations, and a listener for their number. */
export interface ConfirmationOptions extends JobOptions {
  readonly announce?: (suspected: number, patience: number) => void
}

/** A check that is judged again, with its first record. */
interface Doubt {
  readonly lane: ConfirmedLane
  readonly own: PlacedCheck
  readonly first: CheckRecord
}

/**
 * Judges doubtful checks once more, after all others: those that missed an effect side by side, on fresh data and with the whole
 * patience (readings G16), and other failures from fresh responses. A conclusive failure is not judged again.
 */
export async function confirm(lanes: readonly ConfirmedLane[], options: ConfirmationOptions) {
  const observed = lanes.map(({ session }) => session.observations.length)
  for (const { session } of lanes) forgetMissed(session)
  const doubts = lanes.flatMap(doubtsOf)
  const suspected = doubts.filter(({ first }) => first.suspicions)
  const repetitions = lanes.flatMap(repetitionsOf)
  await runJobs([...confirmationsOf(suspected, options), ...repetitions], options)
  for (const [index, lane] of lanes.entries()) {
    await judgeDropped(lane)
    lane.session.observations.length = observed[index] ?? 0
  }
}

/** Forgets responses, and shared values during whose making an effect was missed. Consumables that no effect has changed serve again. */
function forgetMissed({ client, shared, needs }: Session) {
  client.forget()
  needs.giveBack()
  for (const [name, { suspicions }] of shared) {
    if (suspicions.size > 0) shared.delete(name)
  }
}

function doubtsOf(lane: ConfirmedLane) {
  return lane.doubtful.flatMap((first) => {
    const own = lane.placed.find(({ check }) => check.id === first.id)
    return own && stageOf(own) !== 'clock' ? [{ lane, own, first }] : []
  })
}

/**
 * One job for each group of equal suspicions: the same operation missed the same effects. Where it is confirmed, the others of the
 * group fail as well. Otherwise each of them is judged, and one more group, as long as the run has time.
 */
function confirmationsOf(suspected: readonly Doubt[], { announce }: ConfirmationOptions): Job[] {
  const session = suspected[0]?.lane.session
  if (!session) return []
  const { maxWaitSeconds } = session.options.config.polling
  announce?.(suspected.length, maxWaitSeconds)
  // Suspected deviations come before checks that are only untested.
  const inOrder = [...suspected].sort((a, b) => Number(isUntested(a)) - Number(isUntested(b)))
  const groups = [...groupBy(inOrder, groupOf).values()]
  const isBegun = ([doubt]: readonly Doubt[], index: number) =>
    index < confirmedAtMost || (doubt && isUntested(doubt))
  const waiting = groups.filter((group, index) => !isBegun(group, index))
  for (const doubt of waiting.flat()) leaveOpen(doubt)

  const { patience, clock } = session
  patience.endConfirmations(clock.now() + (maxWaitSeconds + requestTime) * 1000)
  const isInTime = ({ first: { suspicions = [] } }: Doubt) =>
    Math.max(...suspicions.map((name) => patience.probably(name))) <= patience.untilEnd(clock.now())
  const judged = (doubt: Doubt, others: readonly Doubt[]): Job[] => {
    if (isInTime(doubt)) return [jobAgain(doubt, (again) => next(doubt, others, again))]
    for (const each of [doubt, ...others]) leaveOpen(each)
    return []
  }
  const isConfirmed = ({ first: { outcome, suspicions = [] } }: Doubt, again: CheckRecord) =>
    again.outcome === outcome &&
    (again.suspicions !== undefined || suspicions.every((name) => patience.isRepeated(name)))
  const next = (doubt: Doubt, others: readonly Doubt[], again: CheckRecord): Job[] => {
    if (isConfirmed(doubt, again)) {
      const confirmedAs = { check: doubt.first.id, lane: doubt.lane.name }
      // The outcome of a check that missed the same effects.
      for (const { lane, first } of others) lane.records.set(first.id, { ...first, confirmedAs })
      return []
    }
    const [further, ...rest] = waiting.shift() ?? []
    return [
      ...others.flatMap((other) => judged(other, [])),
      ...(further ? judged(further, rest) : []),
    ]
  }
  return groups
    .filter(isBegun)
    .flatMap(([doubt, ...others]) => (doubt ? judged(doubt, others) : []))
}

/** Equal suspicions are one group. A check that is untested so far may say more than others with the same suspicions. */
function groupOf(doubt: Doubt) {
  const { lane, first } = doubt
  return isUntested(doubt) ? `${lane.name} ${first.id}` : `${first.suspicions?.join('; ')}`
}

const isUntested = ({ first }: Doubt) => first.outcome === 'untested'

/** The job that judges a suspicion again. The second judgement decides. */
function jobAgain({ lane, own, first }: Doubt, next: (again: CheckRecord) => readonly Job[]) {
  let again: CheckRecord | undefined
  const job = jobOf(own, lane.name, async (turn) => {
    again = await judge(own.check, own.suite, lane.session, { turn, isConfirming: true })
    const isSame = again.suspicions !== undefined && again.outcome === first.outcome
    lane.records.set(first.id, isSame ? { ...again, repeats: [repetitionOf(first)] } : again)
  })
  return { ...job, next: () => (again ? next(again) : []) }
}

const repetitionOf = ({ outcome, detail, exchanges }: CheckRecord) => ({
  outcome,
  detail,
  exchanges,
})

/** A suspicion that was not confirmed is no deviation. It is reported, and not dropped. */
function leaveOpen(doubt: Doubt) {
  const { lane, first } = doubt
  const reason = { code: 'not-confirmed' } as const
  lane.records.set(first.id, isUntested(doubt) ? first : { ...first, outcome: 'untested', reason })
}

/** The repetitions of the plain failures of one lane. They run one at a time. */
function repetitionsOf(lane: ConfirmedLane): Job[] {
  const { name, session, warnings } = lane
  if (session.options.config.gate.repeats === 0) return []
  const deviating = doubtsOf(lane).filter(({ first }) => isPlainFailure(first))
  const left = deviating.length - confirmedAtMost
  if (left > 0) warnings.push(`${left} of ${deviating.length} failed checks were not repeated`)
  return deviating
    .slice(0, confirmedAtMost)
    .filter(isRepeated)
    .map(({ own, first }) => {
      const job = jobOf(
        own,
        name,
        async () => void lane.records.set(first.id, await repeat(first, own, session)),
      )
      return {
        ...job,
        touches: [...job.touches, { what: `repetition of ${name}`, how: 'changes' }],
      }
    })
}

const isPlainFailure = ({ outcome, suspicions }: CheckRecord) => outcome === 'failed' && !suspicions

/** False for a check whose first failure decides: timing cannot explain it (G13), or a write has changed its subject. */
function isRepeated({ own: { check } }: Doubt) {
  const { conclusive, writes, schedule } = check
  return !conclusive && schedule !== (writes ? 'alone' : 'afterwards')
}

/** Judges checks again that lost their connection, one at each endpoint that loses it again. Only a pass counts, since the lost request may have had its effect. */
async function judgeDropped({ doubtful, placed, session, records }: ConfirmedLane) {
  const errored = doubtful.filter(({ outcome }) => outcome === 'errored')
  // Many checks may have lost one shared write, so different losses are counted. Many of them are no accident.
  if (new Set(errored.map(({ detail }) => detail)).size > confirmedAtMost) return
  const lost = new Set<string>()
  for (const { id, detail, endpoint } of errored) {
    const own = placed.find(({ check }) => check.id === id)
    if (!own || stageOf(own) === 'clock' || session.signal.aborted || lost.has(endpoint)) continue
    const again = await judgeAfresh(own, session)
    // A target that loses them at so many endpoints loses all.
    if (again.outcome === 'errored' && lost.add(endpoint).size === attempts) return
    if (again.outcome !== 'passed') continue
    records.set(id, {
      ...again,
      detail: `judged again, because at first ${detail}`,
      repeats: [repetitionOf(again)],
    })
  }
}

/** Judges a check from fresh responses, and again after a further loss: a network may lose one request in a hundred. */
async function judgeAfresh({ check, suite }: PlacedCheck, session: Session) {
  for (let tried = 1; ; tried += 1) {
    session.client.forget()
    session.shared.clear()
    const again = await judge(check, suite, session)
    if (again.outcome !== 'errored' || tried === attempts || session.signal.aborted) return again
  }
}

async function repeat(record: CheckRecord, { check, suite }: PlacedCheck, session: Session) {
  const { repeats: times, flaky } = session.options.config.gate
  const repeats: NonNullable<CheckRecord['repeats']> = []
  for (let done = 0; done < times && !session.signal.aborted; done += 1) {
    session.client.forget()
    repeats.push(repetitionOf(await judge(check, suite, session)))
  }
  return settle({ ...record, repeats }, flaky)
}

/** The record after the repeats: flaky if one of them passed, otherwise unchanged. */
export function settle(
  record: CheckRecord & Required<Pick<CheckRecord, 'repeats'>>,
  flaky: 'warn' | 'fail',
): CheckRecord {
  if (!record.repeats.some(({ outcome }) => outcome === 'passed')) return record
  const outcomes = [record.outcome, ...record.repeats.map(({ outcome }) => outcome)]
  return {
    ...record,
    outcome: flaky === 'fail' ? 'failed' : 'warned',
    flaky: true,
    reason: { code: 'flaky', outcomes },
    detail: `flaky (${outcomes.join(', ')}): ${record.detail}`,
  }
}

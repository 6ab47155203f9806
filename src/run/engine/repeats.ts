import { attempts } from '../../http/exchange/retry.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { LaneName } from '../../record/lane-name.ts'
import { judge } from '../judge/judge.ts'
import type { Session } from '../judge/session.ts'
import type { PlacedCheck } from '../selection/selection.ts'
import { type Job, type JobOptions, jobOf, runJobs, type Stage, stageOf, stages } from './scheduler.ts'

/** The most failed checks that are judged again. More failures than these are no accident. */
const repeatedAtMost = 40

/** A lane with its failed checks before their repeats. */
export interface RepeatedLane {
  readonly name: LaneName
  readonly failed: readonly CheckRecord[]
  readonly placed: readonly PlacedCheck[]
  readonly session: Session
  readonly records: Map<string, CheckRecord>
  readonly warnings: string[]
}

/**
 * Judges failed checks again from fresh responses: one by one in each lane, and no two that disturb each other. A check that fails
 * each time deviates. One that passes in between is `flaky`: a warning, or a failure with `gate.flaky: fail`. Polls keep their
 * response, because a poll before the end of the interval would itself be wrong. A conclusive failure is not repeated.
 */
export async function repeatFailures(lanes: readonly RepeatedLane[], options: JobOptions): Promise<void> {
  const repeating = lanes.filter(({ session }) => session.options.config.gate.repeats > 0)
  const observed = repeating.map(({ session }) => session.observations.length)
  for (const { session } of repeating) session.isRepeating = true
  const jobsIn = (stage: Stage) => repeating.flatMap((lane) => repetitionsOf(lane, stage))
  for (const stage of stages) await runJobs(jobsIn(stage), options)
  for (const [index, lane] of repeating.entries()) {
    lane.session.isRepeating = false
    await judgeDropped(lane)
    lane.session.observations.length = observed[index] ?? 0
  }
}

/** The repetitions of one lane in one stage. They run one at a time. */
function repetitionsOf({ name, failed, placed, session, records, warnings }: RepeatedLane, stage: Stage): Job[] {
  const deviating = failed.filter(({ outcome }) => outcome !== 'errored')
  const left = deviating.length - repeatedAtMost
  if (left > 0 && stage === 'main') warnings.push(`${left} of ${deviating.length} failed checks were not repeated`)
  return deviating.slice(0, repeatedAtMost).flatMap((record) => {
    const own = placed.find(({ check }) => check.id === record.id)
    if (!own || stageOf(own) !== stage || !isRepeated(own)) return []
    const job = jobOf(own, name, async () => void records.set(record.id, await repeat(record, own, session)))
    return [{ ...job, touches: [...job.touches, { what: `repetition of ${name}`, how: 'changes' }] }]
  })
}

/** False for a check whose first failure decides: timing cannot explain it (G13), or a write has changed its subject. */
function isRepeated({ check }: PlacedCheck): boolean {
  const { conclusive, writes, schedule } = check
  return !movesClock({ check }) && !conclusive && schedule !== (writes ? 'alone' : 'afterwards')
}

/** Judges checks again that lost their connection, one at each endpoint that loses it again. Only a pass counts, since the lost request may have had its effect. */
async function judgeDropped({ failed, placed, session, records }: RepeatedLane): Promise<void> {
  const errored = failed.filter(({ outcome }) => outcome === 'errored')
  // Many checks may have lost one shared write, so different losses are counted. Many of them are no accident.
  if (new Set(errored.map(({ detail }) => detail)).size > repeatedAtMost) return
  const lost = new Set<string>()
  for (const { id, detail, endpoint } of errored) {
    const own = placed.find(({ check }) => check.id === id)
    if (!own || movesClock(own) || session.signal.aborted || lost.has(endpoint)) continue
    const again = await judgeAfresh(own, session)
    // A target that loses them at so many endpoints loses all.
    if (again.outcome === 'errored' && lost.add(endpoint).size === attempts) return
    if (again.outcome !== 'passed') continue
    const repeats = [{ outcome: again.outcome, detail: again.detail, exchanges: again.exchanges }]
    records.set(id, { ...again, detail: `judged again, because at first ${detail}`, repeats })
  }
}

/** Judges a check from fresh responses, and again after a further loss: a network may lose one request in a hundred. */
async function judgeAfresh({ check, suite }: PlacedCheck, session: Session): Promise<CheckRecord> {
  for (let tried = 1; ; tried += 1) {
    session.client.forget()
    session.shared.clear()
    const again = await judge(check, suite, session)
    if (again.outcome !== 'errored' || tried === attempts || session.signal.aborted) return again
  }
}

/** True for a check that moves the target's clock. It is not repeated, because no request moves the clock back. */
const movesClock = ({ check }: Pick<PlacedCheck, 'check'>) => check.asks?.includes('advance-clock') === true

async function repeat(record: CheckRecord, { check, suite }: PlacedCheck, session: Session): Promise<CheckRecord> {
  const { repeats: times, flaky } = session.options.config.gate
  const repeats: NonNullable<CheckRecord['repeats']> = []
  for (let done = 0; done < times && !session.signal.aborted; done += 1) {
    session.client.forget()
    const { outcome, detail, exchanges } = await judge(check, suite, session)
    repeats.push({ outcome, detail, exchanges })
  }
  return settle({ ...record, repeats }, flaky)
}

/** The record after the repeats: flaky if one of them passed, otherwise unchanged. */
export function settle(record: CheckRecord & Required<Pick<CheckRecord, 'repeats'>>, flaky: 'warn' | 'fail'): CheckRecord {
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

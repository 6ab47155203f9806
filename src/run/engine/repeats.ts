import type { CheckRecord } from '../../record/check-record.ts'
import { judge } from '../judge/judge.ts'
import type { Session } from '../judge/session.ts'
import type { PlacedCheck } from '../selection.ts'

/** Failed checks that are judged again at most; a target that fails more is not suffering from chance. */
const repeatedAtMost = 40

/**
 * Judges failed checks again, one by one, from fresh answers: what fails each time is a deviation, what passes in
 * between is `flaky`, and only a warning unless `gate.flaky` says otherwise. Polls keep their answer: asking again sooner
 * than the poll interval allows would itself be wrong. A check whose single failure is `conclusive` is not judged again, nor is
 * one that moves the target's clock.
 */
export async function repeatFailures(
  failed: readonly CheckRecord[],
  placed: readonly PlacedCheck[],
  session: Session,
): Promise<{ records: CheckRecord[]; warnings: string[] }> {
  const { repeats } = session.options.config.gate
  if (repeats === 0 || session.signal.aborted) return { records: [], warnings: [] }
  const observed = session.observations.length
  const records: CheckRecord[] = []
  for (const record of failed.slice(0, repeatedAtMost)) {
    const found = placed.find(({ check }) => check.id === record.id)
    if (found && !isSettled(found)) records.push(await repeat(record, found, session, repeats))
  }
  session.observations.length = observed
  const left = failed.length - repeatedAtMost
  return { records, warnings: left > 0 ? [`${left} of ${failed.length} failed checks were not repeated`] : [] }
}

/**
 * One failure is enough where timing cannot explain it (readings G13). A write that runs alone has changed what it judges:
 * a lock that somebody undid is no longer there to be undone. What the target's clock has passed does not come back either.
 */
function isSettled({ check }: PlacedCheck): boolean {
  return (
    check.conclusive === true ||
    check.asks?.includes('advance-clock') === true ||
    (check.writes === true && check.schedule === 'alone')
  )
}

async function repeat(record: CheckRecord, { check, suite }: PlacedCheck, session: Session, times: number): Promise<CheckRecord> {
  const repeats: NonNullable<CheckRecord['repeats']> = []
  for (let done = 0; done < times && !session.signal.aborted; done += 1) {
    session.client.forget()
    const { outcome, detail, exchanges } = await judge(check, suite, session)
    repeats.push({ outcome, detail, exchanges })
  }
  return settle({ ...record, repeats }, session.options.config.gate.flaky)
}

/** A check that passed when it was judged again has no settled answer; one that could not be judged again keeps its own. */
export function settle(
  record: CheckRecord & { repeats: NonNullable<CheckRecord['repeats']> },
  flaky: 'warn' | 'fail',
): CheckRecord {
  if (!record.repeats.some(({ outcome }) => outcome === 'passed')) return record
  const answers = [record.outcome, ...record.repeats.map(({ outcome }) => outcome)].join(', ')
  return {
    ...record,
    outcome: flaky === 'fail' ? 'failed' : 'warned',
    flaky: true,
    detail: `flaky (${answers}): ${record.detail}`,
  }
}

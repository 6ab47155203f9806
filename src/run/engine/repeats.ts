import { attempts } from '../../http/exchange/retry.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import { judge } from '../judge/judge.ts'
import type { Session } from '../judge/session.ts'
import type { PlacedCheck } from '../selection/selection.ts'

/** Failed checks that are judged again at most; a target that fails more is not suffering from chance. */
const repeatedAtMost = 40

/**
 * Judges failed checks again, one by one, from fresh responses. A check that fails each time deviates; one that passes in between
 * is `flaky`, which is a warning unless `gate.flaky` says otherwise. Polls keep their response, because a poll before the end of
 * the interval would itself be wrong. A check is not repeated when its single failure is conclusive.
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
  const errored = failed.filter(({ outcome }) => outcome === 'errored')
  const deviating = failed.filter(({ outcome }) => outcome !== 'errored')
  session.isRepeating = true
  for (const record of deviating.slice(0, repeatedAtMost)) {
    const own = placed.find(({ check }) => check.id === record.id)
    if (!own || movesClock(own)) continue
    // One failure is enough where timing explains nothing (G13), as in recorded responses, or where a write has changed its subject.
    const { conclusive, writes, schedule } = own.check
    if (!conclusive && schedule !== (writes ? 'alone' : 'afterwards')) records.push(await repeat(record, own, session, repeats))
  }
  session.isRepeating = false
  // Many checks may have lost the one write that they share. With many different losses the target is not suffering from chance.
  const losses = new Set(errored.map(({ detail }) => detail))
  if (losses.size <= repeatedAtMost) records.push(...(await judgeDropped(errored, placed, session)))
  session.observations.length = observed
  const left = deviating.length - repeatedAtMost
  return { records, warnings: left > 0 ? [`${left} of ${deviating.length} failed checks were not repeated`] : [] }
}

/** Judges checks again that lost their connection. Only a pass counts, since the lost request may have had its effect. */
async function judgeDropped(errored: readonly CheckRecord[], placed: readonly PlacedCheck[], session: Session) {
  const records: CheckRecord[] = []
  for (const { id, detail } of errored) {
    const own = placed.find(({ check }) => check.id === id)
    if (!own || movesClock(own) || session.signal.aborted) continue
    const again = await judgeAfresh(own, session)
    if (again.outcome !== 'passed') continue
    const repeats = [{ outcome: again.outcome, detail: again.detail, exchanges: again.exchanges }]
    records.push({ ...again, detail: `judged again, because at first ${detail}`, repeats })
  }
  return records
}

/** A network that loses one request in a hundred may lose one of these as well. */
async function judgeAfresh({ check, suite }: PlacedCheck, session: Session): Promise<CheckRecord> {
  for (let tried = 1; ; tried += 1) {
    session.client.forget()
    session.shared.clear()
    const again = await judge(check, suite, session)
    if (again.outcome !== 'errored' || tried === attempts || session.signal.aborted) return again
  }
}

/** Time that has passed on the target's clock does not come back. */
function movesClock({ check }: Pick<PlacedCheck, 'check'>): boolean {
  return check.asks?.includes('advance-clock') === true
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
  const outcomes = [record.outcome, ...record.repeats.map(({ outcome }) => outcome)]
  return {
    ...record,
    outcome: flaky === 'fail' ? 'failed' : 'warned',
    flaky: true,
    reason: { code: 'flaky', outcomes },
    detail: `flaky (${outcomes.join(', ')}): ${record.detail}`,
  }
}

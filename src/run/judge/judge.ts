import type { Exchange } from '../../http/exchange/exchange.ts'
import { NoResponse, NotSent, type NotSentReason } from '../../http/exchange/no-response.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import { type MissingNeed, needsIn, type Outcome, type Reason } from '../../record/reason.ts'
import type { Waiver } from '../../record/run-record.ts'
import { endpointLabel } from '../../spec/endpoints.ts'
import { documentRequirements } from '../../spec/requirements.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import { type Check, endpointOf, needsOf, type Suite } from '../../suite/check.ts'
import { Deviation, type Finding } from '../../suite/deviation.ts'
import { Untested } from '../../suite/untested.ts'
import { defined } from '../../text/data.ts'
import { cut, printable, show } from '../../text/format.ts'
import { ProviderFailure } from '../needs/provider-failure.ts'
import { createContext } from './context.ts'
import { deviationRecord } from './deviation-record.ts'
import type { Session } from './session.ts'
import { type Manner, newTrace, type Trace, undoAll } from './trace.ts'

/** The longest text of a record; a target may send names of any length. Characters. */
const sentenceLimit = 2000

interface Judgement {
  readonly outcome: Outcome
  readonly detail: string
  readonly reason?: Reason
  readonly finding?: Finding
  /** The unusable response of an untested check, if another check requested it. */
  readonly blocker?: Exchange | undefined
}

/** Judges one check in one session and returns its record. It never rejects: an unexpected error is the outcome `errored`. */
export async function judge(
  check: Check,
  suite: Suite,
  session: Session,
  manner: Manner = {},
): Promise<CheckRecord> {
  const trace = newTrace(check.id, { ...manner, endpoint: endpointLabel(endpointOf(check, suite)) })
  const started = session.clock.now()
  const judgement = notApplicable(check, suite, session) ?? (await attempt(check, session, trace))
  const { blocker, finding } = judgement
  const isOpen = isSuspicious(judgement, check, trace)
  if (isOpen) session.needs.setAside(trace.given)
  const exchanges = new Set([...trace.exchanges, ...(finding?.exchanges ?? [])])
  if (blocker) exchanges.add(blocker)
  const place = (exchange: Exchange) =>
    exchange === blocker ? Number.POSITIVE_INFINITY : Number(exchange.id.slice(1))
  session.exchanges.keep(exchanges, judgement.outcome)
  // Only texts that may quote the target lose secrets: a weak secret such as `events` must not change an id.
  const safe = (text: string) => cut(printable(session.redactor.redact(text)), sentenceLimit)
  let { reason } = judgement
  // Needs may quote the target.
  const ofNeed = ({ found, how, ...need }: MissingNeed) => ({
    ...need,
    how: safe(how),
    ...defined({ found: found && safe(found) }),
  })
  if (reason && 'needs' in reason) reason = { ...reason, needs: reason.needs.map(ofNeed) }
  // A copy: a part of a text keeps the whole text in memory.
  return structuredClone({
    ...factsOf(check, suite),
    outcome: judgement.outcome,
    subjects: trace.subjects,
    ...(reason ? { reason } : {}),
    detail: safe(judgement.detail),
    missing: [...new Set(needsIn(judgement.reason).map(({ need }) => need))],
    ...defined({ shows: check.shows, detectsIgnoredVersion: check.detectsIgnoredVersion }),
    ...(finding ? { deviation: deviationRecord(finding, trace.given, session, safe) } : {}),
    ...(isOpen ? { suspicions: [...trace.suspicions].sort() } : {}),
    durationMs: Math.round(session.clock.now() - started),
    // Two responses that a check reads at once arrive in either order.
    exchanges: [...exchanges].sort((a, b) => place(a) - place(b)).map(({ id }) => id),
  })
}

/** True for a check that missed an effect and did not pass. A deviation that timing cannot explain is no suspicion (readings G13). */
function isSuspicious(
  { outcome, finding }: Judgement,
  { conclusive }: Check,
  { suspicions }: Trace,
) {
  const isNoPass =
    outcome === 'failed' || outcome === 'warned' || outcome === 'waived' || outcome === 'untested'
  return suspicions.size > 0 && isNoPass && !(conclusive && finding)
}

/** The members of a record that follow from the check alone. */
export function factsOf(check: Check, suite: Suite) {
  const { id, title, level, requirement } = check
  const endpoint = endpointOf(check, suite)
  const source = documentRequirements.find((each) => each.id === requirement)
  return {
    id,
    title,
    area: suite.area,
    endpoint: endpointLabel(endpoint),
    // The claim's own source, which is another section for the members that a version removes.
    section: (source ?? endpoint).section,
    level,
    requirements: [requirement],
  }
}

/** The judgement of a check that does not apply in a session; undefined for a check that applies. */
function notApplicable(check: Check, suite: Suite, session: Session): Judgement | undefined {
  const { apiVersion, config, readOnly } = session.options
  const label = endpointLabel(endpointOf(check, suite))
  const outcome = 'inapplicable'
  if (check.versions && !check.versions.includes(apiVersion)) {
    const { versions } = check
    return {
      outcome,
      reason: { code: 'not-in-version', versions },
      detail: `applies only to ${versions.join(', ')}`,
    }
  }
  if (config.claims.except.includes(label)) {
    const detail = `the target does not offer ${label} (claims.except)`
    return { outcome, reason: { code: 'not-claimed', endpoint: label }, detail }
  }
  if (!readOnly || !check.writes) return undefined
  return {
    outcome,
    reason: { code: 'left-out', by: 'read-only' },
    detail: 'the check changes data, and the run is read-only',
  }
}

async function attempt(check: Check, session: Session, trace: Trace): Promise<Judgement> {
  try {
    const resolved = await session.needs.resolve(needsOf(check))
    for (const value of Object.values(resolved)) trace.given.add(value)
    await check.run(createContext(session, trace), resolved as never, resolved as never)
    if (trace.subjects === 0)
      return {
        outcome: 'untested',
        reason: { code: 'nothing-to-examine' },
        detail: 'no response has a subject of this claim',
      }
    return { outcome: 'passed', detail: '' }
  } catch (error) {
    return judgementOf(error, check, session)
  } finally {
    await undoAll(trace.made, session.leftBehind)
  }
}

function judgementOf(error: unknown, check: Check, session: Session): Judgement {
  if (error instanceof Deviation) return deviates(error, check, session)
  if (error instanceof Untested)
    return {
      outcome: 'untested',
      reason: error.reason,
      detail: error.message,
      blocker: error.exchange,
    }
  // At the deadline, a request to the target or to the provider may end with an error of its own.
  const cause = session.signal.reason instanceof NotSent ? session.signal.reason : error
  if (cause instanceof NotSent) return { outcome: 'untested', ...notSent(cause.reason) }
  return errored(error, check, session)
}

function errored(error: unknown, check: Check, session: Session): Judgement {
  const outcome = 'errored'
  if (session.signal.aborted)
    return { outcome, reason: { code: 'interrupted' }, detail: 'the run was interrupted' }
  if (error instanceof NoResponse && error.traits.dropped) session.dropped.add(check.id)
  if (error instanceof NoResponse || error instanceof ProviderFailure)
    return { outcome, reason: reasonOfLoss(error), detail: error.message }
  const bug =
    error instanceof Error
      ? (error.stack ?? error.message).split('\n').slice(0, 3).join(' ')
      : show(error)
  return {
    outcome,
    reason: { code: 'suite-error' },
    detail: `an error in the suite, not in the target: ${bug}`,
  }
}

function deviates(error: Deviation, check: Check, session: Session): Judgement {
  const { finding } = error
  const { config, apiVersion } = session.options
  // A warning needs no waiver except where warnings are red.
  if (check.level === 'should' && !config.gate.strict)
    return { outcome: 'warned', detail: error.message, finding }
  const waiver = config.waivers.find((candidate) =>
    accepts(candidate, check.id, apiVersion, new Date(session.clock.now())),
  )
  if (!waiver)
    return {
      outcome: check.level === 'should' ? 'warned' : 'failed',
      detail: error.message,
      finding,
    }
  const reason = { code: 'waived', until: waiver.expires, because: waiver.reason } as const
  return {
    outcome: 'waived',
    reason,
    detail: `${error.message} (waived until ${waiver.expires}: ${waiver.reason})`,
    finding,
  }
}

/** True while a waiver accepts a check's failure, its last day included. */
export function accepts(waiver: Waiver, check: string, version: ApiVersion, today: Date) {
  if (waiver.check !== check || (waiver.versions && !waiver.versions.includes(version)))
    return false
  return today.toISOString().slice(0, 10) <= waiver.expires
}

/** Why a request was not sent: as a reason, and as a sentence with the names of the options that the user set. */
function notSent(reason: NotSentReason): Pick<Judgement, 'reason' | 'detail'> {
  const leftOut = (by: Extract<Reason, { code: 'left-out' }>['by'], detail: string) =>
    ({ reason: { code: 'left-out', by }, detail }) as const
  switch (reason.code) {
    case 'read-only':
      return leftOut(reason.code, `--read-only does not permit ${reason.method}`)
    case 'request-limit':
      return leftOut(
        reason.code,
        `the run has reached its limit of ${reason.requests} requests (--max-requests)`,
      )
    case 'byte-limit':
      return leftOut(
        reason.code,
        `the target has sent ${reason.bytes} bytes, as many as the run may read (limits.totalBytes)`,
      )
    case 'time-limit':
      return leftOut(reason.code, 'the run has reached its time limit (limits.runMinutes)')
    case 'inexact-number': {
      // The target itself sent the number that the suite cannot send back.
      const detail = `the ${reason.parameter} ${reason.value} is beyond 2^53, where numbers of JSON are not read exactly`
      return { reason: { code: 'unusable-response' }, detail }
    }
    case 'foreign-address': {
      const detail = `the address ${show(reason.address)} is not on ${reason.origin}, so no request was sent to it`
      return { reason: { code: reason.code }, detail }
    }
  }
}

function reasonOfLoss(error: NoResponse | ProviderFailure): Reason {
  if (!(error instanceof NoResponse)) return { code: 'provider-failure' }
  const { status, ended, ...traits } = error.traits
  if (ended) return { code: 'token-ended', ...ended }
  if (status !== undefined) return { code: 'server-unavailable', status }
  if (traits.unreachable) return { code: 'unreachable' }
  if (traits.timedOut) return { code: 'timeout' }
  if (traits.dropped) return { code: 'connection-lost' }
  return { code: traits.malformed || traits.final ? 'malformed-response' : 'no-response' }
}

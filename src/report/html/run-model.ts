import type { CheckRecord } from '../../record/check-record.ts'
import { coverageOf, coverageText, grouped } from '../../record/coverage.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import { type ReportPart, type RunRecords, reportParts } from '../../record/report-parts.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { countOutcomes } from '../../record/verdict.ts'
import type { Coverage, Verdict } from '../../record/version-report.ts'
import { areas } from '../../spec/endpoint.ts'
import { readingsOf } from '../../spec/readings/index.ts'
import { duration } from '../../text/duration.ts'
import { groupBy } from '../../text/group.ts'
import { type Finding, findingsOf } from '../view/findings.ts'
import { linesOf } from '../view/fragment.ts'
import { indented } from '../view/indented.ts'
import { permissionMapOf } from '../view/permission-map.ts'
import { reproductionOf } from '../view/reproduction.ts'
import { meansText, notesOn, runCoverage, targetText, verdictStyle } from '../view/subject.ts'
import type {
  CheckModel,
  DeviationModel,
  EvidenceModel,
  JudgementModel,
  PageModel,
  PartModel,
  RunModel,
  TableModel,
  VerdictModel,
} from './page-model.ts'
import { runSections } from './sections.ts'

const thin =
  'Less than half of the must-level checks were judged, so this verdict says little. The part Untested lists the causes.'

/** The data of the page of a run. */
export function runPage(records: RunRecords): PageModel {
  const { run } = records
  const parts = reportParts(records)
  const checks = checksOf(parts)
  return {
    heading: targetText(run),
    facts: factsOf(records),
    alerts: [
      ...(verdictStyle(run.verdict, parts) === 'thin' ? [thin] : []),
      ...(run.interrupted ? ['The run was interrupted: this report is partial.'] : []),
      ...(run.crossVersion.ignoresVersion ? [run.crossVersion.ignoresVersion] : []),
    ],
    run: runModel(run, parts, checks),
    sections: runSections(run, parts, new Map(checks.map(({ id }, place) => [id, place]))),
  }
}

/** When the run began, and the suite and the seed with which it judged. */
function factsOf({ run: { suite, seed }, reports }: RunRecords): string {
  const began = reports.map(({ startedAt }) => startedAt).sort()[0]
  const when = began === undefined ? [] : [`${began.slice(0, 10)} ${began.slice(11, 16)} UTC`]
  return [...when, `${suite.name} ${suite.version}`, `seed ${seed}`].join(' · ')
}

function runModel(run: RunRecord, parts: readonly ReportPart[], checks: readonly CheckModel[]): RunModel {
  const present = areas.filter((area) => checks.some((check) => check.area === area))
  return {
    verdict: verdictModel(run.verdict, runCoverage(parts), parts),
    gate: { result: run.gate.result, strict: run.gate.strict },
    notes: notesOn(run),
    ...(run.preflight
      ? { means: { summary: `Judged with ${meansText(run.preflight)}`, tokens: tokenTable(run.preflight) } }
      : {}),
    parts: parts.map(partModel),
    areas: present.map((area) => ({
      area,
      totals: parts.map(({ report }) => countOutcomes(report.checks.filter((check) => check.area === area))),
    })),
    checks,
    deviations: deviationsOf(parts, checks),
    permissions: parts
      .filter(({ report }) => report.permissions.length > 0)
      .map(({ name, report }) => ({ name, map: permissionMapOf(report.permissions) })),
    exchanges: parts.map(exchangesOf),
  }
}

function verdictModel(verdict: Verdict, coverage: Coverage, parts: readonly ReportPart[]): VerdictModel {
  const { judged, applicable } = coverage
  const share = applicable === 0 ? 0 : Math.floor((judged / applicable) * 100)
  return { verdict, style: verdictStyle(verdict, parts), coverage: coverageText(coverage), share }
}

function partModel(part: ReportPart): PartModel {
  const { verdict, checks, totals, requests, durationMs, warnings } = part.report
  const traffic = `${grouped(requests.sent)} ${requests.sent === 1 ? 'request' : 'requests'} in ${duration(durationMs)}`
  return { name: part.name, totals, traffic, warnings, ...verdictModel(verdict, coverageOf(checks), [part]) }
}

function tokenTable({ tokens }: NonNullable<RunRecord['preflight']>): TableModel {
  return {
    title: "The target's treatment of each token",
    head: ['token', 'kind', 'role', 'login', 'the target', 'first request'],
    rows: tokens.map(({ token, kind, role = '', login = '', state, says }) => [token, kind, role, login, state, says]),
  }
}

/** The checks of all parts, each once. */
function checksOf(parts: readonly ReportPart[]): CheckModel[] {
  const all = parts.flatMap(({ report }, part) => report.checks.map((check) => ({ part, check })))
  return [...groupBy(all, ({ check }) => check.id).values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    const { id, title, area, endpoint, level, section, requirements } = first.check
    const judgements = parts.map((_, part) => judgementOf(same.find((one) => one.part === part)?.check))
    return [{ id, title, area, endpoint, level, section, requirements, judgements }]
  })
}

function judgementOf(check: CheckRecord | undefined): JudgementModel | null {
  if (!check) return null
  const { outcome, subjects, durationMs, detail, exchanges, flaky } = check
  return { outcome, subjects, durationMs, detail, exchanges, ...(flaky ? { flaky } : {}) }
}

/** The deviating checks, each once with all its outcomes, the worst first. */
function deviationsOf(parts: readonly ReportPart[], checks: readonly CheckModel[]): DeviationModel[] {
  const places = new Map(checks.map(({ id }, place) => [id, place]))
  return [...groupBy(findingsOf(parts), ({ latest }) => latest.check.id)].flatMap(([id, findings]) => {
    const [first] = findings
    if (!first) return []
    const { requirements } = first.latest.check
    const readings = readingsOf(id, requirements).map((reading) => ({ id: reading.id, judged: reading.judged }))
    const blocks = findings.map((finding) => evidenceOf(finding, parts))
    return [{ check: places.get(id) ?? 0, outcome: first.outcome, blocks, readings }]
  })
}

function evidenceOf({ outcome, latest, names, others }: Finding, parts: readonly ReportPart[]): EvidenceModel {
  const { check, part } = latest
  const isSaid = check.deviation !== undefined && !check.flaky && outcome !== 'waived'
  return {
    outcome,
    names,
    part: parts.indexOf(part),
    flaky: check.flaky ?? false,
    detail: isSaid ? '' : check.detail,
    ...(check.deviation ? { deviation: deviationOf(check, part.report.exchanges) } : {}),
    others: others.map((one) => ({ name: one.part.name, actual: one.check.deviation?.actual ?? one.check.detail })),
    exchanges: check.exchanges,
    repeats: check.repeats ?? [],
  }
}

function deviationOf(check: CheckRecord, known: readonly ExchangeRecord[]): NonNullable<EvidenceModel['deviation']> {
  const { expected = '', actual = '', pointer = '', exchanges = [], fragment } = check.deviation ?? {}
  return {
    expected,
    actual,
    pointer,
    exchanges,
    ...(fragment ? { fragment: { at: fragment.at, lines: linesOf(fragment) } } : {}),
    script: reproductionOf(check, known),
  }
}

function exchangesOf({ report }: ReportPart): Record<string, ExchangeRecord> {
  const readable = report.exchanges.map(({ response, ...rest }) => {
    const { body } = response
    return { ...rest, response: body === undefined ? response : { ...response, body: indented(body) } }
  })
  return Object.fromEntries(readable.map((exchange) => [exchange.id, exchange]))
}

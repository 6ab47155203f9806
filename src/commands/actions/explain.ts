import { faults } from '../../../fixtures/reference/faults/index.ts'
import { startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import { defaults } from '../../config/defaults.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { ExchangeRecord } from '../../record/exchange-record.ts'
import { curlOf } from '../../report/view/curl.ts'
import { judge } from '../../run/judge/judge.ts'
import { openSession } from '../../run/judge/session.ts'
import { howToGive } from '../../run/needs/need-catalogue.ts'
import { needName } from '../../run/selection/asked-needs.ts'
import { findCheck, type PlacedCheck } from '../../run/selection/selection.ts'
import { endpointLabel } from '../../spec/endpoints.ts'
import { readingsOf } from '../../spec/readings.ts'
import { requirements } from '../../spec/requirements.ts'
import { apiVersions, latestVersion, newestOf } from '../../spec/versions.ts'
import { endpointOf, needsOf, type Suite, scheduleOf } from '../../suite/check.ts'
import { counted } from '../../text/format.ts'
import { renderJson } from './table.ts'

/** The options of `explain`. */
export interface ExplainOptions {
  json?: boolean | undefined
}

/** Exchanges of a passing run that are shown. */
const shownExchanges = 4

/** Everything about one check: claim, requirement, needs, the faults it catches, and how it passes on the reference server. */
export async function explainCommand(id: string, { json }: ExplainOptions, suites: readonly Suite[]): Promise<string> {
  const placed = findCheck(suites, id)
  const explained = { ...factsOf(placed), example: await passing(placed) }
  return json ? renderJson(explained) : `${lines(explained).join('\n')}\n`
}

function factsOf({ check, suite }: PlacedCheck) {
  const requirement = requirements.find(({ id }) => id === check.requirement)
  const endpoint = endpointOf(check, suite)
  return {
    id: check.id,
    claim: `${endpointLabel(endpoint)} ${check.title}`,
    source: check.source,
    suite: suite.source,
    level: check.level,
    requirement: { id: check.requirement, section: requirement?.section ?? endpoint.section, text: requirement?.text ?? '' },
    readings: readingsOf(check.id, [check.requirement]).map(({ id, judged }) => ({ id, judged })),
    versions: check.versions ?? apiVersions,
    schedule: scheduleOf(check),
    writes: check.writes ?? false,
    accepted: { success: Object.keys(endpoint.success).map(Number), otherStatuses: endpoint.others },
    needs: [
      ...Object.values(needsOf(check)).flatMap((wanted) => {
        const name = needName(wanted)
        return name === undefined ? [] : [{ name, optional: wanted.optional ?? false, whileRunning: false, how: howToGive(name) }]
      }),
      ...(check.asks ?? []).map((name) => ({ name, optional: false, whileRunning: true, how: howToGive(name) })),
    ],
    faults: faults.filter(({ breaks }) => breaks.includes(check.id)).map(({ id, story }) => ({ id, story })),
  }
}

/** The check as it passes on the reference server, in the newest version it applies in. */
async function passing({ check, suite }: PlacedCheck): Promise<{ record: CheckRecord; exchanges: ExchangeRecord[] }> {
  const running = await startReferenceServer()
  const apiVersion = newestOf(check.versions ?? apiVersions) ?? latestVersion
  const config = { ...defaults, report: { ...defaults.report, bodies: 'all' as const } }
  const session = await openSession(running.configure(config), apiVersion, { run: 'explain' })
  try {
    const record = await judge(check, suite, session)
    return { record, exchanges: session.exchanges.records }
  } finally {
    await session.release()
    await running.close()
  }
}

function lines({ example, ...check }: ReturnType<typeof factsOf> & { example: Awaited<ReturnType<typeof passing>> }): string[] {
  const { record, exchanges } = example
  const left = exchanges.length - shownExchanges
  return [
    check.id,
    `  claim        ${check.claim}`,
    `  level        ${check.level}: ${check.level === 'must' ? 'a deviation fails' : 'a deviation warns'}`,
    `  requirement  ${check.requirement.id} (${check.requirement.section})`,
    `               ${check.requirement.text}`,
    ...check.readings.map(({ id, judged }) => `  ${`reading ${id}:`.padEnd(13)}${judged}`),
    `  source       ${sourceText(check)}`,
    `  versions     ${check.versions.join(', ')}`,
    `  judged       ${judged(check.schedule)}${check.writes ? '; changes data on the target' : ''}`,
    ...statusLines(check.accepted),
    ...check.needs.map(
      ({ name, optional, whileRunning, how }) =>
        `  needs        ${name}${optional ? ' (optional)' : ''}${whileRunning ? ' (asked for while it runs)' : ''}: ${how}`,
    ),
    ...(check.needs.length === 0 ? ['  needs        nothing'] : []),
    ...check.faults.map(({ id, story }) => `  catches      ${id}: ${story}`),
    `  on the reference server, which is stopped again: ${record.outcome}, ${counted(record.subjects, 'subject')} examined`,
    ...exchanges
      .slice(0, shownExchanges)
      .map((exchange) => `    ${curlOf(exchange)}\n      → ${exchange.response.status}, ${exchange.response.bodyBytes} bytes`),
    ...(left > 0 ? [`    … and ${left} more`] : []),
  ]
}

/** The statuses of the endpoint's row; a row of the permission matrix lists none. */
function statusLines({ success, otherStatuses }: ReturnType<typeof factsOf>['accepted']): string[] {
  const listed = [...success, ...otherStatuses]
  return listed.length === 0 ? [] : [`  statuses     ${listed.join(', ')} are listed for the endpoint`]
}

/** Where the check is defined, and where its endpoint lists it. */
function sourceText({ source = 'unknown', suite }: { source?: string | undefined; suite?: string | undefined }): string {
  return suite === undefined || suite === source ? source : `${source}, listed in ${suite}`
}

function judged(schedule: ReturnType<typeof scheduleOf>): string {
  if (schedule === 'across') return 'once, for all versions'
  if (schedule === 'shared') return 'beside other checks'
  return schedule === 'alone' ? 'on its own' : 'after all other checks'
}

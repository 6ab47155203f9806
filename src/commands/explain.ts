import { faults } from '../../fixtures/reference/faults/index.ts'
import { startReferenceServer } from '../../fixtures/reference/server/start.ts'
import { suites } from '../../suites/index.ts'
import { defaults } from '../config/load.ts'
import type { CheckRecord } from '../record/check-record.ts'
import type { ExchangeRecord } from '../record/exchange-record.ts'
import { curlOf } from '../report/evidence/curl.ts'
import { judge } from '../run/judge/judge.ts'
import { Session, type SessionOptions } from '../run/judge/session.ts'
import { needName } from '../run/needs/asked-needs.ts'
import { needCatalogue } from '../run/needs/need-catalogue.ts'
import { allChecks, type PlacedCheck } from '../run/selection.ts'
import { endpointLabel } from '../spec/endpoint.ts'
import { readingsOf } from '../spec/readings/index.ts'
import { requirements } from '../spec/requirements.ts'
import { apiVersions, latestVersion, newestOf } from '../spec/versions.ts'
import { endpointOf, needsOf, scheduleOf } from '../suite/check.ts'
import { guess } from '../text/guess.ts'
import { UsageError } from '../text/usage-error.ts'
import { renderJson } from './table.ts'

/** The options of `explain`. */
export interface ExplainOptions {
  json?: boolean
}

/** Exchanges of a passing run that are shown. */
const shownExchanges = 4

/** The check with this id. Throws {@link UsageError} with the likely slip. */
export function findCheck(id: string): PlacedCheck {
  const all = allChecks(suites)
  const found = all.find(({ check }) => check.id === id)
  if (found) return found
  const ids = all.map(({ check }) => check.id)
  throw new UsageError(`there is no check "${id}"${guess(id, ids)}; "service-conformance list checks" shows them all`)
}

/** Everything about one check: claim, requirement, needs, the faults it catches, and how it passes on the reference server. */
export async function explainCommand(id: string, { json }: ExplainOptions): Promise<string> {
  const placed = findCheck(id)
  const explained = { ...describe(placed), example: await passing(placed) }
  return json ? renderJson(explained) : `${lines(explained).join('\n')}\n`
}

function describe({ check, suite }: PlacedCheck) {
  const requirement = requirements.find(({ id }) => id === check.requirement)
  const endpoint = endpointOf(check, suite)
  return {
    id: check.id,
    claim: `${endpointLabel(endpoint)} ${check.title}`,
    level: check.level,
    requirement: { id: check.requirement, section: requirement?.section ?? endpoint.section, text: requirement?.text ?? '' },
    readings: readingsOf(check.id, [check.requirement]).map(({ id, judged }) => ({ id, judged })),
    versions: check.versions ?? apiVersions,
    schedule: scheduleOf(check),
    writes: check.writes ?? false,
    accepted: { success: Object.keys(endpoint.success).map(Number), otherStatuses: endpoint.others },
    needs: Object.values(needsOf(check)).flatMap((wanted) => {
      const name = needName(wanted)
      return name === undefined
        ? []
        : [{ name, optional: wanted.optional ?? false, how: needCatalogue.get(name)?.how ?? 'give it in the configuration' }]
    }),
    faults: faults.filter(({ breaks }) => breaks.includes(check.id)).map(({ id, story }) => ({ id, story })),
  }
}

/** The check as it passes on the reference server, in the newest version it applies in. */
async function passing({ check, suite }: PlacedCheck): Promise<{ record: CheckRecord; exchanges: ExchangeRecord[] }> {
  const running = await startReferenceServer()
  const apiVersion = newestOf(check.versions ?? apiVersions) ?? latestVersion
  const config = running.configure(defaults) as SessionOptions['config']
  const session = await Session.open({ config, apiVersion, run: 'explain', seed: 1 })
  try {
    const record = await judge(check, suite, session)
    const exchanges = session.exchanges
      .filter(({ id }) => record.exchanges.includes(id))
      .map((exchange) => session.record(exchange))
    return { record, exchanges }
  } finally {
    await session.release()
    await running.close()
  }
}

function lines({ example, ...check }: ReturnType<typeof describe> & { example: Awaited<ReturnType<typeof passing>> }): string[] {
  const { record, exchanges } = example
  const left = exchanges.length - shownExchanges
  return [
    check.id,
    `  claim        ${check.claim}`,
    `  level        ${check.level}: ${check.level === 'must' ? 'a deviation fails' : 'a deviation warns'}`,
    `  requirement  ${check.requirement.id} (${check.requirement.section})`,
    `               ${check.requirement.text}`,
    ...check.readings.map(({ id, judged }) => `  ${`reading ${id}:`.padEnd(13)}${judged}`),
    `  versions     ${check.versions.join(', ')}`,
    `  judged       ${judged(check.schedule)}${check.writes ? '; changes data on the target' : ''}`,
    `  statuses     ${[...check.accepted.success, ...check.accepted.otherStatuses].join(', ')} are listed for the endpoint`,
    ...check.needs.map(({ name, optional, how }) => `  needs        ${name}${optional ? ' (optional)' : ''}: ${how}`),
    ...(check.needs.length === 0 ? ['  needs        nothing'] : []),
    ...check.faults.map(({ id, story }) => `  catches      ${id}: ${story}`),
    `  on the reference server: ${record.outcome}, ${record.subjects} subjects`,
    ...exchanges
      .slice(0, shownExchanges)
      .map((exchange) => `    ${curlOf(exchange)}\n      → ${exchange.response.status}, ${exchange.response.bodyBytes} bytes`),
    ...(left > 0 ? [`    … and ${left} more`] : []),
  ]
}

function judged(schedule: ReturnType<typeof scheduleOf>): string {
  if (schedule === 'across') return 'once, for all versions'
  if (schedule === 'shared') return 'beside other checks'
  return schedule === 'alone' ? 'on its own' : 'after all other checks'
}

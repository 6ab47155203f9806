import type { Command } from '@commander-js/extra-typings'
import { defaults } from '../config/config.ts'
import type { CheckRecord } from '../record/check-record.ts'
import type { ExchangeRecord } from '../record/exchange-record.ts'
import { limited } from '../report/view/markup.ts'
import { curlOf } from '../report/view/reproduction.ts'
import { allChecks, findCheck, type PlacedCheck } from '../run/selection/selection.ts'
import { endpointLabel } from '../spec/endpoints.ts'
import { type Reading, readings, readingsOf } from '../spec/readings.ts'
import { apiVersions, latestVersion, newestOf } from '../spec/versions.ts'
import type { Catalogue } from '../suite/catalogue.ts'
import { endpointOf, needsOf } from '../suite/check.ts'
import { need, needName } from '../suite/needs.ts'
import { remembered } from '../text/data.ts'
import { didYouMean, UsageError } from '../text/errors.ts'
import { counted } from '../text/format.ts'
import { wrapped } from '../text/table.ts'
import {
  type CommandContext,
  example,
  type OptionsOf,
  renderJson,
  shared,
} from './common/command.ts'
import { statedBaseUrl, withTarget } from './common/target.ts'

/** `explain`: all facts about one check, or about one reading. */
export function define(command: Command, { catalogue, print }: CommandContext) {
  return command
    .argument('<id>', 'the id of a check, or of a reading such as G13')
    .addOption(shared.config())
    .addOption(shared.json())
    .addHelpText('after', example('explain events.public.per-page-default'))
    .action(
      async (id, options) =>
        void print(await explainCommand(id, options, await catalogue(options))),
    )
}

/** The most exchanges of a passing check that are printed. */
const shownExchanges = 4

/** The most checks of a reading that are printed; `--json` lists all. */
const shownChecks = 12

/** Explains a check or a reading: as text, or as JSON. Throws {@link UsageError} for an unknown id. */
export async function explainCommand(
  id: string,
  options: OptionsOf<typeof define>,
  catalogue: Catalogue,
) {
  if (/^[a-z]+\d+$/i.test(id)) {
    const reading = readingWith(id.toUpperCase())
    const bears = ({ check }: PlacedCheck) =>
      readingsOf(check.id, [check.requirement], catalogue.requirements).includes(reading)
    const checks = allChecks(catalogue.suites).flatMap((placed) =>
      bears(placed) ? placed.check.id : [],
    )
    return options.json
      ? renderJson({ ...reading, checks })
      : wrapped(readingLines(reading, checks))
  }
  const placed = findCheck(catalogue.suites, id)
  const facts = await factsOf(placed, catalogue)
  const passed = await passing(placed, catalogue)
  const { baseUrl, ...example } = passed
  if (options.json) return renderJson({ ...facts, example })
  return (
    wrapped(checkLines(facts, passed.record)) +
    exchangeLines(passed.exchanges, baseUrl, statedBaseUrl(options))
  )
}

function readingWith(id: string) {
  const found = readings.find((known) => known.id === id)
  if (found) return found
  const ids = readings.map((known) => known.id)
  throw new UsageError(
    `there is no reading ${id}${didYouMean(id, ids)}; "npx service-conformance explain CHECK" names the readings of a check`,
  )
}

function readingLines(
  { id, section, open, judged, caught, uncited }: Reading,
  checks: readonly string[],
) {
  return [
    `${id} (${section})`,
    `  left open    ${open}`,
    `  judged       ${judged}`,
    ...(caught === undefined ? [] : [`  caught       ${caught}`]),
    ...(uncited === undefined ? [] : [`  no check     ${uncited}`]),
    ...(checks.length === 0 ? [] : [`  bears on     ${counted(checks.length, 'check')}`]),
    ...limited(checks, shownChecks, others).map((line) => `               ${line}`),
  ]
}

const others = (left: number) => `… and ${left} more`

async function factsOf({ check, suite }: PlacedCheck, catalogue: Catalogue) {
  const { faults } = await import('../../fixtures/reference/faults/index.ts')
  const { requirements } = catalogue
  const requirement = requirements.find(({ id }) => id === check.requirement)
  const endpoint = endpointOf(check, suite)
  const declared = Object.values(needsOf(check))
  const needs = [...declared, ...(check.asks ?? []).map((name) => need(name))].flatMap((wanted) => {
    const name = needName(wanted)
    const whileRunning = !declared.includes(wanted)
    return name === undefined
      ? []
      : [
          {
            name,
            optional: wanted.optional ?? false,
            whileRunning,
            how: catalogue.howToGive(wanted),
          },
        ]
  })
  return {
    id: check.id,
    claim: `${endpointLabel(endpoint)} ${check.title}`,
    source: check.source?.(),
    level: check.level,
    requirement: {
      id: check.requirement,
      section: requirement?.section ?? endpoint.section,
      text: requirement?.text ?? '',
    },
    readings: readingsOf(check.id, [check.requirement], requirements).map(({ id, judged }) => ({
      id,
      judged,
    })),
    versions: check.versions ?? apiVersions,
    schedule: check.schedule ?? 'shared',
    writes: check.writes ?? false,
    accepted: {
      success: Object.keys(endpoint.success).map(Number),
      otherStatuses: endpoint.others,
    },
    needs,
    faults: faults
      .filter(({ breaks }) => breaks.includes(check.id))
      .map(({ id, story }) => ({ id, story })),
  }
}

type Facts = Awaited<ReturnType<typeof factsOf>>

/** The check as it passes on the reference server, in the newest of its versions. */
async function passing({ check, suite }: PlacedCheck, catalogue: Catalogue) {
  const { openSession } = await import('../run/judge/session.ts')
  const { judge } = await import('../run/judge/judge.ts')
  const apiVersion = newestOf(check.versions ?? apiVersions) ?? latestVersion
  const target = { ...defaults.target, reference: true }
  return withTarget(
    { ...defaults, catalogue, target, report: { ...defaults.report, bodies: 'all' } },
    async (config) => {
      const session = await openSession(config, apiVersion, { run: 'explain' })
      const record = await judge(check, suite, session).finally(() => session.release())
      return { record, exchanges: session.exchanges.records, baseUrl: config.target.baseUrl }
    },
  )
}

function checkLines({ source = 'unknown', ...check }: Facts, record: CheckRecord) {
  const statuses = [...check.accepted.success, ...check.accepted.otherStatuses]
  return [
    check.id,
    `  claim        ${check.claim}`,
    `  level        ${check.level}: ${check.level === 'must' ? 'a deviation fails' : 'a deviation warns'}`,
    `  requirement  ${check.requirement.id} (${check.requirement.section})`,
    `               ${check.requirement.text}`,
    ...check.readings.map(({ id, judged }) => `  ${`reading ${id}`.padEnd(13)}${judged}`),
    `  source       ${source}`,
    `  versions     ${check.versions.join(', ')}`,
    ...(check.writes ? ['  writes       the check changes data on the target'] : []),
    ...(statuses.length === 0
      ? []
      : [`  statuses     ${statuses.join(', ')} (listed for the endpoint)`]),
    ...check.needs.map(
      ({ name, optional, whileRunning, how }) =>
        `  needs        ${name}${optional ? ' (optional)' : ''}${whileRunning ? ' (asked for while it runs)' : ''}: ${how}`,
    ),
    ...(check.needs.length === 0 ? ['  needs        none'] : []),
    ...check.faults.map(({ id, story }) => `  catches      ${id}: ${story}`),
    `  example      ${record.outcome} on the embedded reference server, ${counted(record.subjects, 'subject')} examined.`,
    '               Set the variables to names of your server, and replace names in bodies.',
  ]
}

/** The first exchanges as commands for the target. Long commands are not wrapped, so that they can be copied. */
function exchangeLines(exchanges: readonly ExchangeRecord[], baseUrl: string, target: string) {
  const names = new Map<string, string[]>()
  const lines = exchanges.map((exchange) => {
    const { request, response } = exchange
    const path = request.url.startsWith(baseUrl)
      ? variablePath(exchange, request.url.slice(baseUrl.length), names)
      : undefined
    const command = curlOf(
      exchange,
      undefined,
      path === undefined ? undefined : `"${target}${path}"`,
    )
    return `${command}\n      → ${response.status}, ${counted(response.bodyBytes, 'byte')}`
  })
  return [...limited(lines, shownExchanges, others).map((line) => `    ${line}`), ''].join('\n')
}

/** A path with a shell variable for each parameter. A refused request keeps its names, which may be invented. `names` has the values by parameter. */
function variablePath(
  { endpoint, response }: ExchangeRecord,
  address: string,
  names: Map<string, string[]>,
) {
  const [path = '', query = ''] = address.split(/(?=\?)/)
  const template = endpoint.split('/')
  const steps = path.split('/').map((value, index) => {
    const [, parameter] = /^\{(\w+)\}$/.exec(template[index] ?? '') ?? []
    if (parameter === undefined || response.status >= 400) return value
    const values = remembered(names, parameter, () => [])
    if (!values.includes(value)) values.push(value)
    const number = values.indexOf(value) + 1
    return `$${parameter.toUpperCase()}${number === 1 ? '' : `_${number}`}`
  })
  return steps.join('/') + query
}

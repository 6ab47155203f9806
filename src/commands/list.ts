import type { Command } from '@commander-js/extra-typings'
import { howToGive, needCatalogue } from '../run/needs/need-catalogue.ts'
import { listedNeeds, needNames } from '../run/selection/listed-needs.ts'
import { allChecks, type PlacedCheck, select } from '../run/selection/selection.ts'
import { type Area, endpointLabel } from '../spec/endpoints.ts'
import { judgedBy, requirements } from '../spec/requirements.ts'
import { apiVersions } from '../spec/versions.ts'
import { endpointOf, type Suite, scheduleOf } from '../suite/check.ts'
import { counted } from '../text/format.ts'
import { renderTable, wrapped } from '../text/table.ts'
import type { CommandContext } from './common/context.ts'
import { example, shared } from './common/options.ts'
import { renderJson } from './common/output.ts'

/** The options of `list`. */
export interface ListOptions {
  area?: Area[] | undefined
  only?: string[] | undefined
  json?: boolean | undefined
}

/** One list: rows for programs, columns for people. */
interface List {
  readonly rows: readonly object[]
  readonly head: readonly string[]
  readonly cells: readonly (readonly string[])[]
  /** The meaning of the columns, where their heads are not enough. */
  readonly legend?: string
}

type Listing = (chosen: readonly PlacedCheck[], isWhole: boolean) => List | Promise<List>

const listings = {
  checks: listChecks,
  requirements: listRequirements,
  needs: listNeeds,
  faults: listFaults,
  variants: listVariants,
} satisfies Record<string, Listing>

/** The lists of the command. */
export type ListName = keyof typeof listings

/** `list`: the parts of the suite. */
export function define(command: Command, { suites, print }: CommandContext): void {
  command.addHelpText('after', example('service-conformance list needs --json'))
  for (const name of Object.keys(listings) as ListName[]) {
    command
      .command(name)
      .description(`list ${name}`)
      .addOption(shared.area())
      .addOption(shared.only())
      .addOption(shared.config())
      .addOption(shared.requirements())
      .addOption(shared.json())
      .addHelpText('after', example(`service-conformance list ${name} --area events --json`))
      .action(async (options) => print(await listCommand(name, options, await suites(options))))
  }
}

/** The text of a list. No request is sent. */
export async function listCommand(name: ListName, { area, only, json }: ListOptions, suites: readonly Suite[]): Promise<string> {
  const chosen = select(suites, { areas: area, only })
  const listing: Listing = listings[name]
  const { rows, head, cells, legend } = await listing(chosen, chosen.length === allChecks(suites).length)
  if (json) return renderJson(rows)
  return `${renderTable(head, cells)}${wrapped(`${cells.length} ${name}\n${legend === undefined ? '' : `${legend}\n`}`)}`
}

function listChecks(chosen: readonly PlacedCheck[]): List {
  const rows = chosen.map(({ check, suite }) => ({
    id: check.id,
    area: suite.area,
    endpoint: endpointLabel(endpointOf(check, suite)),
    section: endpointOf(check, suite).section,
    level: check.level,
    requirement: check.requirement,
    title: check.title,
    versions: check.versions ?? apiVersions,
    schedule: scheduleOf(check),
    writes: check.writes ?? false,
    needs: needNames(check),
  }))
  const cells = rows.map(({ id, level, endpoint, title }) => [id, level, endpoint, title])
  return { rows, head: ['check', 'level', 'endpoint', 'claim'], cells }
}

function listRequirements(chosen: readonly PlacedCheck[], isWhole: boolean): List {
  const rows = requirements
    .map((requirement) => ({
      ...requirement,
      checks: chosen.filter(({ check }) => judgedBy(requirement, check.id)).map(({ check }) => check.id),
    }))
    .filter(({ checks }) => isWhole || checks.length > 0)
  const cells = rows.map(({ id, level, checks, excluded, section, text }) => {
    const judged = excluded === undefined ? counted(checks.length, 'check') : 'excluded'
    return [id, level, judged, section, excluded === undefined ? text : `${text} [excluded: ${excluded}]`]
  })
  return { rows, head: ['requirement', 'level', 'judged by', 'section', 'text'], cells }
}

function listNeeds(chosen: readonly PlacedCheck[], isWhole: boolean): List {
  const uses = new Map(listedNeeds(chosen).map((need) => [need.name, need]))
  const configured = [...uses.keys()].filter((name) => !needCatalogue.has(name)).map(configuredNeed)
  const rows = [...needCatalogue.values(), ...configured]
    .filter(({ name }) => isWhole || uses.has(name))
    .map((need) => {
      const { checks = [], perVersion = {} as Record<string, number> } = uses.get(need.name) ?? {}
      return {
        ...need,
        checks,
        perVersion: Object.fromEntries(apiVersions.map((version) => [version, perVersion[version] ?? 0])),
      }
    })
  return {
    rows,
    legend:
      'Below a version: the number of its checks that ask for the need; of a consumable, the number that is used up. A "?" marks an optional member.',
    head: ['need', 'kind', ...apiVersions, 'with', 'given', 'description'],
    cells: rows.map(({ name, kind, perVersion, description, ...need }) => [
      name,
      kind,
      ...Object.values(perVersion).map(String),
      membersOf(need.with),
      membersOf(need.given),
      description,
    ]),
  }
}

/** A need that only the configuration provides, such as a token of a role. */
function configuredNeed(name: string) {
  return { name, kind: 'configured', description: 'From the configuration only.', how: howToGive(name), with: {}, given: {} }
}

/** The members of a form, in its order; optional ones have a question mark. */
function membersOf(form: object): string {
  const { properties = {}, required = [] } = form as { properties?: object; required?: string[] }
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
  return names.join(', ') || '-'
}

async function listFaults(chosen: readonly PlacedCheck[]): Promise<List> {
  const { faults } = await import('../../fixtures/reference/faults/index.ts')
  const ids = new Set(chosen.map(({ check }) => check.id))
  const rows = faults
    .filter(({ breaks }) => breaks.some((id) => ids.has(id)))
    .map(({ id, story, endpoints, versions, breaks }) => ({ id, story, endpoints, versions: versions ?? apiVersions, breaks }))
  const cells = rows.map(({ id, story, breaks }) => [id, story, breaks.join(', ')])
  return { rows, head: ['fault', 'effect', 'breaks'], cells }
}

async function listVariants(): Promise<List> {
  const { allVariants } = await import('../../fixtures/reference/variants/index.ts')
  const rows = allVariants.map(({ id, story, endpoints, versions = apiVersions, areas }) => ({
    id,
    story,
    endpoints,
    versions,
    areas,
  }))
  return { rows, head: ['variant', 'effect'], cells: rows.map(({ id, story }) => [id, story]) }
}

import { howToGive, needCatalogue } from '../../run/needs/need-catalogue.ts'
import { askedNeeds, needNames } from '../../run/selection/asked-needs.ts'
import { allChecks, type PlacedCheck, select } from '../../run/selection/selection.ts'
import { type Area, endpointLabel } from '../../spec/endpoints.ts'
import { judgedBy, requirements } from '../../spec/requirements.ts'
import { apiVersions } from '../../spec/versions.ts'
import { endpointOf, type Suite, scheduleOf } from '../../suite/check.ts'
import { counted } from '../../text/format.ts'
import { renderJson, renderTable } from './table.ts'

/** The options of `list`. */
export interface ListOptions {
  area?: Area[] | undefined
  only?: string[] | undefined
  json?: boolean | undefined
}

/** What can be listed. */
export type ListName = 'checks' | 'requirements' | 'needs' | 'faults' | 'variants'

/** One list: rows for programs, columns for people. */
interface List {
  readonly rows: readonly object[]
  readonly head: readonly string[]
  readonly cells: readonly (readonly string[])[]
  /** What the columns mean, where their heads do not say it. */
  readonly legend?: string
}

const listings: Readonly<Record<ListName, (chosen: readonly PlacedCheck[], suites: readonly Suite[]) => List | Promise<List>>> = {
  checks: listChecks,
  requirements: listRequirements,
  needs: listNeeds,
  faults: listFaults,
  variants: listVariants,
}

/** Prints a list without sending a request. */
export async function listCommand(name: ListName, { area, only, json }: ListOptions, suites: readonly Suite[]): Promise<string> {
  const chosen = select(suites, { areas: area, only })
  const { rows, head, cells, legend } = await listings[name](chosen, suites)
  return json
    ? renderJson(rows)
    : `${renderTable(head, cells)}${cells.length} ${name}\n${legend === undefined ? '' : `${legend}\n`}`
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
  return {
    rows,
    head: ['check', 'level', 'endpoint', 'claim'],
    cells: rows.map(({ id, level, endpoint, title }) => [id, level, endpoint, title]),
  }
}

function listRequirements(chosen: readonly PlacedCheck[], suites: readonly Suite[]): List {
  const whole = chosen.length === allChecks(suites).length
  const rows = requirements
    .map((requirement) => ({
      ...requirement,
      checks: chosen.filter(({ check }) => judgedBy(requirement, check.id)).map(({ check }) => check.id),
    }))
    .filter(({ checks }) => whole || checks.length > 0)
  return {
    rows,
    head: ['requirement', 'level', 'judged by', 'section', 'text'],
    cells: rows.map(({ id, level, checks, excluded, section, text }) => {
      const judged = excluded === undefined ? counted(checks.length, 'check') : 'excluded'
      return [id, level, judged, section, excluded === undefined ? text : `${text} [excluded: ${excluded}]`]
    }),
  }
}

function listNeeds(chosen: readonly PlacedCheck[], suites: readonly Suite[]): List {
  const asked = new Map(askedNeeds(chosen).map((need) => [need.name, need]))
  const isAsked = ({ name }: ListedNeed) => chosen.length === allChecks(suites).length || asked.has(name)
  const rows = [...cataloguedNeeds(), ...configuredNeeds([...asked.keys()])].filter(isAsked).map((need) => ({
    ...need,
    checks: asked.get(need.name)?.checks ?? [],
    perVersion: asked.get(need.name)?.perVersion ?? Object.fromEntries(apiVersions.map((version) => [version, 0])),
  }))
  return {
    rows,
    legend:
      'Below a version: how many of its checks ask for the need; of a consumable, how many are used up. A "?" marks what may be left out.',
    head: ['need', 'kind', ...apiVersions, 'with', 'given', 'what it is'],
    cells: rows.map((need) => [
      need.name,
      need.kind,
      ...apiVersions.map((version) => String((need.perVersion as Record<string, number>)[version])),
      membersOf(need.with),
      membersOf(need.given),
      need.description,
    ]),
  }
}

/** What `list needs` says of a need, whoever asks for it. */
interface ListedNeed {
  readonly name: string
  readonly kind: string
  readonly description: string
  readonly how: string
  readonly with: object
  readonly given: object
}

function cataloguedNeeds(): ListedNeed[] {
  return [...needCatalogue.values()]
}

/** The needs that only a configuration can give, such as a token of a role. */
function configuredNeeds(names: readonly string[]): ListedNeed[] {
  return names
    .filter((name) => !needCatalogue.has(name))
    .map((name) => ({
      name,
      kind: 'configured',
      description: 'Given by the configuration alone.',
      how: howToGive(name),
      with: {},
      given: {},
    }))
}

/** The members of a form, in its order; optional ones carry a question mark. */
function membersOf(form: object): string {
  const { properties = {}, required = [] } = form as { properties?: object; required?: string[] }
  return (
    Object.keys(properties)
      .map((name) => (required.includes(name) ? name : `${name}?`))
      .join(', ') || '-'
  )
}

async function listFaults(chosen: readonly PlacedCheck[]): Promise<List> {
  const { faults } = await import('../../../fixtures/reference/faults/index.ts')
  const ids = new Set(chosen.map(({ check }) => check.id))
  const rows = faults
    .filter(({ breaks }) => breaks.some((id) => ids.has(id)))
    .map(({ id, story, endpoints, versions, breaks }) => ({ id, story, endpoints, versions: versions ?? apiVersions, breaks }))
  return {
    rows,
    head: ['fault', 'what it does', 'breaks'],
    cells: rows.map(({ id, story, breaks }) => [id, story, breaks.join(', ')]),
  }
}

async function listVariants(): Promise<List> {
  const { variants } = await import('../../../fixtures/reference/variants/index.ts')
  const rows = variants.map(({ id, story, endpoints, versions, areas }) => ({
    id,
    story,
    endpoints,
    versions: versions ?? apiVersions,
    areas,
  }))
  return { rows, head: ['variant', 'what it does'], cells: rows.map(({ id, story }) => [id, story]) }
}

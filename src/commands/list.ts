import { type Command, Option } from '@commander-js/extra-typings'
import { factsOf } from '../run/judge/judge.ts'
import { problemWith } from '../run/needs/given-values.ts'
import { listedNeeds, namedNeeds } from '../run/selection/listed-needs.ts'
import { allChecks, type PlacedCheck, select } from '../run/selection/selection.ts'
import { judgedBy } from '../spec/requirements.ts'
import { apiVersions } from '../spec/versions.ts'
import { type Catalogue, memberList } from '../suite/catalogue.ts'
import { UsageError } from '../text/errors.ts'
import { counted } from '../text/format.ts'
import { renderTable, wrapped } from '../text/table.ts'
import { type CommandContext, example, renderJson, shared } from './common/command.ts'

/** One list: rows for programs, columns for people. */
interface List {
  readonly rows: readonly object[]
  readonly head: readonly string[]
  readonly cells: readonly (readonly string[])[]
  /** The meaning of columns whose heads do not state it. */
  readonly legend?: string
}

/** Makes a list about the chosen checks; `isWhole` if all are chosen. */
type Listing = (
  chosen: readonly PlacedCheck[],
  isWhole: boolean,
  catalogue: Catalogue,
) => List | Promise<List>

const listings: Readonly<Record<string, Listing>> = {
  checks: listChecks,
  requirements: listRequirements,
  needs: listNeeds,
  faults: listFaults,
  variants: listVariants,
}

/** `list`: the parts of the suite. No request is sent. */
export function define(command: Command, { catalogue, print }: CommandContext) {
  command.addHelpText('after', example('list needs --json'))
  for (const [name, listing] of Object.entries(listings)) {
    const under = command.command(name)
    if (name === 'needs')
      under.addOption(
        new Option('--example <need>', 'print a value of this need for the configuration'),
      )
    under
      .description(`list ${name}`)
      .addOption(shared.area())
      .addOption(shared.only())
      .addOption(shared.config())
      .addOption(shared.requirements())
      .addOption(shared.json())
      .addHelpText('after', example(`list ${name} --area events --json`))
      .action(async ({ area, only, json, ...options }) => {
        const known = await catalogue(options)
        const chosen = select(known.suites, { areas: area, only })
        const { example: wanted } = under.opts() as { example?: string }
        if (wanted !== undefined) return print(await exampleOf(wanted, chosen, known))
        const { rows, head, cells, legend } = await listing(
          chosen,
          chosen.length === allChecks(known.suites).length,
          known,
        )
        const text =
          renderTable(head, cells) +
          wrapped([counted(cells.length, name.slice(0, -1)), ...(legend ? [legend] : [])])
        print(json ? renderJson(rows) : text)
      })
  }
}

function listChecks(chosen: readonly PlacedCheck[]) {
  const rows = chosen.map(({ check, suite }) => {
    const {
      requirements: [requirement],
      ...facts
    } = factsOf(check, suite)
    return {
      ...facts,
      requirement,
      versions: check.versions ?? apiVersions,
      schedule: check.schedule ?? 'shared',
      writes: check.writes ?? false,
      needs: [...new Set(namedNeeds(check).map(({ name }) => name))],
    }
  })
  const cells = rows.map(({ id, level, endpoint, title }) => [id, level, endpoint, title])
  return { rows, head: ['check', 'level', 'endpoint', 'claim'], cells }
}

function listRequirements(
  chosen: readonly PlacedCheck[],
  isWhole: boolean,
  { requirements }: Catalogue,
) {
  const ids = chosen.map(({ check }) => check.id)
  const rows = requirements
    .map((requirement) => ({
      ...requirement,
      checks: ids.filter((id) => judgedBy(requirement, id)),
    }))
    .filter(({ checks }) => isWhole || checks.length > 0)
  const cells = rows.map(({ id, level, checks, excluded, section, text, kinds = [] }) => {
    const note = excluded === undefined ? kinds.join(', ') : `excluded: ${excluded}`
    return [id, level, counted(checks.length, 'check'), section, text, note]
  })
  return { rows, head: ['requirement', 'level', 'judged by', 'section', 'text', 'kinds'], cells }
}

function listNeeds(chosen: readonly PlacedCheck[], isWhole: boolean, catalogue: Catalogue) {
  const uses = new Map(listedNeeds(chosen, catalogue).map((need) => [need.name, need]))
  const description = 'From the configuration only.'
  const configured = [...uses.values()]
    .filter(({ name }) => !catalogue.needs.has(name))
    .map(({ name, wanted }) => ({
      name,
      kind: 'configured',
      description,
      how: catalogue.howToGive(wanted),
      with: {},
      given: {},
    }))
  const rows = [...catalogue.needs.values(), ...configured]
    .filter(({ name }) => isWhole || uses.has(name))
    .map((need) => {
      const { checks = [], perVersion = { '2022-11-28': 0, '2026-03-10': 0 } } =
        uses.get(need.name) ?? {}
      return { ...need, checks, perVersion }
    })
  return {
    rows,
    legend:
      'The number of a version: its checks that ask for the need; of a consumable, how many are used up. A "?" marks an optional member.',
    head: ['need', 'kind', ...apiVersions, 'with', 'given', 'description'],
    cells: rows.map(({ name, kind, perVersion, description, ...need }) => [
      ...[name, kind, ...apiVersions.map((version) => String(perVersion[version]))],
      ...[memberList(need.with), memberList(need.given), description],
    ]),
  }
}

/** The example of a need's schema as YAML for the configuration, or a line about a setting. Throws {@link UsageError} for an unknown need and for an action. */
async function exampleOf(name: string, chosen: readonly PlacedCheck[], catalogue: Catalogue) {
  const uses = listedNeeds(chosen, catalogue).find((need) => need.name === name)
  if (uses && !catalogue.needs.has(name))
    return `# To give ${name}: ${catalogue.howToGive(uses.wanted)}.\n`
  const { kind, description, how, examples } = catalogue.needOf(name)
  const [sample] = examples
  if (kind === 'action')
    throw new UsageError(
      `the need "${name}" is an action, which only a provider can supply: docs/provider.md`,
    )
  if (!sample) throw new UsageError(`the schema of the need "${name}" has no example`)
  const { stringify } = await import('yaml')
  const whole = { ...sample.with, ...sample.given }
  const value = problemWith(name, whole, catalogue) === undefined ? whole : sample.given
  const most = Math.max(0, ...Object.values(uses?.perVersion ?? {}))
  const notes = [description, ...(catalogue.isUsual(name, how) ? [] : [`To give it: ${how}.`])]
  if (kind === 'consumable' && most > 0) {
    const run = 'restore' in whole ? 'Without restore, a whole run' : 'A whole run'
    notes.push(`${run} uses up ${most} in each version: list as many, or let a provider make them.`)
  }
  const token = { tokens: [{ ...sample.with, secret: '${TOKEN}' }] }
  const yaml = stringify(
    name === 'token' ? token : { needs: { [name]: kind === 'consumable' ? [value] : value } },
  )
  return `${notes.map((note) => `# ${note}\n`).join('')}${yaml}`
}

async function listFaults(chosen: readonly PlacedCheck[]) {
  const { faults } = await import('../../fixtures/reference/faults/index.ts')
  const ids = new Set(chosen.map(({ check }) => check.id))
  const rows = faults
    .filter(({ breaks }) => breaks.some((id) => ids.has(id)))
    .map(({ id, story, endpoints, versions = apiVersions, breaks }) => ({
      id,
      story,
      endpoints,
      versions,
      breaks,
    }))
  const cells = rows.map(({ id, story, breaks }) => [id, story, breaks.join(', ')])
  return { rows, head: ['fault', 'effect', 'breaks'], cells }
}

async function listVariants() {
  const { allVariants: all } = await import('../../fixtures/reference/variants/index.ts')
  // JSON leaves out the functions that change the server.
  const rows = all.map((variant) => ({ versions: apiVersions, ...variant }))
  return { rows, head: ['variant', 'effect'], cells: rows.map(({ id, story }) => [id, story]) }
}

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from '../../config/config.ts'
import { keepReadable } from '../../http/redaction/own-words.ts'
import { packageRoot, suiteIdentity } from '../../package/root.ts'
import { readSchema } from '../../package/schemas.ts'
import { areas, endpointLabel, endpoints } from '../../spec/endpoints.ts'
import { permissionRows } from '../../spec/permissions/permissions.ts'
import type { Level } from '../../spec/requirements.ts'
import { Catalogue } from '../../suite/catalogue.ts'
import { type Check, needsOf, type Suite } from '../../suite/check.ts'
import { groupBy } from '../../text/data.ts'
import { didYouMean, messageOf, UsageError } from '../../text/errors.ts'

const schemaEnding = '.schema.json'

/**
 * The suites of a configuration: the built-in ones, then its own (`suites`), with the schemas and the needs beside them.
 * If `requirements` names a release, the built-in ones are those of that release.
 * Throws {@link UsageError} for a file that cannot be loaded and for a suite that breaks the rules of docs/guides/author.md.
 */
export async function loadSuites(
  config: Pick<Config, 'suites' | 'requirements'>,
  builtIn: readonly Suite[],
) {
  const catalogue = new Catalogue(
    config.requirements === undefined ? builtIn : frozenSuites(builtIn, config.requirements),
  )
  const files = config.suites ?? []
  for (const folder of new Set(files.map(dirname))) {
    for (const [name, file] of schemasIn(folder))
      describe(file, (schema) => catalogue.addSchema(name, schema))
    for (const [name, file] of schemasIn(join(folder, 'needs')))
      describe(file, (schema) => catalogue.addNeed(name, checkedNeed(schema)))
  }
  const own: Suite[] = []
  for (const file of files) own.push(...(await addSuites(file, catalogue)))
  const ids = own.flatMap(({ checks }) => checks.map(({ id }) => id))
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined)
    throw new UsageError(`two checks of your own suites have the id "${twice}"`)
  keepReadable(ownText(catalogue.suites))
  return catalogue
}

/** The words of reports that secrets must not hide: ids and titles of the checks, endpoints, and names of members. */
function ownText(suites: readonly Suite[]) {
  const checks = new Set(
    suites.flatMap(({ checks }) =>
      checks.flatMap(({ id, title, requirement }) => [id, title, requirement]),
    ),
  )
  const names = ['run', 'report'].map((name) => JSON.stringify(readSchema(name)))
  return [
    ...checks,
    ...permissionRows.map(endpointLabel),
    ...Object.values(endpoints).map(endpointLabel),
    ...names,
  ].join('\n')
}

function schemasIn(folder: string): [name: string, file: string][] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((file) => file.endsWith(schemaEnding))
  return files.sort().map((file) => [file.slice(0, -schemaEnding.length), join(folder, file)])
}

function describe(file: string, add: (schema: Record<string, unknown>) => void) {
  try {
    add(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new UsageError(`${file} is no usable schema: ${messageOf(error)}`)
  }
}

function checkedNeed(schema: Record<string, unknown>) {
  const { kind, description, properties } = schema
  const complete =
    typeof description === 'string' && typeof properties === 'object' && properties !== null
  if (complete && ['value', 'consumable', 'action'].includes(String(kind)) && 'given' in properties)
    return schema
  throw new Error(
    'a need has "description", "kind" (value, consumable or action) and the property "given"',
  )
}

/** Adds the suites of a file to a catalogue, and returns them. */
async function addSuites(file: string, catalogue: Catalogue): Promise<Suite[]> {
  const exported: unknown = await importDefault(file)
  const suites = [exported].flat()
  if (suites.length === 0 || !suites.every(isSuite))
    throw new UsageError(
      `${file}: its default export is no suite and no list; suite({ area, endpoint, checks }) makes one`,
    )
  for (const suite of suites) catalogue.addSuite(suite)
  for (const { checks } of suites) {
    for (const check of checks) checkOwn(check, file, catalogue)
  }
  return suites
}

async function importDefault(file: string) {
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)).default
  } catch (error) {
    const untyped = (error as { code?: string } | null)?.code === 'ERR_UNKNOWN_FILE_EXTENSION'
    const why = untyped
      ? `Node ${process.versions.node} runs no TypeScript; use Node 22.18 or newer, or a compiled .js file`
      : messageOf(error)
    throw new UsageError(`the suite ${file} cannot be loaded: ${why}`)
  }
}

function isSuite(value: unknown): value is Suite {
  const { area, endpoint, checks } = (value ?? {}) as Partial<Suite>
  return (
    areas.some((known) => known === area) && typeof endpoint === 'object' && Array.isArray(checks)
  )
}

/** Validates own checks: their ids are not those of built-in checks, and their requirements and needs exist. */
function checkOwn(check: Check, file: string, { requirements, needs }: Catalogue) {
  const refuse = (text: string) => {
    throw new UsageError(`${basename(file)}: the check "${check.id}" ${text}`)
  }
  if (!/^own\.[a-z0-9-]+\.[a-z0-9-]+$/.test(check.id))
    refuse('needs an id of the form own.operation.aspect')
  const ids = requirements.map(({ id }) => id)
  if (!ids.includes(check.requirement))
    refuse(
      `names the requirement "${check.requirement}", which does not exist${didYouMean(check.requirement, ids)}`,
    )
  for (const need of Object.values(needsOf(check))) {
    if (need.type !== 'need' || needs.has(need.name)) continue
    const hint = didYouMean(need.name, [...needs.keys()])
    refuse(
      `needs "${need.name}", which has no schema${hint}; describe it in needs/${need.name}${schemaEnding}`,
    )
  }
}

/** The checks of a release by the first two parts of their ids, with the level that they had: `events.public` → `must` → `status`. */
export type FrozenChecks = Readonly<
  Record<string, Readonly<Partial<Record<Level, readonly string[]>>>>
>

const folder = join(packageRoot, 'src', 'spec', 'releases')

/** The release that this package is: the first two numbers of its version. */
export const currentRelease: string = suiteIdentity.version.split('.').slice(0, 2).join('.')

/** Every release whose requirements can be judged, oldest first. */
export function knownReleases() {
  const frozen = existsSync(folder)
    ? readdirSync(folder).filter((file) => file.endsWith('.json'))
    : []
  const releases = new Set([...frozen.map((file) => file.replace(/\.json$/, '')), currentRelease])
  return [...releases].sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
}

/** The built-in suites as they were in a release. Throws {@link UsageError} for an unknown release. */
export function frozenSuites(suites: readonly Suite[], release: string): readonly Suite[] {
  const known = knownReleases()
  const accepted = `${didYouMean(release, known)}; accepted: ${known.join(', ')}`
  if (!known.includes(release))
    throw new UsageError(`there is no release ${release} of the requirements${accepted}`)
  if (release === currentRelease) return suites
  return suitesAsOf(
    JSON.parse(readFileSync(join(folder, `${release}.json`), 'utf8')) as FrozenChecks,
    suites,
  )
}

/** Only the checks of a release, each with its level in that release. */
export function suitesAsOf(frozen: FrozenChecks, suites: readonly Suite[]): Suite[] {
  const levelThen = ({ id }: Check) => {
    const { operation, aspect } = partsOf(id)
    return (['must', 'should'] as const).find((level) =>
      frozen[operation]?.[level]?.includes(aspect),
    )
  }
  return suites
    .map((suite) => ({
      ...suite,
      checks: suite.checks.flatMap((check) => {
        const level = levelThen(check)
        return level === undefined ? [] : [{ ...check, level }]
      }),
    }))
    .filter(({ checks }) => checks.length > 0)
}

/** The content of `src/spec/releases/<release>.json` for these suites. */
export function freeze(suites: readonly Suite[]): FrozenChecks {
  const checks = suites.flatMap((suite) =>
    suite.checks.map(({ id, level }) => ({ ...partsOf(id), level })),
  )
  const byOperation = groupBy(checks, ({ operation }) => operation)
  const frozen = [...byOperation].map(([operation, same]) => {
    const byLevel = [...groupBy(same, ({ level }) => level)]
    const aspects = byLevel.map(([level, placed]) => [level, placed.map(({ aspect }) => aspect)])
    return [operation, Object.fromEntries(aspects)]
  })
  return Object.fromEntries(frozen)
}

function partsOf(id: string) {
  const end = id.lastIndexOf('.')
  return { operation: id.slice(0, end), aspect: id.slice(end + 1) }
}

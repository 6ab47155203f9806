import { createHash } from 'node:crypto'
import type { Config, ReachableConfig } from '../../config/config.ts'
import type { BudgetTimes } from '../../http/transport/time/budget.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { SelectionRecord, ShardRecord } from '../../record/run-record.ts'
import { type Area, areas, endpointLabel } from '../../spec/endpoints.ts'
import { type ApiVersion, apiVersions, latestVersion, newestOf } from '../../spec/versions.ts'
import { type Check, endpointOf, isAcross, type Suite, touchesOf } from '../../suite/check.ts'
import { groupBy, sumOf } from '../../text/data.ts'
import { didYouMean, UsageError } from '../../text/errors.ts'

/** A check together with its suite. */
export interface PlacedCheck {
  readonly check: Check
  readonly suite: Suite
}

/** One of several parts of a selection; `index` counts from 1. */
export type Shard = Readonly<Pick<ShardRecord, 'index' | 'of'>>

/** The options that choose the checks of a run. */
export interface SelectionOptions {
  /** Judges only these areas. Without this option: those of the configuration. */
  readonly areas?: readonly Area[] | undefined
  /** Judges only checks whose id matches one of these globs, or begins with it (`events.public`, `events.*.etag`). */
  readonly only?: readonly string[] | undefined
  /** `smoke`: one served page of each endpoint, without changes of data. */
  readonly profile?: 'smoke' | undefined
  /** Every `of`-th check, beginning with the `index`-th. */
  readonly shard?: Shard | undefined
}

/** Every check with its suite, in the document's order. @internal */
export function allChecks(suites: readonly Suite[]) {
  return suites.flatMap((suite) => suite.checks.map((check) => ({ check, suite })))
}

/** The check with this id. Otherwise throws {@link UsageError}, which suggests the nearest id. @internal */
export function findCheck(suites: readonly Suite[], id: string) {
  const all = allChecks(suites)
  const found = all.find(({ check }) => check.id === id)
  if (found) return found
  const ids = all.map(({ check }) => check.id)
  throw new UsageError(
    `there is no check "${id}"${didYouMean(id, ids)}; "npx service-conformance list checks" shows them all`,
  )
}

/** The selected checks, in the document's order. Throws {@link UsageError} if a glob or the whole selection selects none. @internal */
export function select(suites: readonly Suite[], options: SelectionOptions) {
  const inAreas = allChecks(suites).filter(
    ({ suite }) => options.areas?.includes(suite.area) ?? true,
  )
  const patterns = (options.only ?? []).map((glob) => ({ glob, pattern: patternOf(glob) }))
  for (const { glob, pattern } of patterns) {
    const isIn = (placed: readonly PlacedCheck[]) =>
      placed.some(({ check }) => pattern.test(check.id))
    if (!isIn(inAreas)) throw noMatch(glob, inAreas, isIn(allChecks(suites)))
  }
  const isNamed = ({ check }: PlacedCheck) =>
    patterns.length === 0 || patterns.some(({ pattern }) => pattern.test(check.id))
  const named = inAreas.filter(isNamed)
  const chosen = options.profile === 'smoke' ? smokeChecks(named) : named
  const part = options.shard ? shardOf(chosen, options.shard) : chosen
  if (part.length === 0)
    throw new UsageError(
      'the selection contains no check; "npx service-conformance list checks" shows all checks',
    )
  return part
}

/** For each endpoint outside the permission matrix, the first check that only reads and requests no test data while it runs. */
function smokeChecks(placed: readonly PlacedCheck[]) {
  const isPlain = ({ level, writes, schedule, asks, matrix }: Check) =>
    level === 'must' && !writes && !schedule && !asks && !matrix
  const plain = placed.filter(({ check, suite }) => suite.area !== 'permissions' && isPlain(check))
  const byEndpoint = groupBy(plain, ({ check, suite }) => endpointLabel(endpointOf(check, suite)))
  return [...byEndpoint.values()].map(([first]) => first as PlacedCheck)
}

/** The pattern of a glob: `**` is any text, `*` any text without a dot. */
function patternOf(glob: string) {
  const sourceOf = (part: string) => {
    if (part === '**') return '.*'
    return part === '*' ? '[^.]*' : part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&')
  }
  const source = glob.split(/(\*\*|\*)/).map(sourceOf)
  return new RegExp(`^${source.join('')}(\\..*)?$`)
}

function noMatch(glob: string, checks: readonly PlacedCheck[], isElsewhere: boolean) {
  const names = new Set(
    checks.flatMap(({ check }) => [check.id, check.id.split('.').slice(0, 2).join('.')]),
  )
  const slip = isElsewhere
    ? ' in the selected areas'
    : didYouMean(glob.trim().toLowerCase(), [...names])
  return new UsageError(
    `--only "${glob}" selects no check${slip}; "npx service-conformance list checks" shows them all`,
  )
}

/** The checks of one shard, in order. Checks that exclude each other stay together, and the parts cost about the same. @internal */
export function shardOf(placed: readonly PlacedCheck[], { index, of }: Shard) {
  // About how many requests the checks send.
  const costOf = ({ check: { slow, writes } }: PlacedCheck) => (slow ? 12 : writes ? 4 : 2)
  const units = [...groupBy(placed, unitOf).values()].map((checks) => ({
    checks,
    cost: sumOf(checks, costOf),
  }))
  const parts = Array.from({ length: of }, () => ({ cost: 0, checks: new Set<PlacedCheck>() }))
  for (const { checks, cost } of units.sort((a, b) => b.cost - a.cost)) {
    const lightest = parts.reduce((a, b) => (b.cost < a.cost ? b : a))
    lightest.cost += cost
    for (const check of checks) lightest.checks.add(check)
  }
  return placed.filter((each) => parts[index - 1]?.checks.has(each))
}

/** The shard in `run.json`, so that only shards of one selection are merged. @internal */
export function shardRecord(whole: readonly PlacedCheck[], { index, of }: Shard) {
  const ids = whole.map(({ check }) => check.id).join('\n')
  return { index, of, selection: createHash('sha256').update(ids).digest('hex').slice(0, 16) }
}

/** The unit of a check: the inbox, the migrations, or the objects of a category; any other check is a unit by itself. */
function unitOf(placed: PlacedCheck) {
  const { check, suite } = placed
  const [touch] = touchesOf(check, suite)
  const [whole = '', ...part] = touch?.what.split('/') ?? []
  if (whole === 'inbox' || whole === 'migrations') return whole
  if (part.length > 0 || touch?.how !== 'keeps') return touch?.what
  return placed
}

/** The options that choose a part of the checks. */
export interface SelectionWords extends Pick<SelectionOptions, 'only' | 'profile' | 'shard'> {
  readonly failed?: string | true | undefined
  readonly apiVersion?: readonly string[] | undefined
  readonly readOnly?: boolean | undefined
}

type Choice = Pick<Config, 'areas' | 'versions' | 'claims'>

/** The extent of a selection, with the options that chose it; undefined for the whole suite. A check counts once for each version. */
export function selectionRecord(
  selection: readonly PlacedCheck[],
  config: Choice,
  words: SelectionWords,
  suites: readonly Suite[],
): SelectionRecord | undefined {
  const selected = applicable(selection, config, words.readOnly)
  const of = applicable(
    allChecks(suites),
    words.apiVersion ? { ...config, versions: [...apiVersions] } : config,
  )
  return selected >= of ? undefined : { by: namesOf(config, words), selected, of }
}

function applicable(...choice: Parameters<typeof countApplicable>) {
  return sumOf([...countApplicable(...choice).values()], (count) => count)
}

/** The number of checks in each lane that apply to the target, as the records count them. @internal */
export function countApplicable(
  placed: readonly PlacedCheck[],
  { versions, claims }: Pick<Choice, 'versions' | 'claims'>,
  readOnly = false,
): Map<LaneName, number> {
  const isChosen = ({ check, suite }: PlacedCheck) =>
    !claims.except.includes(endpointLabel(endpointOf(check, suite))) && !(readOnly && check.writes)
  const isIn = (lane: LaneName, { check }: PlacedCheck) =>
    lane === 'across' || (check.versions?.includes(lane) ?? true)
  const lanes = lanesOf(versions, placed.filter(isChosen))
  return new Map(
    lanes.map(({ lane, placed: own }) => [lane, own.filter((each) => isIn(lane, each)).length]),
  )
}

function namesOf(
  config: Choice,
  { only = [], failed, apiVersion = [], profile, readOnly, shard }: SelectionWords,
) {
  return [
    ...only.map((glob) => `--only ${glob}`),
    ...(failed ? ['--failed'] : []),
    ...(areas.every((area) => config.areas.includes(area))
      ? []
      : [`areas: ${config.areas.join(', ')}`]),
    ...apiVersion.map((version) => `--api-version ${version}`),
    ...(profile === undefined ? [] : [`--profile ${profile}`]),
    ...(readOnly ? ['--read-only'] : []),
    ...(shard ? [`--shard ${shard.index}/${shard.of}`] : []),
  ]
}

/** One lane of a run. */
export interface LanePlan {
  readonly lane: LaneName
  /** The version that requests name unless they name another. */
  readonly apiVersion: ApiVersion
  /** The checks to judge, in order. */
  readonly placed: readonly PlacedCheck[]
}

/** The settings of a run. */
export interface RunPlan {
  readonly config: ReachableConfig
  /** Identifies the run towards the provider. */
  readonly run: string
  /** Seed of the property checks and of the order. */
  readonly seed: number
  readonly readOnly: boolean
  /** Only the first judgement: suspicions are not confirmed. */
  readonly isQuick: boolean
  /** Ends the beginning of first judgements. Those that have begun end, and suspicions are confirmed. */
  readonly enough?: AbortSignal | undefined
  /** The most requests of each lane. */
  readonly maxRequests?: number | undefined
  /** The clock of the waits, the begin and the longest duration. */
  readonly time: BudgetTimes
  readonly lanes: readonly LanePlan[]
}

/** One lane for each version, and one for the checks that compare versions. Its requests name the newest version unless they state another. */
export function lanesOf(
  versions: readonly ApiVersion[],
  selection: readonly PlacedCheck[],
): LanePlan[] {
  const { perVersion, across } = splitSelection(selection, versions)
  const own = versions.map((apiVersion) => ({ lane: apiVersion, apiVersion, placed: perVersion }))
  if (across.length === 0) return own
  return [
    ...own,
    { lane: 'across', apiVersion: newestOf(versions) ?? latestVersion, placed: across },
  ]
}

/** A selection in two parts: the checks of each version, and the checks across them, which need more than one version. */
export function splitSelection(selection: readonly PlacedCheck[], versions: readonly string[]) {
  const across = versions.length > 1 ? selection.filter(({ check }) => isAcross(check)) : []
  return { perVersion: selection.filter(({ check }) => !isAcross(check)), across }
}

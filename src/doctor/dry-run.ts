import type { ReachableConfig } from '../config/config.ts'
import type { LaneName } from '../record/lane-name.ts'
import { inRunningOrder } from '../run/engine/scheduler.ts'
import { notApplicable } from '../run/judge/judge.ts'
import { openSession, type Session } from '../run/judge/session.ts'
import { needCatalogue } from '../run/needs/need-catalogue.ts'
import { splitSelection } from '../run/selection/cross-version.ts'
import type { PlacedCheck } from '../run/selection/selection.ts'
import type { Area } from '../spec/endpoints.ts'
import type { Level } from '../spec/requirements.ts'
import { latestVersion, newestOf } from '../spec/versions.ts'
import { type Check, needsOf } from '../suite/check.ts'
import { Deviation } from '../suite/deviation.ts'
import type { Touch } from '../suite/touch.ts'
import { touchesOf } from '../suite/touches.ts'
import { type MissingNeed, nothingToExamine, Untested } from '../suite/untested.ts'
import { type DryTrace, dryContext } from './dry-context.ts'
import { type DryProviding, DryStop, dryProvider } from './dry-provider.ts'

/** What a run would make of a check, as far as that is decided before it sends its first request. */
export interface DryCheck {
  readonly lane: LaneName
  readonly id: string
  readonly area: Area
  readonly level: Level
  readonly state: 'judged' | 'untested' | 'inapplicable'
  readonly detail: string
  readonly missing: readonly MissingNeed[]
  /** The check went to its end on what the target returned; otherwise it would change, wait for or ask for something next. */
  readonly decided: boolean
  /** It would change something that nobody gave: a target that tells unknown objects to nobody leaves it untested then. */
  readonly doubtful: boolean
  /** Needs that only the provider can confirm, and that are taken for granted. */
  readonly assumed: readonly string[]
}

/** How a dry run goes about it. */
export interface DryOptions {
  readonly providing?: DryProviding
  readonly readOnly?: boolean
  /** How many reads each lane may send to the target; none unless given. */
  readonly reads?: number
}

/**
 * Goes through a selection as a run would: resolves every check's needs in the order of a run and lets it begin, up to its first request.
 * With `reads` it goes on up to the first request that is not a shared read, so that it also notices lists that are empty.
 * Nothing is changed on the target, and the provider is only asked for values that are read.
 */
export async function dryRun(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  options: DryOptions = {},
): Promise<DryCheck[]> {
  const { perVersion, across } = splitSelection(selection, config.versions)
  const lanes = config.versions.map((apiVersion) => ({ lane: apiVersion as LaneName, apiVersion, checks: perVersion }))
  const newest = newestOf(config.versions) ?? latestVersion
  const results: DryCheck[] = []
  for (const { lane, apiVersion, checks } of [...lanes, { lane: 'across' as const, apiVersion: newest, checks: across }]) {
    const session = await openDrySession(config, apiVersion, options)
    const begun: Promise<DryCheck>[] = []
    for (const placed of inRunningOrder(checks)) {
      const run = await prepare(placed, lane, session, options)
      const running = run()
      begun.push(running)
      // Without reads nothing is waited for, and checks take what is given in their order.
      if (!options.reads) await running
    }
    const found = await Promise.all(begun)
    results.push(...(lane === 'across' ? foundLater(found, checks, results, perVersion) : found))
    await session.client.close()
  }
  return results
}

/** A migration that a run starts cannot be removed, so what is compared after that finds one, also where there is none yet. */
function foundLater(
  across: readonly DryCheck[],
  placed: readonly PlacedCheck[],
  before: readonly DryCheck[],
  main: readonly PlacedCheck[],
): readonly DryCheck[] {
  const isJudged = ({ check: { id } }: PlacedCheck) => before.some((dry) => dry.id === id && dry.state === 'judged')
  if (!main.some((one) => startsMigration(one.check) && isJudged(one))) return across
  const late = new Set(
    placed.filter(({ check, suite }) => touchesOf(check, suite).some(ofMigrations)).map(({ check }) => check.id),
  )
  const isEmpty = ({ id, state, missing }: DryCheck) => late.has(id) && state === 'untested' && missing.length === 0
  return across.map((dry) => (isEmpty(dry) ? { ...dry, state: 'judged', decided: false, detail: '' } : dry))
}

function startsMigration(check: Check): boolean {
  const wanted = Object.values(needsOf(check))
  return check.writes === true && wanted.some((need) => need.type === 'need' && need.name === 'exportable-repository')
}

function ofMigrations({ what }: Touch): boolean {
  return what === 'migrations'
}

function openDrySession(
  config: ReachableConfig,
  apiVersion: ReachableConfig['versions'][number],
  { providing = {}, readOnly = false, reads = 0 }: DryOptions,
) {
  const { provider: _, ...bare } = config
  const asks = providing.provider !== undefined || (providing.given?.size ?? 0) > 0
  const provider = asks ? { provider: dryProvider(providing) } : {}
  return openSession(bare, apiVersion, { readOnly, maxRequests: reads, ...provider })
}

/** Begins a check once what it needs is resolved; the function that is returned lets it run. */
async function prepare(
  { check, suite }: PlacedCheck,
  lane: LaneName,
  session: Session,
  options: DryOptions,
): Promise<() => Promise<DryCheck>> {
  const { id, level } = check
  const base = { lane, id, area: suite.area, level, detail: '', missing: [], decided: true, doubtful: false, assumed: [] }
  const reason = notApplicable(check, suite, session)
  if (reason) return async () => ({ ...base, state: 'inapplicable', detail: reason.detail })
  const needs = await resolve(check, session)
  return async () => {
    const end = needs.stopped ?? (await runDry(check, needs.resolved, session, options))
    const { message: detail, missing } = end instanceof Untested ? end : askedLater(check, session, options.providing)
    if (end instanceof Untested || missing.length > 0) return { ...base, state: 'untested', detail, missing }
    const assumed = end?.assumed === undefined ? [] : [end.assumed]
    const doubtful = end !== undefined && lacksObject(check, session, options.providing)
    return { ...base, state: 'judged', decided: end === undefined, doubtful, assumed }
  }
}

/** A row of the matrix that must find the object of its request itself. */
function lacksObject({ asks = [] }: Check, session: Session, { provider, given }: DryProviding = {}): boolean {
  const isGiven = given?.has('permission-target') || session.options.config.needs['permission-target'] !== undefined
  return asks.includes('permission-target') && !isGiven && provider === undefined
}

async function resolve(check: Check, session: Session): Promise<{ resolved?: never; stopped?: Untested | DryStop }> {
  try {
    // What is taken for granted does not hide what is missing beside it.
    return { resolved: (await session.needs.resolve(needsOf(check), (error) => error instanceof DryStop)) as never }
  } catch (error) {
    if (error instanceof Untested || error instanceof DryStop) return { stopped: error }
    throw error
  }
}

/** Lets a check run as far as a dry run may go; undefined where it came to its verdict. */
async function runDry(
  check: Check,
  resolved: unknown,
  session: Session,
  { reads = 0 }: DryOptions,
): Promise<Untested | DryStop | undefined> {
  const trace: DryTrace = { subjects: 0, exchanges: new Set(), made: [], given: new Set(Object.values(resolved ?? {})) }
  const context = dryContext(session, trace, reads > 0)
  try {
    await session.slots.occupy(() => check.run(context, resolved as never, resolved as never))
    return trace.stop ?? (trace.subjects > 0 ? undefined : new Untested(nothingToExamine))
  } catch (error) {
    if (error instanceof Untested || error instanceof DryStop) return error
    // A check that stumbles over an answer is for the run to tell of.
    return error instanceof Deviation ? undefined : new DryStop()
  }
}

/** What a check asks for once it runs, and nobody gives: actions after its first request, and the token of a cell of the matrix. */
function askedLater({ asks = [], matrix }: Check, session: Session, { provider, offered, given }: DryProviding = {}) {
  const { config } = session.options
  const missing = asks.flatMap((name): MissingNeed[] => {
    const fromProvider = given?.has(name) || (provider !== undefined && (offered?.has(name) ?? true))
    const configured =
      name === 'token' ? config.tokens.some(({ kind }) => kind === (matrix?.kind ?? kind)) : config.needs[name] !== undefined
    // Rows of the matrix find many of their requests themselves; the check has tried that already.
    if (name === 'permission-target' || fromProvider || configured) return []
    return [{ need: name, how: needCatalogue.get(name)?.how ?? '' }]
  })
  return { missing, message: missing.map(({ how }) => how).join('; ') }
}

import type { ReachableConfig } from '../config/config.ts'
import type { Exchange } from '../http/exchange.ts'
import { splitSelection } from '../run/cross-version.ts'
import type { LaneName } from '../run/engine/messages.ts'
import { inRunningOrder } from '../run/engine/scheduler.ts'
import { createContext } from '../run/judge/context.ts'
import { notApplicable } from '../run/judge/judge.ts'
import { openSession, type Session } from '../run/judge/session.ts'
import { needCatalogue } from '../run/needs/need-catalogue.ts'
import type { PlacedCheck } from '../run/selection.ts'
import type { Area } from '../spec/endpoint.ts'
import type { Level } from '../spec/level.ts'
import { latestVersion, newestOf } from '../spec/versions.ts'
import { type Check, needsOf } from '../suite/check.ts'
import type { CheckContext } from '../suite/context.ts'
import { type MissingNeed, Untested } from '../suite/untested.ts'
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
  /** Needs that only the provider can confirm, and that are taken for granted. */
  readonly assumed: readonly string[]
}

/**
 * Goes through a selection as a run would: resolves every check's needs in the order of a run and lets it begin, up to its first request.
 * Nothing is sent to the target, and the provider is only asked for values that are read.
 */
export async function dryRun(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  providing: DryProviding = {},
  readOnly = false,
): Promise<DryCheck[]> {
  const { perVersion, across } = splitSelection(selection, config.versions)
  const lanes = config.versions.map((apiVersion) => ({ lane: apiVersion as LaneName, apiVersion, checks: perVersion }))
  const newest = newestOf(config.versions) ?? latestVersion
  const results: DryCheck[] = []
  for (const { lane, apiVersion, checks } of [...lanes, { lane: 'across' as const, apiVersion: newest, checks: across }]) {
    const session = await openDrySession(config, apiVersion, providing, readOnly)
    for (const placed of inRunningOrder(checks)) results.push(await dryCheck(placed, lane, session, providing))
    await session.client.close()
  }
  return results
}

function openDrySession(
  config: ReachableConfig,
  apiVersion: ReachableConfig['versions'][number],
  providing: DryProviding,
  readOnly: boolean,
) {
  const { provider: _, ...bare } = config
  const asks = providing.provider !== undefined || (providing.given?.size ?? 0) > 0
  return openSession(bare, apiVersion, { readOnly, ...(asks ? { provider: dryProvider(providing) } : {}) })
}

async function dryCheck(
  { check, suite }: PlacedCheck,
  lane: LaneName,
  session: Session,
  providing: DryProviding,
): Promise<DryCheck> {
  const base = { lane, id: check.id, area: suite.area, level: check.level }
  const reason = notApplicable(check, suite, session)
  if (reason) return { ...base, state: 'inapplicable', detail: reason.detail, missing: [], assumed: [] }
  const result = await begin(check, session)
  if (result instanceof Untested)
    return { ...base, state: 'untested', detail: result.message, missing: result.missing, assumed: [] }
  const later = askedLater(check, session, providing)
  if (later.length > 0)
    return { ...base, state: 'untested', detail: later.map(({ how }) => how).join('; '), missing: later, assumed: [] }
  return { ...base, state: 'judged', detail: '', missing: [], assumed: result.assumed === undefined ? [] : [result.assumed] }
}

/** Resolves what a check needs and lets it run up to its first request. */
async function begin(check: Check, session: Session): Promise<Untested | DryStop> {
  try {
    const resolved = (await session.needs.resolve(needsOf(check))) as never
    await check.run(dryContext(session), resolved, resolved)
  } catch (error) {
    if (error instanceof Untested || error instanceof DryStop) return error
  }
  // It came to its end without a request, or stumbled over an answer that is not there.
  return new DryStop()
}

/** What a check asks for once it runs, and nobody gives: actions after its first request, and the token of a cell of the matrix. */
function askedLater({ asks = [], matrix }: Check, session: Session, { provider, offered, given }: DryProviding): MissingNeed[] {
  const { config } = session.options
  return asks.flatMap((name) => {
    const fromProvider = given?.has(name) || (provider !== undefined && (offered?.has(name) ?? true))
    const configured =
      name === 'token' ? config.tokens.some(({ kind }) => kind === (matrix?.kind ?? kind)) : config.needs[name] !== undefined
    // Rows of the matrix find many of their requests themselves; the check has tried that already.
    if (name === 'permission-target' || fromProvider || configured) return []
    return [{ need: name, how: needCatalogue.get(name)?.how ?? '' }]
  })
}

/** A check's context in which nothing is sent. */
function dryContext(session: Session): CheckContext {
  const stop = async (): Promise<never> => {
    throw new DryStop()
  }
  const context: CheckContext = {
    ...createContext(session, { subjects: 0, exchanges: new Set<Exchange>(), made: [], given: new Set() }),
    read: stop,
    send: stop,
    poll: stop,
    pollAgain: stop,
    download: stop,
    wait: stop,
    eventually: stop,
    recorded: () => {
      throw new DryStop()
    },
    shared: <Value>(name: string, make: (t: CheckContext) => Promise<Value>) => {
      const known = session.shared.get(name) ?? make(context)
      session.shared.set(name, known)
      return known as Promise<Value>
    },
  }
  return context
}

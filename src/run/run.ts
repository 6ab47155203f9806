import { randomInt, randomUUID } from 'node:crypto'
import type { ReachableConfig } from '../config/config.ts'
import { whyUnreachable } from '../http/reach.ts'
import type { RunRecords } from '../record/records.ts'
import { type ApiVersion, latestVersion, newestOf } from '../spec/versions.ts'
import { crossVersionOf, noCrossVersion, splitSelection } from './cross-version.ts'
import { type RunListener, startEngine, type VersionOutcome } from './engine/engine.ts'
import type { LaneName } from './engine/messages.ts'
import { interruptible } from './interruption.ts'
import { buildReport } from './records/build-report.ts'
import { withRequirements } from './records/requirements.ts'
import { buildRunRecord } from './records/run-record.ts'
import type { PlacedCheck } from './selection.ts'

/** How a target is judged, beside its configuration. */
export interface JudgingOptions {
  readonly readOnly?: boolean | undefined
  readonly maxRequests?: number | undefined
  /** Seed of the property checks; a random one unless given. */
  readonly seed?: number | undefined
  readonly listener: RunListener
}

/** Judges the chosen checks under every configured version and assembles the records. */
export async function judgeTarget(
  config: ReachableConfig,
  selection: readonly PlacedCheck[],
  options: JudgingOptions,
): Promise<RunRecords> {
  const seed = options.seed ?? randomInt(2 ** 31)
  const started = new Date()
  const lanes = planLanes(config, selection)
  const { outcomes, interrupted } = await outcomesOf(config, lanes, seed, options)
  const report = ({ lane, apiVersion, checks }: LanePlan) => {
    const outcome = outcomes.get(lane) as VersionOutcome
    return buildReport(checks, outcome, {
      apiVersion,
      baseUrl: config.target.dialect?.baseUrls?.[apiVersion] ?? config.target.baseUrl,
      startedAt: outcome.result?.startedAt ?? started.toISOString(),
      durationMs: outcome.result?.durationMs ?? Date.now() - started.getTime(),
      strict: config.gate.strict,
      seed,
      interrupted,
    })
  }
  const [across] = lanes.filter(({ lane }) => lane === 'across').map(report)
  const reports = lanes
    .filter(({ lane }) => lane !== 'across')
    .map(report)
    .map((made) => withRequirements(made, across?.checks ?? []))
  const differences = outcomes.get('across')?.result?.differences ?? []
  const run = buildRunRecord({
    config,
    reports,
    crossVersion: across ? crossVersionOf(across, differences, reports) : noCrossVersion,
    leftBehind: [...reports, ...(across ? [across] : [])].flatMap(({ leftBehind }) => leftBehind),
    seed,
    interrupted,
    today: started.toISOString().slice(0, 10),
  })
  return { run, reports }
}

/** What each lane came to; a target that nobody answers for is not asked check by check. */
async function outcomesOf(config: ReachableConfig, lanes: readonly LanePlan[], seed: number, options: JudgingOptions) {
  const addresses = new Set([config.target.baseUrl, ...Object.values(config.target.dialect?.baseUrls ?? {})])
  const reasons = [...addresses].map((address) => whyUnreachable(address, config.limits.timeoutSeconds * 1000))
  const broken = (await Promise.all(reasons)).find((reason) => reason !== undefined)
  if (broken !== undefined) {
    const lost = lanes.map(({ lane }): [LaneName, VersionOutcome] => [lane, { records: new Map(), broken }])
    return { outcomes: new Map(lost), interrupted: false }
  }
  // Before the engine starts: it removes every handler that is not there yet.
  const interruption = interruptible(() => engine.cancel())
  const engine = startEngine(plansOf(config, lanes, seed, options), options.listener)
  const outcomes = await engine.finished
  interruption.stop()
  return { outcomes, interrupted: interruption.happened }
}

interface LanePlan {
  readonly lane: LaneName
  readonly apiVersion: ApiVersion
  readonly checks: readonly PlacedCheck[]
}

/** One lane a version, and one for what is judged across them, sent under the newest. */
function planLanes(config: ReachableConfig, selection: readonly PlacedCheck[]): LanePlan[] {
  const { perVersion, across } = splitSelection(selection, config.versions)
  const newest = newestOf(config.versions) ?? latestVersion
  const lanes = config.versions.map((apiVersion): LanePlan => ({ lane: apiVersion, apiVersion, checks: perVersion }))
  return across.length > 0 ? [...lanes, { lane: 'across', apiVersion: newest, checks: across }] : lanes
}

function plansOf(config: ReachableConfig, lanes: readonly LanePlan[], seed: number, options: JudgingOptions) {
  const run = randomUUID()
  return lanes.map(({ lane, apiVersion, checks }) => ({
    config,
    lane,
    apiVersion,
    run,
    seed,
    readOnly: options.readOnly ?? false,
    maxRequests: options.maxRequests,
    checks: checks.map(({ check }) => check.id),
  }))
}

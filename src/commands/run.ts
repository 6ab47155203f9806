import { randomInt, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { startReferenceServer } from '../../fixtures/server/start.ts'
import { suites } from '../../suites/index.ts'
import type { Config } from '../config/config.ts'
import { defaults, loadConfig } from '../config/load.ts'
import { UsageError } from '../config/usage-error.ts'
import { buildReport, suiteIdentity } from '../report/build.ts'
import { Progress } from '../report/progress.ts'
import { renderSummary } from '../report/summary.ts'
import { writeReports } from '../report/write.ts'
import { crossVerdict, crossVersionOf, noCrossVersion, splitSelection } from '../run/cross-version.ts'
import { type EngineRun, type RunListener, startEngine, type VersionOutcome } from '../run/engine.ts'
import type { Lane } from '../run/messages.ts'
import { checkStaticNeeds } from '../run/need-resolver.ts'
import type { CrossVersionRecord, Report, RunRecord } from '../run/record.ts'
import { type PlacedCheck, select } from '../run/selection.ts'
import { exitCode, missedLimits, worstVerdict } from '../run/verdict.ts'
import type { Area } from '../spec/endpoint.ts'
import type { ApiVersion } from '../spec/versions.ts'

/** The options of `run`, as the command line gives them. */
export interface RunOptions {
  config?: string
  baseUrl?: string
  apiVersion?: ApiVersion[]
  area?: Area[]
  only?: string[]
  out?: string
  format?: string[]
  strict?: boolean
  readOnly?: boolean
  shard?: { index: number; of: number }
  maxRequests?: number
  seed?: number
  quiet?: boolean
}

/** The configuration that is loaded when it stands in the working folder. */
const usualConfig = 'conformance.config.yaml'

/** Judges a target and writes the reports; resolves to the exit code. Throws {@link UsageError}. */
export async function runCommand(options: RunOptions): Promise<number> {
  const config = configOf(options)
  const selection = select(suites, {
    areas: config.areas,
    ...(options.only ? { only: options.only } : {}),
    ...(options.shard ? { shard: options.shard } : {}),
  })
  checkStaticNeeds(config.needs)
  if (config.target.baseUrl !== undefined) return judgeTarget(config, selection, options)
  const server = await startReferenceServer()
  try {
    return await judgeTarget(server.configure(config), selection, options)
  } finally {
    await server.close()
  }
}

function configOf(options: RunOptions): Config {
  const file = options.config ?? (existsSync(usualConfig) ? usualConfig : undefined)
  const loaded = file === undefined ? structuredClone(defaults) : loadConfig(file)
  return {
    ...loaded,
    target: { ...loaded.target, ...(options.baseUrl === undefined ? {} : { baseUrl: checkedUrl(options.baseUrl) }) },
    versions: options.apiVersion ?? loaded.versions,
    areas: options.area ?? loaded.areas,
    gate: { ...loaded.gate, strict: options.strict ?? loaded.gate.strict },
    report: {
      ...loaded.report,
      directory: options.out ?? loaded.report.directory,
      formats: options.format ?? loaded.report.formats,
    },
  }
}

function checkedUrl(text: string): string {
  if (/^https?:\/\/[^@/?#\s]+(\/[^?#\s]*)?$/.test(text)) return text
  throw new UsageError(`--base-url ${text}: an http(s) URL without credentials, query or fragment is accepted`)
}

async function judgeTarget(config: Config, selection: readonly PlacedCheck[], options: RunOptions): Promise<number> {
  const started = Date.now()
  const seed = options.seed ?? randomInt(2 ** 31)
  const { perVersion, across } = splitSelection(selection, config.versions)
  const progress = new Progress(process.stderr, perVersion.length)
  const listener: RunListener = options.quiet ? { check() {}, requests() {}, waiting() {} } : progress
  const run = randomUUID()
  const plan = (lane: Lane, apiVersion: ApiVersion, checks: readonly PlacedCheck[]) => ({
    config: config as never,
    lane,
    apiVersion,
    run,
    seed,
    readOnly: options.readOnly ?? false,
    ...(options.maxRequests === undefined ? {} : { maxRequests: options.maxRequests }),
    checks: checks.map(({ check }) => check.id),
  })
  const plans = config.versions.map((apiVersion) => plan(apiVersion, apiVersion, perVersion))
  const newest = [...config.versions].sort().at(-1) as ApiVersion
  if (across.length > 0) plans.push(plan('across', newest, across))
  const engine = startEngine(plans, listener)
  const interruption = interruptible(engine)
  const outcomes = await engine.finished
  interruption.stop()
  if (!options.quiet) progress.end()
  const report = (lane: Lane, apiVersion: ApiVersion, checks: readonly PlacedCheck[]) =>
    buildReport(checks, outcomes.get(lane) as VersionOutcome, {
      apiVersion,
      baseUrl: config.target.baseUrl as string,
      startedAt: new Date(started).toISOString(),
      durationMs: Date.now() - started,
      strict: config.gate.strict,
      seed,
      interrupted: interruption.happened,
    })
  const reports = config.versions.map((apiVersion) => report(apiVersion, apiVersion, perVersion))
  const acrossOutcome = outcomes.get('across')
  const crossVersion = acrossOutcome
    ? crossVersionOf(report('across', newest, across), acrossOutcome.result?.differences ?? [])
    : noCrossVersion
  const record = recordOf(config, reports, crossVersion, seed, interruption.happened)
  writeReports(config.report.directory, record, reports, config.report.formats)
  conclude(record, reports, config, options.quiet ?? false)
  return exitCode({ verdict: record.verdict, missed: record.gate.missed, interrupted: record.interrupted })
}

function recordOf(
  config: Config,
  reports: readonly Report[],
  crossVersion: CrossVersionRecord,
  seed: number,
  interrupted: boolean,
): RunRecord {
  const across = crossVerdict(crossVersion, config.gate.strict)
  const judged = reports.filter(({ checks }) => checks.length > 0 || across === undefined)
  const missed = reports.flatMap((report) =>
    missedLimits(report.totals, config.gate).map((text) => `${report.apiVersion}: ${text}`),
  )
  return {
    format: 'service-conformance-run',
    formatVersion: 1,
    suite: suiteIdentity,
    target: { baseUrl: config.target.baseUrl as string },
    versions: reports.map(({ apiVersion, verdict, totals }) => ({
      apiVersion,
      verdict,
      totals,
      report: `${apiVersion}/report.json`,
    })),
    verdict: worstVerdict([...judged.map(({ verdict }) => verdict), ...(across === undefined ? [] : [across])]),
    crossVersion,
    waivers: config.waivers,
    gate: { ...config.gate, missed },
    seed,
    leftBehind: reports.flatMap(({ leftBehind }) => leftBehind),
    interrupted,
  }
}

function conclude(run: RunRecord, reports: readonly Report[], config: Config, quiet: boolean): void {
  if (quiet) return
  const lines = [
    ...reports.flatMap(renderSummary),
    ...run.gate.missed.map((text) => `gate: ${text}`),
    ...(run.interrupted ? ['interrupted: these reports are partial'] : []),
    `seed ${run.seed}, reports in ${config.report.directory}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** The first Ctrl-C ends the run and keeps what was judged; a second one ends the process. */
function interruptible(engine: EngineRun): { readonly happened: boolean; stop(): void } {
  let happened = false
  const stop = () => {
    if (happened) process.exit(130)
    happened = true
    engine.cancel()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {
    get happened() {
      return happened
    },
    stop() {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}

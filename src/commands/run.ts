import { startReferenceServer } from '../../fixtures/server/start.ts'
import type { Config } from '../config/config.ts'
import { Progress } from '../report/progress.ts'
import { renderConclusion } from '../report/summary.ts'
import { writeReports } from '../report/write.ts'
import { splitSelection } from '../run/cross-version.ts'
import type { RunListener } from '../run/engine.ts'
import type { Lane } from '../run/messages.ts'
import type { PlacedCheck } from '../run/selection.ts'
import { exitCode } from '../run/verdict.ts'
import { chosenChecks, effectiveConfig, type TargetOptions } from './effective-config.ts'
import { judgeTarget } from './judge-target.ts'

/** The options of `run`, as the command line gives them. */
export interface RunOptions extends TargetOptions {
  readOnly?: boolean
  maxRequests?: number
  seed?: number
  quiet?: boolean
}

/** Judges a target and writes the reports; resolves to the exit code. Throws `UsageError`. */
export async function runCommand(options: RunOptions): Promise<number> {
  const config = effectiveConfig(options)
  const selection = chosenChecks(config, options)
  return withTarget(config, (reachable) => judgeAndReport(reachable, selection, options))
}

/** Runs `work` on the configured target, or on an embedded reference server where none is configured. */
export async function withTarget<Result>(config: Config, work: (config: Config) => Promise<Result>): Promise<Result> {
  if (config.target.baseUrl !== undefined) return work(config)
  const server = await startReferenceServer()
  try {
    return await work(server.configure(config))
  } finally {
    await server.close()
  }
}

async function judgeAndReport(config: Config, selection: readonly PlacedCheck[], options: RunOptions): Promise<number> {
  const progress = new Progress(process.stderr, countsOf(config, selection))
  const { readOnly, maxRequests, seed } = options
  const { run, reports } = await judgeTarget(config, selection, {
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(maxRequests === undefined ? {} : { maxRequests }),
    ...(seed === undefined ? {} : { seed }),
    listener: options.quiet ? silent : progress,
  })
  if (!options.quiet) progress.end()
  writeReports(config.report.directory, { run, reports }, config.report.formats)
  if (!options.quiet) process.stdout.write(`${renderConclusion(run, reports, config.report.directory).join('\n')}\n`)
  return exitCode(run)
}

function countsOf(config: Config, selection: readonly PlacedCheck[]): (lane: Lane) => number {
  const { perVersion, across } = splitSelection(selection, config.versions)
  return (lane) => (lane === 'across' ? across : perVersion).length
}

const silent: RunListener = { check() {}, requests() {}, waiting() {} }

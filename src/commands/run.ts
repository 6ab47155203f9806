import type { Config } from '../config/config.ts'
import type { RunRecords } from '../record/records.ts'
import { exitCode } from '../record/verdict.ts'
import { Progress } from '../report/terminal/progress.ts'
import { renderConclusion } from '../report/terminal/summary.ts'
import { writeReports } from '../report/write.ts'
import { splitSelection } from '../run/cross-version.ts'
import type { RunListener } from '../run/engine/engine.ts'
import type { Lane } from '../run/engine/messages.ts'
import { judgeTarget } from '../run/run.ts'
import type { PlacedCheck } from '../run/selection.ts'
import { nextTrigger } from '../watch/trigger.ts'
import { watch } from '../watch/watch.ts'
import { tellGithub } from './ci.ts'
import { chosenChecks, effectiveConfig, type TargetOptions } from './effective-config.ts'
import { withTarget } from './with-target.ts'

/** The options of `run`, as the command line gives them. */
export interface RunOptions extends TargetOptions {
  readOnly?: boolean
  maxRequests?: number
  seed?: number
  quiet?: boolean
  watch?: boolean
}

/** How often a watch looks whether the target is there. Milliseconds. */
const lookEvery = 1000

/** Judges a target and writes the reports; resolves to the exit code. Throws `UsageError`. */
export async function runCommand(options: RunOptions): Promise<number> {
  const config = effectiveConfig(options)
  const selection = chosenChecks(config, options)
  return withTarget(config, (reachable) =>
    options.watch ? watchAndReport(reachable, selection, options) : judgeAndReport(reachable, selection, options),
  )
}

async function judgeAndReport(config: Config, selection: readonly PlacedCheck[], options: RunOptions): Promise<number> {
  const records = await judgeOnce(config, selection, options)
  conclude(config, records, options.quiet ?? false)
  tellGithub(records)
  return exitCode(records.run)
}

async function watchAndReport(config: Config, selection: readonly PlacedCheck[], options: RunOptions): Promise<number> {
  const { run } = await watch(selection, {
    judge: (chosen) => judgeOnce(config, chosen, options),
    wait: () => untilTrigger(config.target.baseUrl as string),
    print: (text) => void process.stdout.write(text),
    conclude: (records, first) => conclude(config, records, !first || (options.quiet ?? false)),
  })
  return exitCode(run)
}

async function untilTrigger(baseUrl: string) {
  const controller = new AbortController()
  const end = () => controller.abort()
  process.once('SIGINT', end)
  const trigger = await nextTrigger({ input: process.stdin, baseUrl, every: lookEvery, signal: controller.signal })
  process.off('SIGINT', end)
  return trigger
}

async function judgeOnce(config: Config, selection: readonly PlacedCheck[], options: RunOptions): Promise<RunRecords> {
  const progress = new Progress(process.stderr, countsOf(config, selection))
  const { readOnly, maxRequests, seed } = options
  const judged = await judgeTarget(config, selection, {
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(maxRequests === undefined ? {} : { maxRequests }),
    ...(seed === undefined ? {} : { seed }),
    listener: options.quiet ? silent : progress,
  })
  if (!options.quiet) progress.end()
  return judged
}

/** Writes the reports, and shows what they say unless told to be quiet. */
function conclude(config: Config, records: RunRecords, quiet: boolean): void {
  const { directory, formats } = config.report
  writeReports(directory, records, formats)
  if (!quiet) process.stdout.write(`${renderConclusion(records.run, records.reports, directory).join('\n')}\n`)
}

function countsOf(config: Config, selection: readonly PlacedCheck[]): (lane: Lane) => number {
  const { perVersion, across } = splitSelection(selection, config.versions)
  return (lane) => (lane === 'across' ? across : perVersion).length
}

const silent: RunListener = { check() {}, requests() {}, waiting() {} }

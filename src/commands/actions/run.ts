import type { ReachableConfig } from '../../config/config.ts'
import type { RunRecords } from '../../record/records.ts'
import { exitCode } from '../../record/verdict.ts'
import { Progress } from '../../report/terminal/progress.ts'
import { renderConclusion } from '../../report/terminal/summary.ts'
import { writeReports } from '../../report/write.ts'
import { splitSelection } from '../../run/cross-version.ts'
import { silent } from '../../run/engine/engine.ts'
import type { LaneName } from '../../run/engine/messages.ts'
import { judgeTarget } from '../../run/run.ts'
import type { PlacedCheck } from '../../run/selection.ts'
import type { Suite } from '../../suite/check.ts'
import { nextTrigger } from '../../watch/trigger.ts'
import { watch } from '../../watch/watch.ts'
import type { Surroundings } from '../surroundings.ts'
import { tellGithub } from './ci.ts'
import { subjectLines } from './subject.ts'
import { chosenChecks, effectiveConfig, type TargetOptions, withTarget } from './target.ts'

/** The options of `run`, as the command line gives them. */
export interface RunOptions extends TargetOptions {
  readOnly?: boolean | undefined
  maxRequests?: number | undefined
  seed?: number | undefined
  quiet?: boolean | undefined
  watch?: boolean | undefined
}

/** Where the command writes. */
type Output = Pick<Surroundings, 'print' | 'warn'>

/** How often a watch looks whether the target is there. Milliseconds. */
const lookEvery = 1000

/** One call of the command: what is judged, how, and where it prints. */
interface Call {
  readonly config: ReachableConfig
  readonly selection: readonly PlacedCheck[]
  readonly options: RunOptions
  readonly print: (text: string) => void
}

/** Judges a target and writes the reports; resolves to the exit code. Throws `UsageError`. */
export async function runCommand(options: RunOptions, suites: readonly Suite[], { print, warn }: Output): Promise<number> {
  const chosen = effectiveConfig(options, suites)
  const selection = chosenChecks(chosen, options, suites)
  return withTarget(chosen, async (config) => {
    if (!options.quiet) warn(`${subjectLines(config).join('\n')}\n`)
    return (options.watch ? judgeAgain : judgeAndReport)({ config, selection, options, print })
  })
}

async function judgeAndReport(call: Call): Promise<number> {
  const records = await judgeOnce(call, call.selection)
  writeAndShow(call, records, call.options.quiet ?? false)
  tellGithub(records, call.print)
  return exitCode(records.run)
}

async function judgeAgain(call: Call): Promise<number> {
  const { run } = await watch(call.selection, {
    judge: (chosen) => judgeOnce(call, chosen),
    wait: () => untilTrigger(call.config.target.baseUrl),
    print: call.print,
    conclude: (records, first) => writeAndShow(call, records, !first || (call.options.quiet ?? false)),
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

async function judgeOnce({ config, options }: Call, selection: readonly PlacedCheck[]): Promise<RunRecords> {
  const { readOnly, maxRequests, seed, quiet } = options
  if (quiet) return judgeTarget(config, selection, { readOnly, maxRequests, seed, listener: silent })
  const progress = new Progress(process.stderr, countsOf(config, selection))
  const records = await judgeTarget(config, selection, { readOnly, maxRequests, seed, listener: progress })
  progress.end()
  return records
}

/** Writes the reports, and shows what they say unless told to be quiet. */
function writeAndShow({ config, print }: Call, records: RunRecords, quiet: boolean): void {
  const { directory, formats } = config.report
  writeReports(directory, records, formats)
  if (!quiet) print(`${renderConclusion(records.run, records.reports, directory).join('\n')}\n`)
}

function countsOf(config: ReachableConfig, selection: readonly PlacedCheck[]): (lane: LaneName) => number {
  const { perVersion, across } = splitSelection(selection, config.versions)
  return (lane) => (lane === 'across' ? across : perVersion).length
}

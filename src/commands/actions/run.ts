import type { ReachableConfig } from '../../config/config.ts'
import type { RunRecords } from '../../record/records.ts'
import { exitCode } from '../../record/verdict.ts'
import { withholdLeaks } from '../../report/leaks.ts'
import { Progress } from '../../report/terminal/progress.ts'
import { renderConclusion } from '../../report/terminal/summary.ts'
import { writeReports } from '../../report/write.ts'
import { splitSelection } from '../../run/cross-version.ts'
import { silent } from '../../run/engine/engine.ts'
import type { LaneName } from '../../run/engine/messages.ts'
import { labelOfToken } from '../../run/needs/tokens.ts'
import { judgeTarget } from '../../run/run.ts'
import type { PlacedCheck } from '../../run/selection.ts'
import type { Suite } from '../../suite/check.ts'
import { nextTrigger } from '../../watch/trigger.ts'
import { watch } from '../../watch/watch.ts'
import { tellGithub } from './ci.ts'
import { chosenChecks, effectiveConfig, type TargetOptions, withTarget } from './target.ts'

/** The options of `run`, as the command line gives them. */
export interface RunOptions extends TargetOptions {
  readOnly?: boolean | undefined
  maxRequests?: number | undefined
  seed?: number | undefined
  quiet?: boolean | undefined
  watch?: boolean | undefined
}

/** The exit code of a run whose reports are not whole. */
const inconclusive = 3

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
export async function runCommand(options: RunOptions, suites: readonly Suite[], print: (text: string) => void): Promise<number> {
  const chosen = effectiveConfig(options, suites)
  const selection = chosenChecks(chosen, options, suites)
  return withTarget(chosen, (config) => (options.watch ? judgeAgain : judgeAndReport)({ config, selection, options, print }))
}

async function judgeAndReport(call: Call): Promise<number> {
  const records = await judgeOnce(call, call.selection)
  const whole = writeAndShow(call, records, call.options.quiet ?? false)
  tellGithub(records, call.print)
  return whole ? exitCode(records.run) : inconclusive
}

async function judgeAgain(call: Call): Promise<number> {
  const { run } = await watch(call.selection, {
    judge: (chosen) => judgeOnce(call, chosen),
    wait: () => untilTrigger(call.config.target.baseUrl),
    print: call.print,
    conclude: (records, first) => void writeAndShow(call, records, !first || (call.options.quiet ?? false)),
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

/** Writes the reports, and shows what they say unless told to be quiet; false when one had to be withheld. */
function writeAndShow({ config, print }: Call, records: RunRecords, quiet: boolean): boolean {
  const { directory, formats } = config.report
  const secrets = config.tokens.map((token, index) => ({ secret: token.secret, label: labelOfToken(token, index) }))
  const leaks = withholdLeaks(writeReports(directory, records, formats), secrets)
  if (!quiet) print(`${renderConclusion(records.run, records.reports, directory).join('\n')}\n`)
  for (const { file, label } of leaks)
    print(`${file} was withheld: it contained the secret ${label}. Please report this error of the suite.\n`)
  return leaks.length === 0
}

function countsOf(config: ReachableConfig, selection: readonly PlacedCheck[]): (lane: LaneName) => number {
  const { perVersion, across } = splitSelection(selection, config.versions)
  return (lane) => (lane === 'across' ? across : perVersion).length
}

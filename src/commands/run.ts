import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { prepareDirectory } from '../report/files/placement.ts'
import { formatNames } from '../report/formats/format-names.ts'
import { onInterrupt } from '../run/interruption.ts'
import { discardPart, prepareRecording } from '../run/replay/recording-file.ts'
import { type Shard, shardRecord } from '../run/selection/selection.ts'
import { selectionRecord } from '../run/selection/selection-record.ts'
import type { Suite } from '../suite/check.ts'
import type { CommandContext, Output } from './common/context.ts'
import type { RunOptions } from './common/judge-and-report.ts'
import { example, judging, oneOf, positiveInteger, repeated, wholeNumber } from './common/options.ts'

/** The options of a run that a recording replaces or excludes. */
const unlikeReplay = [
  ...['config', 'baseUrl', 'reference', 'requirements', 'readOnly', 'profile', 'shard', 'maxRequests', 'seed', 'wait'],
  ...['watch', 'record'],
]

/** `run`, the default command. */
export function define(command: Command, context: CommandContext): void {
  judging(command)
    .option('--out <dir>', 'the directory of the reports (default: reports)')
    .addOption(repeated('--format <format>', `${formatNames.join(', ')} (repeatable)`, oneOf(formatNames)))
    .option('--strict', 'treat warnings as failures')
    .option('--read-only', 'send only GET requests')
    .option('--profile <profile>', 'smoke: one page of every endpoint, at most 60 requests per version', oneOf(['smoke']))
    .option('--shard <i/n>', 'judge the i-th of n parts', shardOf)
    .option('--max-requests <n>', 'send at most n requests per version', positiveInteger)
    .option('--seed <n>', 'seed of the property checks (default: random, printed)', wholeNumber)
    .option('--wait <seconds>', 'wait so long for the target to respond (default: 0)', wholeNumber)
    .option('--watch', 'judge again on Enter and when the target comes back; only changes are printed')
    .addOption(new Option('--record <file>', 'record every exchange, without secrets, for a replay').conflicts('watch'))
    .addOption(new Option('--replay <file>', 'judge a recording again, without a target').conflicts(unlikeReplay))
    .option('--quiet', 'print nothing')
    .addHelpText('after', example('service-conformance run --base-url http://localhost:3000 --only events.public'))
    .action(async (options) => {
      if (options.replay !== undefined) {
        const { replayCommand } = await import('./replay.ts')
        return context.end({ code: await replayCommand(options, options.replay, context) })
      }
      context.end({ code: await runCommand(options, await context.suites(options), context) })
    })
}

/** `2/4`: the second of four parts. */
function shardOf(text: string): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  if (index !== undefined && of !== undefined && Number(index) >= 1 && Number(index) <= Number(of)) {
    return { index: Number(index), of: Number(of) }
  }
  throw new InvalidArgumentError('I/N with 1 ≤ I ≤ N is accepted, such as 2/4')
}

/** Judges a target and writes the reports; resolves to the exit code. Throws `UsageError`. */
export async function runCommand(options: RunOptions, suites: readonly Suite[], output: Output): Promise<number> {
  const { chosenChecks, effectiveConfig, withTarget } = await import('./common/target.ts')
  const { judgeAfterPreflight } = await import('./common/judge-and-report.ts')
  const chosen = effectiveConfig(options, suites)
  const selection = chosenChecks(chosen, options, suites)
  const shard = options.shard && shardRecord(chosenChecks(chosen, { ...options, shard: undefined }, suites), options.shard)
  const selected = selectionRecord(selection, chosen, options, suites)
  const { record } = options
  prepareDirectory(chosen.report.directory)
  if (record !== undefined) prepareRecording(record)
  const interruption = onInterrupt()
  const call = { ...output, selection, selected, shard, options, signal: interruption.signal }
  return withTarget(chosen, (config) => judgeAfterPreflight({ ...call, config })).finally(() => {
    interruption.stop()
    if (record !== undefined) discardPart(record)
  })
}

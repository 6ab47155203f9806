import { type Command, Option } from '@commander-js/extra-typings'
import { formatNames } from '../report/formats/format-names.ts'
import { example, judging, oneOf, positiveInteger, repeated, shardOf, wholeNumber } from './options.ts'
import type { Surroundings } from './surroundings.ts'

/** `run`, the default command. */
export function defineRun(program: Command, around: Surroundings): void {
  judging(
    program.command('run', { isDefault: true }).description('judge a target, one report per API version (the default command)'),
  )
    .option('--out <dir>', 'where reports are written (default: reports)')
    .addOption(repeated('--format <format>', `${formatNames.join(', ')} (repeatable)`, oneOf(formatNames)))
    .option('--strict', 'treat warnings as failures')
    .option('--read-only', 'send only GET requests')
    .option('--profile <profile>', 'smoke: one page of every endpoint, at most 60 requests per version', oneOf(['smoke']))
    .option('--shard <i/n>', 'judge the i-th of n parts', shardOf)
    .option('--max-requests <n>', 'send at most n requests per version', positiveInteger)
    .option('--seed <n>', 'seed of the property checks (default: random, printed)', wholeNumber)
    .option('--wait <seconds>', 'wait so long for the target to answer (default: 0)', wholeNumber)
    .option('--watch', 'judge again on Enter and when the target comes back; only changes are printed')
    .addOption(
      new Option('--record <file>', 'keep every exchange, without secrets, so that the run can be replayed').conflicts('watch'),
    )
    .addOption(
      new Option('--replay <file>', 'judge a recording again, without a target').conflicts([
        ...['config', 'baseUrl', 'reference', 'requirements', 'readOnly', 'profile', 'shard', 'maxRequests', 'seed', 'wait'],
        ...['watch', 'record'],
      ]),
    )
    .option('--quiet', 'print nothing')
    .addHelpText('after', example('service-conformance run --base-url http://localhost:3000 --only events.public'))
    .action(async (options) => {
      if (options.replay !== undefined) {
        const { replayCommand } = await import('./actions/replay.ts')
        return around.end(await replayCommand(options, options.replay, around))
      }
      // Beside everything that comes before judging.
      const { warmUp } = await import('../run/engine/engine.ts')
      warmUp()
      const { runCommand } = await import('./actions/run.ts')
      around.end(await runCommand(options, await around.suites(options), around))
    })
}

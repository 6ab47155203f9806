import { statSync } from 'node:fs'
import type { Command } from '@commander-js/extra-typings'
import type { Config } from '../config/config.ts'
import { systemClock } from '../http/transport/time/clock.ts'
import type { Outcome } from '../record/reason.ts'
import type { HarFile } from '../report/files/har.ts'
import { isRunDirectory } from '../report/files/ownership.ts'
import { prepareDirectory } from '../report/files/placement.ts'
import { readRun } from '../report/files/read.ts'
import { onInterrupt } from '../run/interruption.ts'
import { select, selectionRecord, shardRecord } from '../run/selection/selection.ts'
import type { Catalogue } from '../suite/catalogue.ts'
import { UsageError } from '../text/errors.ts'
import { counted, size } from '../text/format.ts'
import { idsWith } from '../watch/watch.ts'
import { type CommandContext, example, type RunOptions, withRunOptions } from './common/command.ts'
import { refuseUnwritable } from './common/option-file.ts'
import type { Output } from './common/streams.ts'

/** `run`, the default command. */
export function define(command: Command, context: CommandContext) {
  withRunOptions(command)
    .addHelpText('after', example('run --base-url http://localhost:3000 --only events.public'))
    .action(async (options) =>
      context.end({ code: await runCommand(options, await context.catalogue(options), context) }),
    )
}

/** Judges a target and writes the reports; resolves to the exit code. Throws `UsageError`. */
export async function runCommand(
  options: RunOptions,
  catalogue: Catalogue,
  output: Output,
): Promise<number> {
  const { suites } = catalogue
  const { effectiveConfig, withTarget } = await import('./common/target.ts')
  const { withServers } = await import('./common/servers.ts')
  const { inconclusive, judgeAfterPreflight } = await import('./common/judge-and-report.ts')
  const chosen = effectiveConfig(options, catalogue)
  const { areas, report } = chosen
  const { failed, out: _, ...usual } = options
  // With --out, the former run is usually elsewhere.
  const former = () =>
    (isRunDirectory(report.directory) ? report : effectiveConfig(usual, catalogue).report).directory
  const again = failed === undefined ? undefined : failedIn(failed === true ? former() : failed)
  const selection = select(suites, { ...options, areas }).filter(
    ({ check }) => again?.has(check.id) ?? true,
  )
  if (selection.length === 0)
    throw new UsageError('the checks that failed or errored before are not among the selected ones')
  const shard =
    options.shard &&
    shardRecord(select(suites, { ...options, areas, shard: undefined }), options.shard)
  const selected = selectionRecord(selection, chosen, options, suites)
  prepareDirectory(report.directory)
  const har = options.har === undefined ? undefined : await openHar(options.har, report)
  const interruption = onInterrupt()
  const call = {
    ...output,
    selection,
    selected,
    shard,
    options,
    exchange: har?.add,
    signal: interruption.signal,
    begun: systemClock.now(),
  }
  try {
    const code = await withTarget(chosen, (config) =>
      withServers(
        config,
        (_, restart) => judgeAfterPreflight({ ...call, config, restart }),
        interruption.signal,
      ),
    )
    const problem = await har?.write()
    if (har && problem === undefined && !options.quiet) output.print(writtenLine(har))
    if (problem === undefined) return code
    output.warn(
      `service-conformance: the exchanges were not written to ${options.har}: ${problem}\n`,
    )
    return inconclusive
  } finally {
    interruption.stop()
    har?.discard()
  }
}

/** Opens the file for the exchanges of a run. Throws `UsageError` if it cannot be written. */
async function openHar(file: string, report: Config['report']) {
  const { HarFile } = await import('../report/files/har.ts')
  refuseUnwritable('--har', file)
  return new HarFile(file, report)
}

function writtenLine({ file, count }: HarFile) {
  return `${counted(count, 'exchange')} written to ${file} (${size(statSync(file).size)})\n`
}

/** The checks that failed, errored or missed an effect in a former run, with the warned ones of a strict run. Throws `UsageError` if there are none. */
function failedIn(directory: string) {
  const records = readRun(directory)
  const { strict } = records.run.gate
  const isRed = (outcome: Outcome) =>
    ['failed', 'errored', strict ? 'warned' : ''].includes(outcome)
  const found = idsWith(
    records,
    (outcome, { suspicions }) =>
      isRed(outcome) || (outcome === 'untested' && suspicions !== undefined),
  )
  if (found.size > 0) return found
  throw new UsageError(`no check failed or errored in the run of ${directory}`)
}

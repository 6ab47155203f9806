import { defaults, type ReachableConfig } from '../config/config.ts'
import { systemClock } from '../http/transport/time/clock.ts'
import { suiteIdentity } from '../package/root.ts'
import { prepareDirectory } from '../report/files/placement.ts'
import { onInterrupt } from '../run/interruption.ts'
import { type RecordingHeader, readRecording } from '../run/replay/recording.ts'
import { type PlacedCheck, select, selectionRecord } from '../run/selection/selection.ts'
import { printable } from '../text/format.ts'
import { wrapped } from '../text/table.ts'
import type { CommandContext, RunOptions } from './common/command.ts'
import { judgeAndReport } from './common/judge-and-report.ts'

/** Judges a recording again, without its target; resolves to the exit code. Throws `UsageError` for a damaged recording. */
export async function replayCommand(options: RunOptions, file: string, context: CommandContext): Promise<number> {
  const recording = readRecording(file)
  const { header } = recording
  const config = configOf(header, options)
  const { requirements } = config
  const suites = await context.suites({ builtInOnly: true, requirements })
  const chosen = select(suites, { areas: options.area ?? config.areas, only: options.only })
  const recorded = new Set(header.lanes.flatMap(({ checks }) => checks))
  const selection = chosen.filter(({ check }) => recorded.has(check.id))
  prepareDirectory(config.report.directory)
  const warn = options.quiet ? () => {} : context.warn
  warn(wrapped(linesOn(file, header, unknown(recorded, chosen, options))))
  const facts = header.preflight ?? { target: '', reference: false, tokens: [], notes: [] }
  const { readOnly, seed, shard } = header
  const judging = { ...options, seed, ...(readOnly ? { readOnly } : {}) }
  const interruption = onInterrupt()
  const isNarrower = options.only ?? options.area ?? options.apiVersion
  const chosenPart = { ...options, readOnly, shard }
  const selected = isNarrower ? selectionRecord(selection, config, chosenPart, suites) : header.selection
  const call = { ...context, config, selection, selected, shard, options: judging, facts }
  const judged = judgeAndReport({ ...call, signal: interruption.signal, begun: systemClock.now(), replay: recording })
  return judged.finally(() => interruption.stop())
}

/** The recorded configuration, except the place of the reports, which a received file must not choose. */
function configOf({ config }: RecordingHeader, options: RunOptions): ReachableConfig {
  const { totalBytes: _, runMinutes: __, ...limits } = config.limits
  const { directory, formats } = defaults.report
  return {
    ...config,
    versions: config.versions.filter((version) => options.apiVersion?.includes(version) ?? true),
    limits: { ...limits, requestsPerSecond: Number.POSITIVE_INFINITY },
    gate: { ...config.gate, strict: options.strict ?? config.gate.strict },
    report: { ...config.report, directory: options.out ?? directory, formats: options.format ?? formats, history: false },
  }
}

/** The number of recorded checks that this release does not know; 0 for a run of chosen checks only. */
function unknown(recorded: ReadonlySet<string>, chosen: readonly PlacedCheck[], { only, area }: RunOptions): number {
  if (only || area) return 0
  const known = new Set(chosen.map(({ check }) => check.id))
  return [...recorded].filter((id) => !known.has(id)).length
}

function linesOn(file: string, { config: { target, versions }, startedAt, suite }: RecordingHeader, left: number): string[] {
  const named = ({ name, version }: typeof suite) => `${name} ${version}`
  const other = named(suite) !== named(suiteIdentity)
  const lines = [
    `recording      ${file}, made on ${startedAt}`,
    `target         ${target.baseUrl} (nothing is sent to it)`,
    `versions       ${versions.join(', ')}`,
    ...(other ? [`note: the recording was made by ${named(suite)}, and is judged by ${named(suiteIdentity)}`] : []),
    ...(left > 0 ? [`note: ${left} checks of the recording are not known here and are left out`] : []),
  ]
  return lines.map(printable)
}

import type { ReachableConfig } from '../config/config.ts'
import { defaults } from '../config/defaults.ts'
import { systemClock } from '../http/transport/clock.ts'
import { suiteIdentity } from '../package/root.ts'
import { validatorOf } from '../package/schemas.ts'
import { prepareDirectory } from '../report/files/placement.ts'
import { onInterrupt } from '../run/interruption.ts'
import type { RecordingHeader } from '../run/replay/format.ts'
import { readRecording } from '../run/replay/recording-file.ts'
import { select } from '../run/selection/selection.ts'
import { selectionRecord } from '../run/selection/selection-record.ts'
import { atPointer, stepsOf } from '../text/data.ts'
import { UsageError } from '../text/errors.ts'
import { printable, show } from '../text/format.ts'
import type { CommandContext } from './common/context.ts'
import { judgeAndReport } from './common/judge-and-report.ts'
import type { RunOptions } from './common/options.ts'

/**
 * Judges a recording again without its target, its provider and its tokens, and writes the reports; resolves to the exit code.
 * Throws `UsageError` for a recording that is missing, damaged or no recording.
 */
export async function replayCommand(options: RunOptions, file: string, context: CommandContext): Promise<number> {
  const recording = readRecording(file)
  const { header } = recording
  checkHeader(file, header)
  const config = configOf(header, options)
  const { requirements } = config
  const suites = await context.suites({ builtInOnly: true, requirements })
  const chosen = select(suites, { areas: options.area ?? config.areas, only: options.only })
  const recorded = new Set(header.lanes.flatMap(({ checks }) => checks))
  const selection = chosen.filter(({ check }) => recorded.has(check.id))
  prepareDirectory(config.report.directory)
  const known = new Set(chosen.map(({ check }) => check.id))
  const isNarrower = options.only ?? options.area
  const left = isNarrower ? 0 : [...recorded].filter((id) => !known.has(id)).length
  if (!options.quiet) context.warn(`${linesOn(file, header, left).join('\n')}\n`)
  const facts = header.preflight ?? { target: '', reference: false, tokens: [], notes: [] }
  const { readOnly, seed, shard } = header
  const judging = { ...options, seed, ...(readOnly ? { readOnly } : {}) }
  const part = { ...options, readOnly, shard }
  const isPart = isNarrower ?? options.apiVersion
  const selected = isPart ? selectionRecord(selection, config, part, suites) : header.selection
  const interruption = onInterrupt()
  const { signal } = interruption
  const call = { ...context, config, selection, selected, shard, options: judging, facts, signal }
  return judgeAndReport({ ...call, begun: systemClock.now(), replay: recording }).finally(() => interruption.stop())
}

/** Throws {@link UsageError} for the first member of a header that differs from what a run writes. */
function checkHeader(file: string, header: unknown): void {
  const validate = validatorOf('recording')
  if (validate(header)) return
  const { instancePath = '', params: { missingProperty = undefined } = {} } = validate.errors?.[0] ?? {}
  const pointer = missingProperty === undefined ? instancePath : `${instancePath}/${missingProperty}`
  const problem = `"${stepsOf(pointer).join('.')}" is ${show(atPointer(header, pointer))}`
  throw new UsageError(`the recording ${file} is damaged and cannot be replayed: ${problem}`)
}

/** The recorded configuration, except the place of the reports and all code, which a received file must not choose. */
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

function linesOn(file: string, { config: { target, versions }, startedAt, suite }: RecordingHeader, left: number): string[] {
  const { name, version } = suiteIdentity
  const isOther = suite.version !== version || suite.name !== name
  const lines = [
    `recording      ${file}, made on ${startedAt}`,
    `target         ${target.baseUrl} (nothing is sent to it)`,
    `versions       ${versions.join(', ')}`,
    ...(isOther ? [`note: the recording was made by ${suite.name} ${suite.version} and is judged by ${name} ${version}`] : []),
    ...(left > 0 ? [`note: ${left} checks of the recording are not known here and are left out`] : []),
  ]
  return lines.map(printable)
}

import type { ReachableConfig } from '../config/config.ts'
import { defaults } from '../config/defaults.ts'
import { systemClock } from '../http/transport/clock.ts'
import { suiteIdentity } from '../package/root.ts'
import { prepareDirectory } from '../report/files/placement.ts'
import { onInterrupt } from '../run/interruption.ts'
import type { RecordingHeader } from '../run/replay/format.ts'
import { readRecording } from '../run/replay/recording-file.ts'
import { type PlacedCheck, select } from '../run/selection/selection.ts'
import { selectionRecord } from '../run/selection/selection-record.ts'
import { apiVersions } from '../spec/versions.ts'
import { atPointer } from '../text/data.ts'
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
  checkMembers(file, header, like)
  const config = configOf(header, options)
  const { requirements } = config
  const suites = await context.suites({ builtInOnly: true, requirements })
  const chosen = select(suites, { areas: options.area ?? config.areas, only: options.only })
  const recorded = new Set(header.lanes.flatMap(({ checks }) => checks))
  const selection = chosen.filter(({ check }) => recorded.has(check.id))
  prepareDirectory(config.report.directory)
  const tell = options.quiet ? () => {} : context.warn
  tell(`${linesOn(file, header, unknown(recorded, chosen, options)).join('\n')}\n`)
  const facts = header.preflight ?? { target: '', reference: false, tokens: [], notes: [] }
  const { readOnly, seed, shard } = header
  const judging = { ...options, seed, ...(readOnly ? { readOnly } : {}) }
  const interruption = onInterrupt()
  const isNarrower = options.only ?? options.area ?? options.apiVersion
  const chosenPart = { ...options, readOnly, shard }
  const selected = isNarrower ? selectionRecord(selection, config, chosenPart, suites) : header.selection
  const call = { ...context, config, selection, selected, shard, options: judging, facts }
  const { signal } = interruption
  const judged = judgeAndReport({ ...call, signal, begun: systemClock.now(), replay: recording })
  return judged.finally(() => interruption.stop())
}

/** A header with a member of each type that judging requires. */
const like = {
  ...{ run: '', seed: 0, startedAt: '', suite: { name: '', version: '' } },
  lanes: [{ lane: '', checks: [''] }],
  config: {
    ...{
      target: { baseUrl: '' },
      versions: [''],
      areas: [''],
      claims: { except: [''] },
      tokens: [{ kind: '', secret: '' }],
      needs: {},
    },
    ...{ limits: { concurrency: 0, timeoutSeconds: 0 }, polling: { obey: true }, gate: { strict: true } },
    ...{ waivers: [{ check: '', expires: '' }], report: { bodies: '' } },
  },
}

/** Throws {@link UsageError} for the first member of a recording that has another type than in `wanted`. */
function checkMembers(file: string, value: unknown, wanted: unknown, path: readonly (string | number)[] = []): void {
  const isOther = typeof value !== typeof wanted || Array.isArray(value) !== Array.isArray(wanted) || value === null
  const isNoDate = path.join() === 'startedAt' && Number.isNaN(Date.parse(String(value)))
  const isNoVersion = path[1] === 'versions' && path.length === 3 && !apiVersions.some((version) => version === value)
  if (isOther || isNoDate || isNoVersion)
    throw new UsageError(`the recording ${file} is damaged and cannot be replayed: "${path.join('.')}" is ${show(value)}`)
  if (typeof wanted !== 'object' || wanted === null) return
  const members = Array.isArray(value) ? [...value.keys()] : Object.keys(wanted)
  for (const name of members) {
    const [member, its] = [atPointer(value, `/${name}`), atPointer(wanted, `/${Array.isArray(wanted) ? 0 : name}`)]
    if (its !== undefined) checkMembers(file, member, its, [...path, name])
  }
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

/** The number of recorded checks that this release does not know; 0 for a run of chosen checks only. */
function unknown(recorded: ReadonlySet<string>, chosen: readonly PlacedCheck[], { only, area }: RunOptions): number {
  if (only || area) return 0
  const known = new Set(chosen.map(({ check }) => check.id))
  return [...recorded].filter((id) => !known.has(id)).length
}

function linesOn(file: string, { config: { target, versions }, startedAt, suite }: RecordingHeader, left: number): string[] {
  const other = suite.version !== suiteIdentity.version || suite.name !== suiteIdentity.name
  const lines = [
    `recording      ${file}, made on ${startedAt}`,
    `target         ${target.baseUrl} (nothing is sent to it)`,
    `versions       ${versions.join(', ')}`,
    ...(other
      ? [
          `note: the recording was made by ${suite.name} ${suite.version} and is judged by ${suiteIdentity.name} ${suiteIdentity.version}`,
        ]
      : []),
    ...(left > 0 ? [`note: ${left} checks of the recording are not known here and are left out`] : []),
  ]
  return lines.map(printable)
}

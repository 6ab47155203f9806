import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import type { ReachableConfig } from '../../config/config.ts'
import type { Obstacle } from '../../doctor/obstacle.ts'
import { preflightWithin } from '../../doctor/preflight.ts'
import { type NamedSecret, Redactor } from '../../http/redaction/redaction.ts'
import { systemClock } from '../../http/transport/clock.ts'
import type { PreflightRecord } from '../../record/preflight-record.ts'
import type { RunRecords } from '../../record/report-parts.ts'
import type { ShardRecord } from '../../record/run-record.ts'
import { exitCode } from '../../record/verdict.ts'
import { addToHistory } from '../../report/files/history.ts'
import { type Leak, withholdRecording, withoutSecrets } from '../../report/files/leaks.ts'
import { isRunDirectory, prepareDirectory, replaceReports } from '../../report/files/placement.ts'
import { writeReports } from '../../report/files/write.ts'
import { Progress } from '../../report/terminal/progress.ts'
import { renderConclusion } from '../../report/terminal/summary.ts'
import { terminalOf } from '../../report/terminal/terminal.ts'
import { type RunListener, silent } from '../../run/engine/engine.ts'
import type { LaneName } from '../../run/engine/messages.ts'
import { onInterrupt } from '../../run/interruption.ts'
import { labelOfToken } from '../../run/needs/tokens.ts'
import { discardParts, isRecordingWhole, prepareRecording } from '../../run/replay/recording-file.ts'
import { type JudgingOptions, judgeTarget } from '../../run/run.ts'
import { splitSelection } from '../../run/selection/cross-version.ts'
import type { PlacedCheck } from '../../run/selection/selection.ts'
import { shardRecord } from '../../run/selection/shards.ts'
import type { Suite } from '../../suite/check.ts'
import { UsageError } from '../../text/errors.ts'
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
  /** The file that the run is recorded in. */
  record?: string | undefined
  /** How long to wait for the target. Seconds. */
  wait?: number | undefined
}

/** Where the command writes. */
type Output = Pick<Surroundings, 'print' | 'warn'>
/** The exit code of a run whose reports are not whole. */
const inconclusive = 3

/** How often a watch looks whether the target is there. Milliseconds. */
const lookEvery = 1000

/** One call of the command: what is judged, how, and where it prints. */
export interface Call extends Output {
  readonly facts: PreflightRecord
  readonly config: ReachableConfig
  readonly selection: readonly PlacedCheck[]
  readonly shard: ShardRecord | undefined
  readonly options: RunOptions
  readonly replay?: JudgingOptions['replay']
  /** When the run began, by the system's clock. Milliseconds. */
  readonly begun: number
  /** Ends the run. */
  readonly signal: AbortSignal
  /** What no output may contain; the provider's own are added as it gives them. */
  readonly secrets: NamedSecret[]
}

/** Judges a target and writes the reports; resolves to the exit code. Throws `UsageError`. */
export async function runCommand(options: RunOptions, suites: readonly Suite[], { print, warn }: Output): Promise<number> {
  const chosen = effectiveConfig(options, suites)
  const selection = chosenChecks(chosen, options, suites)
  const shard = options.shard && shardRecord(chosenChecks(chosen, { ...options, shard: undefined }, suites), options.shard)
  const { record } = options
  prepareDirectory(chosen.report.directory)
  if (record !== undefined) prepareRecording(record)
  // The parser of HTTP answers is WebAssembly: to optimise it takes each thread 35 MiB for a moment, and more time than it saves.
  setFlagsFromString('--liftoff-only')
  const interruption = onInterrupt()
  const work = async (config: ReachableConfig) => {
    const tell = options.quiet ? () => {} : warn
    tell(`${subjectLines(config).join('\n')}\n`)
    const { signal } = interruption
    const begun = systemClock.now()
    const { facts, obstacle } = await preflightWithin(config, selection, {
      wait: options.wait ?? 0,
      tell,
      signal,
      run: randomUUID(),
    })
    const call = { config, selection, shard, options, facts, print, warn, secrets: secretsOf(config), signal, begun }
    if (obstacle?.kind === 'configuration') throw notBegun(call, obstacle)
    if (obstacle) return reportUnreachable(call, obstacle)
    tell(facts.notes.map((note) => `note: ${note}\n`).join(''))
    return options.watch ? judgeAgain(call) : judgeAndReport(call)
  }
  return withTarget(chosen, work).finally(() => {
    interruption.stop()
    if (record !== undefined) discardParts(record)
  })
}

/** The secrets that are known before the run. */
export function secretsOf({ tokens, target }: ReachableConfig): NamedSecret[] {
  const configured = tokens.map((token, index) => ({ secret: token.secret, label: labelOfToken(token, index) }))
  const ofDialect = Object.entries(target.dialect?.secrets ?? {}).map(([label, secret]) => ({ secret, label }))
  return [...configured, ...ofDialect]
}

/** The error of a run that cannot begin. What an earlier run left in its directory would be taken for this one's, so it goes. */
function notBegun({ config }: Call, { sentence }: Obstacle): UsageError {
  const { directory } = config.report
  if (isRunDirectory(directory)) replaceReports(directory, [])
  return new UsageError(sentence)
}

/** Records every check as errored, so that whatever reads the reports learns of it, and says why in one sentence. */
async function reportUnreachable(call: Call, { sentence }: Obstacle): Promise<number> {
  const { config, selection, options, facts } = call
  const records = await judgeTarget(config, selection, { seed: options.seed, listener: silent, unreachable: sentence })
  const { directory, formats } = config.report
  writeReports(directory, withFacts(records, facts), formats)
  call.warn(`service-conformance: ${sentence}\n`)
  return exitCode(records.run)
}

/** Judges once, writes the reports and says what they say; resolves to the exit code. */
export async function judgeAndReport(call: Call): Promise<number> {
  const records = await judgeOnce(call, call.selection)
  const recording = recordingOf(call)
  const whole = writeAndShow(call, records, call.options.quiet ?? false, recording)
  if (!call.options.quiet) call.print(recording.filter(existsSync).map(sizeLine).join(''))
  tellGithub(records, call.print)
  if (whole) return exitCode(records.run)
  call.print(`exit code ${inconclusive}, whatever the gate says: the reports are not whole\n`)
  return inconclusive
}

/** The recording of the run, which is looked through for secrets like every report. */
function recordingOf({ options: { record }, signal, warn }: Call): string[] {
  if (record === undefined) return []
  if (isRecordingWhole(record)) return [record]
  const why = signal.aborted ? 'was interrupted before its recording was whole' : 'could not be recorded'
  warn(`service-conformance: the run ${why}; nothing was written to ${record}\n`)
  return []
}

function sizeLine(file: string): string {
  const bytes = statSync(file).size
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
  return `recorded in ${file} (${size}); replay it with --replay ${file}\n`
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

async function judgeOnce(call: Call, selection: readonly PlacedCheck[]): Promise<RunRecords> {
  const { config, options, facts, shard, signal, secrets, replay, warn } = call
  const { readOnly, maxRequests, seed, quiet, record } = options
  const progress = quiet ? undefined : new Progress(process.stderr, countsOf(config, selection))
  const id = randomUUID()
  const unreleased = () => {
    if (config.provider !== undefined) warn(`warning: the provider was not asked to release what it gave to the run ${id}\n`)
  }
  const { run, reports } = await judgeTarget(config, selection, {
    ...{ readOnly, maxRequests, seed, shard, replay, signal, run: id, begun: beginOf(call) },
    record: record === undefined ? undefined : { file: record, preflight: facts },
    listener: { ...listenerFor(progress ?? silent, secrets), unreleased },
  }).finally(() => progress?.end())
  return withFacts({ run, reports }, facts)
}

/** The preflight counts, but for what the run was told to wait; the later runs of a watch begin when they begin. */
function beginOf({ options, begun }: Call): number | undefined {
  return options.wait || options.watch ? undefined : begun
}

/** A listener that shows progress and collects secrets. */
function listenerFor(shown: RunListener, secrets: NamedSecret[]): RunListener {
  return {
    check: (lane, record) => shown.check(lane, record),
    requests: (lane, sent) => shown.requests(lane, sent),
    waiting: (lane, waiting) => shown.waiting(lane, waiting),
    secret: (named) => void secrets.push(named),
  }
}

/** The records with what the preflight found, beside the target that it is about. */
function withFacts({ run, reports }: RunRecords, preflight: PreflightRecord): RunRecords {
  const { format, formatVersion, suite, target, ...rest } = run
  return { run: { format, formatVersion, suite, target, preflight, ...rest }, reports }
}

/** Writes the reports, and shows what they say unless told to be quiet; false when one had to be withheld. */
function writeAndShow(call: Call, records: RunRecords, quiet: boolean, more: readonly string[] = []): boolean {
  const { config, print, warn } = call
  const redactor = redactorOf(call.secrets)
  const { directory, formats } = config.report
  // A secret that became known late may be in an earlier record.
  const safe = withoutSecrets(records, redactor)
  const written = writtenReports(call, safe, redactor)
  const leaks = [...(typeof written === 'string' ? [] : written), ...more.flatMap((file) => withholdRecording(file, redactor))]
  const view = { ...terminalOf(process.stdout), formats }
  if (!quiet) print(`${redactor.redact(renderConclusion(safe.run, safe.reports, directory, view).join('\n'))}\n`)
  if (typeof written === 'string') warn(written)
  for (const { file, label } of leaks)
    print(`${file} was withheld: it contained the secret ${label}. Please report this error of the suite.\n`)
  return leaks.length === 0 && typeof written !== 'string'
}

/** The reports that were withheld; a sentence where the directory accepts none, as on a full disk. */
function writtenReports({ config }: Call, records: RunRecords, redactor: Redactor): readonly Leak[] | string {
  const { directory, formats, history } = config.report
  try {
    const leaks = writeReports(directory, records, formats, redactor)
    if (history) addToHistory(directory, records)
    return leaks
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    return `service-conformance: the reports were not written to ${directory}: ${error.message}. The reports of the former run are unchanged\n`
  }
}

function redactorOf(secrets: readonly NamedSecret[]): Redactor {
  const redactor = new Redactor()
  for (const { secret, label } of secrets) redactor.add(secret, label)
  return redactor
}

function countsOf(config: ReachableConfig, selection: readonly PlacedCheck[]): (lane: LaneName) => number {
  const { perVersion, across } = splitSelection(selection, config.versions)
  return (lane) => (lane === 'across' ? across : perVersion).length
}

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { ReachableConfig } from '../../config/config.ts'
import { preflightWithin } from '../../doctor/preflight.ts'
import type { Obstacle } from '../../doctor/reachability.ts'
import { outputText } from '../../http/redaction/output-text.ts'
import type { PreflightRecord } from '../../record/preflight-record.ts'
import type { ProgressEvent } from '../../record/progress-event.ts'
import type { RunRecords } from '../../record/report-lanes.ts'
import { exitCode } from '../../record/verdict.ts'
import { isRunDirectory } from '../../report/files/ownership.ts'
import { directoryBesideOthers, leftReports, replaceReports } from '../../report/files/placement.ts'
import { appendToFile } from '../../report/files/regular-file.ts'
import { addToHistory, writeReports } from '../../report/files/write.ts'
import { githubAnnotations } from '../../report/formats/annotations.ts'
import { renderMarkdown } from '../../report/formats/markdown.ts'
import { showProgress } from '../../report/terminal/progress.ts'
import { renderConclusion } from '../../report/terminal/summary.ts'
import { causeLimit } from '../../report/view/cause-limit.ts'
import type { RunListener } from '../../run/engine/lane-outcome.ts'
import { type JudgingOptions, judgeTarget } from '../../run/run.ts'
import { countApplicable, type PlacedCheck } from '../../run/selection/selection.ts'
import { isSystemError, messageOf, UsageError } from '../../text/errors.ts'
import { counted } from '../../text/format.ts'
import { wrapped } from '../../text/table.ts'
import { nextTrigger, watch } from '../../watch/watch.ts'
import type { RunOptions } from './command.ts'
import type { Output } from './streams.ts'
import { subjectLines } from './target.ts'

/** The exit code of a run whose reports are incomplete. */
export const inconclusive = 3
/** How long a watch waits for a restarted target, unless `--wait` states another time. Seconds. */
const startsWithin = 10

/** One call of the command: the target, the checks, the options and the output. */
interface Call
  extends Output,
    Pick<JudgingOptions, 'shard' | 'selected'>,
    Pick<RunListener, 'exchange'> {
  readonly config: ReachableConfig
  readonly selection: readonly PlacedCheck[]
  readonly options: RunOptions
  /** Restarts the server of `target.start`. */
  readonly restart?: (() => Promise<void>) | undefined
  /** The begin of the run by the system's clock. Milliseconds. */
  readonly begun: number
  /** Ends the run. */
  readonly signal: AbortSignal
}

/** A call after its preflight. */
interface PreparedCall extends Call {
  readonly facts: PreflightRecord
}

/** Examines a target, judges it once or as a watch, and writes the reports. Resolves to the exit code. Throws {@link UsageError}. */
export async function judgeAfterPreflight(call: Call): Promise<number> {
  const { config, selection, options, signal } = call
  const warn = options.quiet ? () => {} : call.warn
  warn(wrapped(subjectLines(config)))
  const { facts, obstacle, begun } = await preflightWithin(config, selection, {
    wait: options.wait ?? 0,
    warn,
    signal,
    begun: call.begun,
  })
  const prepared = { ...call, facts, begun }
  if (obstacle?.kind === 'configuration') {
    // Reports of an earlier run would seem to be those of this run.
    const { directory } = config.report
    if (isRunDirectory(directory) && directoryBesideOthers(directory) === directory)
      replaceReports(directory, () => [])
    throw new UsageError(obstacle.sentence)
  }
  if (obstacle) return reportUnreachable(prepared, obstacle)
  warn(wrapped(facts.notes.map((note) => `note: ${note}\n`).join('')))
  return options.watch ? judgeAgain(prepared) : judgeAndReport(prepared)
}

/** Records every check as errored, so that every reader of the reports sees it, and warns with the reason. */
async function reportUnreachable(call: PreparedCall, { sentence }: Obstacle) {
  const { config, selection, selected, options, facts } = call
  const records = await judgeTarget(config, selection, {
    seed: options.seed,
    selected,
    unreachable: sentence,
    preflight: facts,
  })
  // A page of errored checks alone says no more than the sentence.
  const formats = config.report.formats.filter((format) => format !== 'html')
  const { problem } = writtenReports(call, records, formats)
  call.warn(`${problem}service-conformance: ${sentence}\n`)
  return exitCode(records.run)
}

/** Judges once, writes the reports and prints their summary; resolves to the exit code. */
async function judgeAndReport(call: PreparedCall) {
  const records = await judgeOnce(call, call.selection)
  const whole = writeAndShow(call, records, call.options.quiet ?? false)
  reportToGithub(records, call)
  if (whole) return exitCode(records.run)
  call.print(
    `exit code ${inconclusive} instead of the gate's, because the reports are incomplete\n`,
  )
  return inconclusive
}

/** Judges again at each trigger, until the watch ends; resolves to the exit code of the last run. */
async function judgeAgain(call: PreparedCall) {
  const { run } = await watch(call.selection, {
    judge: (chosen) => judgeOnce(call, chosen),
    wait: () => triggered(call),
    print: call.print,
    conclude: (records, first) =>
      void writeAndShow(call, records, !first || (call.options.quiet ?? false)),
  })
  return exitCode(run)
}

/** The next trigger after which the target can be judged: its server starts again, and the preflight finds no obstacle. */
async function triggered(call: PreparedCall) {
  const { config, selection, options, signal, warn } = call
  const trigger = signal.aborted ? 'end' : await nextTrigger(process.stdin, config.target.baseUrl)
  if (trigger === 'end') return trigger
  const examine = () =>
    preflightWithin(config, selection, { wait: options.wait ?? startsWithin, warn, signal })
  const problem = await Promise.resolve(call.restart?.())
    .then(examine)
    .then(({ obstacle }) => obstacle?.sentence, messageOf)
  if (signal.aborted) return 'end'
  if (problem === undefined) return trigger
  warn(`${problem}\npress Enter or restart the target to judge again\n`)
  return triggered(call)
}

async function judgeOnce(call: PreparedCall, selection: readonly PlacedCheck[]) {
  const { config, options, facts, shard, selected, signal, warn } = call
  const { readOnly, quick, bail, maxRequests, seed } = options
  const id = randomUUID()
  const progress = progressOf(call, selection)
  const limit = causeLimit(bail ?? Number.POSITIVE_INFINITY, config.gate)
  const listener = {
    progress(event: ProgressEvent) {
      progress?.receive(event)
      if (limit.note(event))
        progress?.print(
          `${counted(bail ?? 0, 'cause')} of failures found: no further check begins (--bail)`,
        )
    },
    exchange: call.exchange,
    unreleased() {
      progress?.end()
      if (config.provider !== undefined)
        warn(`warning: the provider was not asked to remove the test data of the run ${id}\n`)
    },
  }
  const chosen = {
    readOnly,
    quick,
    enough: limit.signal,
    maxRequests,
    seed,
    shard,
    selected,
    signal,
  }
  const begun = options.watch ? undefined : call.begun
  const how = { ...chosen, run: id, begun, listener, preflight: facts }
  return judgeTarget(config, selection, how).finally(() => progress?.end())
}

function progressOf(
  { config, options, progress }: PreparedCall,
  selection: readonly PlacedCheck[],
) {
  if (options.quiet) return undefined
  const totals = countApplicable(selection, config, options.readOnly)
  return showProgress(progress, {
    totals,
    patience: options.quick ? undefined : config.polling.maxWaitSeconds,
  })
}

/** Writes the reports, and prints their summary unless `quiet`; false when a report is missing or withheld. */
function writeAndShow(call: PreparedCall, records: RunRecords, quiet: boolean) {
  const { config, print, warn, colours } = call
  const { directory, leaks, problem } = writtenReports(call, records)
  const view = { colours, formats: config.report.formats, verbose: call.options.verbose ?? false }
  if (!quiet) print(wrapped(renderConclusion(records.run, records.reports, directory, view)))
  if (!quiet && call.options.open && directory !== undefined)
    openPage(resolve(directory, 'report.html'), warn)
  warn(problem)
  for (const { file, label, withheld } of leaks) {
    const done = withheld ? `${file} was withheld: it contained` : `${file}: a name replaced`
    print(`${done} the secret ${label}. Please report this error of the suite.\n`)
  }
  return leaks.every(({ withheld }) => !withheld) && directory !== undefined
}

/** Writes the reports. Returns their directory, the reports with a secret, and a line about another directory or a failure. */
function writtenReports(
  { config, options }: PreparedCall,
  records: RunRecords,
  formats: readonly string[] = [...config.report.formats, ...(options.open ? ['html'] : [])],
) {
  const { directory: wanted, history } = config.report
  const directory = directoryBesideOthers(wanted)
  try {
    const leaks = writeReports(directory, { ...records, isWatched: options.watch }, formats)
    const moved = `warning: another run wrote its reports to ${wanted} meanwhile; those of this run are in ${directory}\n`
    const problem = directory === wanted ? '' : moved
    return { directory, leaks, problem: problem + (history ? historyProblem(wanted, records) : '') }
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof UsageError)) throw error
    const left = leftReports(directory)
    const problem = `service-conformance: writing the reports to ${directory} failed: ${error.message}. ${left}\n`
    return { directory: undefined, leaks: [], problem }
  }
}

/** Adds the run to the history of a directory. Returns a line about a failure. */
function historyProblem(directory: string, records: RunRecords) {
  try {
    addToHistory(directory, records)
    return ''
  } catch (error) {
    return `warning: the run was not added to the history in ${directory}: ${messageOf(error)}\n`
  }
}

/** Opens a page in the user's browser. */
function openPage(file: string, warn: Output['warn']) {
  const program = { darwin: 'open', win32: 'explorer' }[process.platform as string] ?? 'xdg-open'
  const opening = spawn(program, [file], { detached: true, stdio: 'ignore' })
  opening
    .on('error', ({ message }) => warn(`warning: ${file} was not opened: ${message}\n`))
    .unref()
}

/** In GitHub Actions: prints annotations and appends the job summary. */
function reportToGithub(records: RunRecords, { annotate, warn }: Output) {
  const { GITHUB_ACTIONS: isGithub, GITHUB_STEP_SUMMARY: summary } = process.env
  if (isGithub !== 'true') return
  for (const command of githubAnnotations(records)) annotate(command)
  try {
    if (summary) appendToFile(summary, outputText(renderMarkdown(records)), { follows: true })
  } catch (error) {
    warn(`warning: the job summary was not written to GITHUB_STEP_SUMMARY: ${messageOf(error)}\n`)
  }
}

import fs from 'node:fs'
import type { ReachableConfig } from '../../config/config.ts'
import type { ReceivedResponse } from '../../http/exchange/exchange.ts'
import type { NoAnswerTraits } from '../../http/exchange/no-answer.ts'
import { currentScope } from '../../http/transport/time/scope.ts'
import { defectOf } from '../../package/schemas.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { messageOf, UsageError } from '../../text/errors.ts'
import { show } from '../../text/format.ts'
import type { ProviderAnswer } from '../needs/provider.ts'
import type { RunPlan } from '../selection/selection.ts'

/** The name and the version of the format: one JSON value a line, as `schemas/recording.schema.json` describes it. */
const recordingFormat = { format: 'service-conformance-recording', formatVersion: 3 } as const

/** The longest streamed body that a recording contains. Bytes. */
export const longestStream = 8 * 1024 * 1024

/** The first line: the facts of a run that its replay needs. Placeholders replace the secrets. */
export interface RecordingHeader extends Pick<RunPlan, 'run' | 'seed' | 'readOnly'>, RecordedPart {
  readonly startedAt: string
  readonly lanes: readonly { readonly lane: LaneName; readonly checks: readonly string[] }[]
  /** The configuration without its provider and its own suites. */
  readonly config: Omit<ReachableConfig, 'provider' | 'suites' | 'file'>
  /** True for a run with a provider. */
  readonly provider: boolean
}

type RecordedPart = Pick<RunRecord, 'suite'> & { [Name in 'preflight' | 'shard' | 'selection']?: RunRecord[Name] | undefined }

/** A request to the target or for test data, with its result. A replay finds it by its first four members. */
export interface RecordedEvent {
  readonly lane: LaneName
  /** The id of the check, or the name of the shared task, that sent the request. */
  readonly scope: string
  readonly request: unknown
  /** The number of the event among those with the same lane, scope and request. */
  readonly n: number
  /** The times from the start of the run until a request to the target was sent and until it ended. Milliseconds. */
  readonly at?: number
  readonly endedAt?: number
  readonly response?: Omit<ReceivedResponse, 'body'> & { readonly body?: number }
  readonly answer?: ProviderAnswer
  readonly failure?: { readonly message: string; readonly traits?: NoAnswerTraits }
}

/** Numbers the events of a lane within their scopes, so that a replay finds them in any order of the checks. */
export function eventCounter(): (lane: LaneName, request: unknown) => RecordedEvent {
  const counts = new Map<string, number>()
  return (lane, request) => {
    const scope = currentScope()
    const key = JSON.stringify([lane, scope, request])
    const n = (counts.get(key) ?? 0) + 1
    counts.set(key, n)
    return { lane, scope, request, n }
  }
}

/** A recording that is being written. */
export type RecordingFile = ReturnType<typeof openRecording>

/** Opens a recording. Its file gets its name when the recording is complete. */
export function openRecording(file: string) {
  // Two runs that record in the same file write separate parts.
  const part = `${file}.${process.pid}.part`
  const descriptor = fs.openSync(part, 'w')
  let state: 'open' | 'failed' | 'whole' = 'open'
  // A full disk must not change the verdict of a check. The recording then stays incomplete.
  const attempt = (work: () => void, next: typeof state) => {
    try {
      if (state !== 'open') return
      work()
      state = next
    } catch {
      state = 'failed'
    }
  }
  const write = (line: object) => attempt(() => fs.appendFileSync(descriptor, `${JSON.stringify(line)}\n`), 'open')
  return {
    begin: (header: RecordingHeader) => write({ ...recordingFormat, ...header }),
    write,
    close() {
      attempt(() => fs.closeSync(descriptor), 'open')
      attempt(() => fs.renameSync(part, file), 'whole')
    },
    isWhole: () => state === 'whole',
    /** Removes an incomplete recording. */
    discard: () => fs.rmSync(part, { force: true }),
  }
}

/** The parts of a recording. Events refer to bodies by number; the notes are observations about the connections. */
export type Recording = ReturnType<typeof readRecording>

/** Reads a recording. Throws {@link UsageError} for a file that is no complete recording; the message names the wrong member. */
export function readRecording(file: string) {
  if (!fs.existsSync(file)) throw new UsageError(`there is no file ${file}`)
  if (fs.statSync(file).isDirectory()) throw new UsageError(`${file} is a folder; a recording is accepted`)
  const [header, ...lines] = linesOf(file)
  if (header?.format !== recordingFormat.format)
    throw new UsageError(`${file} is no recording of a run; "run --record FILE" writes one`)
  const version = header.formatVersion
  if (version !== recordingFormat.formatVersion)
    throw new UsageError(`${file} has the format version ${show(version)}; this release reads ${recordingFormat.formatVersion}`)
  const end = lines.pop()
  if (end?.end !== true) throw damaged(file, 'its end is missing')
  const check = <Kind>(line: Line, kind: string) => {
    const defect = defectOf(`recording#/$defs/${kind}`, line)
    if (defect !== undefined) throw damaged(file, defect)
    return line as Kind
  }
  return {
    header: check<RecordingHeader>(header, 'header'),
    events: lines.filter((line) => 'scope' in line).map((line) => check<RecordedEvent>(line, 'event')),
    bodies: new Map(lines.filter((line) => !('scope' in line)).map((line) => bodyOf(check(line, 'body')))),
    notes: check<{ readonly notes: readonly string[] }>(end, 'end').notes,
  }
}

function bodyOf({ body, text, base64 = '' }: { body: number; text?: string; base64?: string }): [number, Buffer] {
  return [body, text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text)]
}

type Line = Readonly<Record<string, unknown>>

function linesOf(file: string): Line[] {
  try {
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n')
    return lines.map((line) => Object(JSON.parse(line)))
  } catch (error) {
    throw damaged(file, messageOf(error))
  }
}

function damaged(file: string, reason: string): UsageError {
  return new UsageError(`the recording ${file} is damaged and cannot be replayed: ${reason}`)
}

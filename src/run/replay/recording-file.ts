import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { defectOf } from '../../package/schemas.ts'
import { messageOf, UsageError } from '../../text/errors.ts'
import { show } from '../../text/format.ts'
import { type RecordedEvent, type RecordingHeader, recordingFormat } from './format.ts'

/** The temporary file of a recording. Two runs that record in one file have one each. */
function partOf(file: string): string {
  return `${file}.${process.pid}.part`
}

/** Throws {@link UsageError} where no recording can be written. */
export function prepareRecording(file: string): void {
  if (existsSync(file) && statSync(file).isDirectory())
    throw new UsageError(`the run cannot be recorded in ${file}: it is a folder; a file is accepted`)
  try {
    writeFileSync(partOf(file), '')
  } catch (error) {
    throw new UsageError(`the run cannot be recorded in ${file}: ${messageOf(error)}`)
  }
}

/** True when this run has completed its recording. */
export function isRecordingWhole(file: string): boolean {
  return !existsSync(partOf(file)) && existsSync(file)
}

/** Removes an incomplete recording of this run. */
export function discardPart(file: string): void {
  rmSync(partOf(file), { force: true })
}

/** Writes a recording. The file gets its name when it is complete. */
export function openRecording(file: string) {
  const descriptor = openSync(partOf(file), 'w')
  let isFailed = false
  return {
    /** A full disk must not change the verdict of a check. The recording then stays incomplete. */
    write(line: object) {
      try {
        appendFileSync(descriptor, `${JSON.stringify(line)}\n`)
      } catch {
        isFailed = true
      }
    },
    close() {
      closeSync(descriptor)
      if (!isFailed) renameSync(partOf(file), file)
    },
  }
}

/** A recording in its parts; events refer to bodies by their numbers, and the notes are observations about the connections. */
export interface Recording {
  readonly header: RecordingHeader
  readonly events: readonly RecordedEvent[]
  readonly bodies: ReadonlyMap<number, Buffer>
  readonly notes: readonly string[]
}

/** Reads a recording. Throws {@link UsageError} for a file that is not a complete recording, with the member that has another form. */
export function readRecording(file: string): Recording {
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`)
  if (statSync(file).isDirectory()) throw new UsageError(`${file} is a folder; a recording is accepted`)
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
  const [events, bodies] = [lines.filter((line) => 'scope' in line), lines.filter((line) => !('scope' in line))]
  return {
    header: check(header, 'header'),
    events: events.map((line) => check(line, 'event')),
    bodies: new Map(bodies.map((line) => bodyOf(check(line, 'body')))),
    notes: check<Pick<Recording, 'notes'>>(end, 'end').notes,
  }
}

function bodyOf({ body, text, base64 = '' }: { body: number; text?: string; base64?: string }): [number, Buffer] {
  return [body, text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text)]
}

type Line = Readonly<Record<string, unknown>>

function linesOf(file: string): Line[] {
  try {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    return lines.map((line) => Object(JSON.parse(line)))
  } catch (error) {
    throw damaged(file, messageOf(error))
  }
}

function damaged(file: string, reason: string): UsageError {
  return new UsageError(`the recording ${file} is damaged and cannot be replayed: ${reason}`)
}

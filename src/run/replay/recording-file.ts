import { constants } from 'node:buffer'
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
import { gunzipSync, gzipSync } from 'node:zlib'
import { messageOf, UsageError } from '../../text/errors.ts'
import { type RecordingHeader, type RecordingLine, recordingFormat } from './format.ts'

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

/** The length of the text that is compressed at once. Characters. */
const batch = 1024 * 1024

/** Writes a recording. The file gets its name when it is complete. */
export class RecordingFile {
  readonly #file: string
  readonly #descriptor: number
  #text = ''
  #isFailed = false

  constructor(file: string) {
    this.#file = file
    this.#descriptor = openSync(partOf(file), 'w')
  }

  write(line: RecordingLine): void {
    this.#text += `${JSON.stringify(line)}\n`
    if (this.#text.length > batch) this.#flush()
  }

  close(): void {
    this.#flush()
    closeSync(this.#descriptor)
    if (!this.#isFailed) renameSync(partOf(this.#file), this.#file)
  }

  /** A full disk must not change the verdict of a check. The recording then stays incomplete. */
  #flush(): void {
    try {
      appendFileSync(this.#descriptor, gzipSync(this.#text))
    } catch {
      this.#isFailed = true
    }
    this.#text = ''
  }
}

/** The header of a recording and its other lines. Throws {@link UsageError} for a file that is not a complete recording. */
export function readRecording(file: string): { header: RecordingHeader; lines: RecordingLine[] } {
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`)
  if (statSync(file).isDirectory()) throw new UsageError(`${file} is a folder; a recording is accepted`)
  const lines = linesOf(file)
  const header = lines.shift() as Partial<RecordingHeader> | null | undefined
  if (header?.format !== recordingFormat.format)
    throw new UsageError(`${file} is no recording of a run; "run --record FILE" writes one`)
  const { formatVersion, suite, config, lanes, startedAt, seed } = header
  if (formatVersion !== recordingFormat.formatVersion) {
    const readable = `this release reads version ${recordingFormat.formatVersion}`
    throw new UsageError(`${file} is a recording of format version ${String(formatVersion)}; ${readable}`)
  }
  if ([suite, config, lanes, startedAt, seed].includes(undefined)) throw damaged(file, 'its first line is not complete')
  if (!('end' in (lines.at(-1) ?? {}))) throw damaged(file, 'its end is missing')
  return { header: header as RecordingHeader, lines }
}

function linesOf(file: string): RecordingLine[] {
  try {
    const text = gunzipSync(readFileSync(file), { maxOutputLength: constants.MAX_STRING_LENGTH }).toString()
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  } catch (error) {
    throw damaged(file, messageOf(error))
  }
}

function damaged(file: string, reason: string): UsageError {
  return new UsageError(`the recording ${file} is damaged and cannot be replayed: ${reason}`)
}

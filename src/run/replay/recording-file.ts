import { once } from 'node:events'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, type Gzip } from 'node:zlib'
import { messageOf, UsageError } from '../../text/errors.ts'
import { type RecordingHeader, type RecordingLine, recordingFormat } from './format.ts'
import { isAlive } from './process-alive.ts'

/** Where a recording is written until it is whole; two runs that record in one file write a part each. */
function partOf(file: string): string {
  return `${file}.${process.pid}.part`
}

/** Throws {@link UsageError} where no recording can be written. */
export function prepareRecording(file: string): void {
  if (existsSync(file) && statSync(file).isDirectory())
    throw new UsageError(`the run cannot be recorded in ${file}: it is a folder; a file is accepted`)
  try {
    discardParts(file)
    writeFileSync(partOf(file), '')
  } catch (error) {
    throw new UsageError(`the run cannot be recorded in ${file}: ${messageOf(error)}`)
  }
}

/** True when the run has closed its recording, so that the file is the recording of this run. */
export function isRecordingWhole(file: string): boolean {
  return !existsSync(partOf(file)) && existsSync(file)
}

/** Removes the parts of recordings that no run will close any more: this run's own, and those of runs that were killed. */
export function discardParts(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    const [, pid] = name.startsWith(basename(file)) ? (/^\.(\d+)\.part$/.exec(name.slice(basename(file).length)) ?? []) : []
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid))))
      rmSync(join(dirname(file), name), { force: true })
  }
}

/** A recording that is being written, compressed as it comes; it takes its place when it is closed. */
export class RecordingFile {
  readonly #file: string
  readonly #gzip: Gzip = createGzip()
  readonly #written: Promise<void>
  #drained: Promise<unknown> | undefined

  constructor(file: string) {
    this.#file = file
    this.#written = pipeline(this.#gzip, createWriteStream(partOf(file)))
    // Told by `close`.
    this.#written.catch(() => {})
  }

  write(line: RecordingHeader | RecordingLine): void {
    if (this.#gzip.destroyed || this.#gzip.write(`${JSON.stringify(line)}\n`)) return
    this.#drained ??= once(this.#gzip, 'drain')
      .catch(() => {})
      .finally(() => {
        this.#drained = undefined
      })
  }

  /** Resolves when what was written is no longer kept in memory. */
  async drained(): Promise<void> {
    await this.#drained
  }

  /** Throws the file system's error. */
  async close(): Promise<void> {
    this.#gzip.end()
    await this.#written
    renameSync(partOf(this.#file), this.#file)
  }
}

/** The largest recording that is read, so that a small file cannot fill the memory. Characters after decompression. */
const largest = 1024 ** 3

/** The longest line that is read: a body, in base64 or with every character escaped. Characters. */
const longestLine = 256 * 1024 ** 2

/** The lines of a recording. Throws {@link UsageError} for a file that is missing, damaged, not whole or no recording. */
export async function* readRecording(file: string): AsyncGenerator<RecordingHeader | RecordingLine> {
  let read = 0
  let last: unknown
  try {
    for await (const text of linesOf(file)) {
      read += text.length
      if (read > largest) throw new Error(`it is larger than ${largest} characters`)
      const line: RecordingHeader | RecordingLine = JSON.parse(text)
      last = line
      yield line
    }
  } catch (error) {
    throw damaged(file, error)
  }
  if ((last as { type?: unknown } | undefined)?.type !== 'end') throw damaged(file, new Error('its end is missing'))
}

/** The first line of a recording, when all of it can be read. Throws {@link UsageError}. */
export async function readHeader(file: string): Promise<RecordingHeader> {
  let header: RecordingHeader | undefined
  for await (const line of readRecording(file)) header ??= checkedHeader(file, line)
  if (!header) throw damaged(file, new Error('it is empty'))
  return header
}

function checkedHeader(file: string, line: unknown): RecordingHeader {
  const header = line as Partial<RecordingHeader> | null
  if (header?.format !== recordingFormat.format)
    throw new UsageError(`${file} is no recording of a run; "run --record FILE" writes one`)
  if (header.formatVersion !== recordingFormat.formatVersion) {
    throw new UsageError(
      `${file} is a recording of format version ${String(header.formatVersion)}; this release reads version ${recordingFormat.formatVersion}`,
    )
  }
  const parts = [header.suite, header.config, header.target, header.lanes, header.versions, header.startedAt, header.seed]
  if (parts.includes(undefined)) throw damaged(file, new Error('its first line is not complete'))
  return header as RecordingHeader
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const text = createGunzip().setEncoding('utf8')
  // What goes wrong on the way ends the reading below with the same error.
  pipeline(createReadStream(file), text).catch(() => {})
  let rest = ''
  for await (const chunk of text as AsyncIterable<string>) {
    const [first = '', ...more] = chunk.split('\n')
    rest += first
    for (const next of more) {
      yield rest
      rest = next
    }
    if (rest.length > longestLine) throw new Error(`one of its lines is longer than ${longestLine} characters`)
  }
  if (rest !== '') yield rest
}

function damaged(file: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
  if (missing) return new UsageError(`there is no file ${file}`)
  if ((error as NodeJS.ErrnoException).code === 'EISDIR') return new UsageError(`${file} is a folder; a recording is accepted`)
  return new UsageError(`the recording ${file} is damaged and cannot be replayed: ${messageOf(error)}`)
}

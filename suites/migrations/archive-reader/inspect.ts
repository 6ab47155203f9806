import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'
import { messageOf } from '../../../src/text/errors.ts'
import type { JsonCheck } from './json-check.ts'
import {
  type Inspection,
  type InspectionOptions,
  type MemberHeader,
  StopReading,
  Tally,
} from './tally.ts'

/**
 * Reads a tar.gz while it arrives, in bounded memory, without writing. Every fault of the archive is an outcome; only errors of
 * the source are thrown.
 */
export async function inspectArchive(
  source: AsyncIterable<Buffer>,
  options: InspectionOptions,
): Promise<Inspection> {
  const tally = new Tally(options)
  const reader = new TarReader((header) => tally.member(header))
  const end = (outcome: Inspection['outcome'], reason: string) => ({
    outcome,
    reason,
    marked: reader.marked,
    ...tally.content(),
  })
  try {
    for await (const piece of unpack(source, options.limit)) reader.write(piece)
    reader.end()
    return end('readable', '')
  } catch (error) {
    if (error instanceof StopReading) return end(error.outcome, error.message)
    throw error
  }
}

/** Called for every member; returns the receiver of its content, if there is one. */
type OnMember = (header: MemberHeader) => JsonCheck | undefined

const block = 512

/**
 * Reads tar blocks with npm's parser, without following links or writing files. Throws {@link StopReading} for data that is no
 * tar.
 */
class TarReader {
  readonly #parser: Parser
  readonly #onMember: OnMember
  readonly #sinks = new WeakMap<object, JsonCheck>()
  readonly #noted = new WeakSet<object>()
  #stop: unknown
  #bytes = 0
  #sparse = false
  #ended = false
  #complete = false
  /** The end-of-archive marker, or the first block of it, was seen. */
  marked = false

  constructor(onMember: OnMember) {
    this.#onMember = onMember
    this.#parser = new Parser({
      brotli: false,
      zstd: false,
      filter: (_, entry) => this.#wants(entry as ReadEntry),
      onReadEntry: (entry) => this.#read(entry),
      onwarn: (code, message) => this.#warned(code, String(message)),
      ondone: () => {
        this.#ended = true
      },
    } as ConstructorParameters<typeof Parser>[0])
    this.#parser.on('eof', () => {
      this.#complete = true
      this.marked = true
    })
    this.#parser.on('nullBlock', () => {
      this.marked = true
    })
    this.#parser.on('ignoredEntry', (entry: ReadEntry) => this.#ignored(entry))
  }

  write(piece: Buffer) {
    // The parser would unpack apparent gzip data without any limit.
    if (this.#bytes === 0 && piece[0] === 0x1f && piece[1] === 0x8b)
      throw new StopReading('damaged', 'the gzip data does not contain a tar archive')
    this.#bytes += piece.length
    // Behind the end-of-archive marker the parser would collect all further data.
    if (this.#complete) return
    this.#parser.write(piece)
    this.#check()
  }

  end() {
    this.#parser.end()
    this.#check()
    if (!this.marked && this.#bytes % block !== 0) throw damaged('tar', 'it ends within a block')
    if (!this.#ended) throw damaged('tar', 'it ends within a member')
  }

  #check() {
    if (this.#stop) throw this.#stop
  }

  #wants(entry: ReadEntry) {
    this.#noted.add(entry)
    if (this.#stop) return false
    this.marked = false
    try {
      const sink = this.#onMember({ name: entry.path, type: entry.type, size: entry.header.size })
      if (sink) this.#sinks.set(entry, sink)
      return sink !== undefined
    } catch (error) {
      this.#stop = error
      return false
    }
  }

  #read(entry: ReadEntry) {
    const sink = this.#sinks.get(entry)
    entry.on('data', (piece) => sink?.write(piece as Buffer))
    entry.on('end', () => sink?.end())
  }

  #ignored(entry: ReadEntry) {
    if (entry.meta)
      this.#stop ??= new StopReading(
        'unsupported',
        `an extended header of ${entry.size} bytes is not supported`,
      )
    if ((entry.type as string) === 'SparseFile') this.#sparse = true
    // The parser does not ask about members of a type that it does not know.
    if (!entry.meta && !this.#noted.has(entry)) this.#wants(entry)
  }

  #warned(code: string, message: string) {
    if (code === 'TAR_ENTRY_INFO') return
    // A tar without members is one nevertheless.
    if (code === 'TAR_BAD_ARCHIVE' && this.marked && !this.#stop && /unrecognized/i.test(message))
      return
    if (/safe integer/.test(message))
      this.#stop ??= new StopReading(
        'too-large',
        'a member declares a size that is too large to process',
      )
    // GNU's sparse members may carry further headers of their own, which the parser does not know.
    this.#stop ??= this.#sparse
      ? new StopReading('unsupported', 'it contains sparse members, which are not supported')
      : damaged('tar', message)
  }
}

const damaged = (what: string, why: string) =>
  new StopReading('damaged', `the ${what} cannot be read: ${why}`)

/** Large pieces: each one costs a hand-over between threads. */
const chunkSize = 512 * 1024

/** Zero bytes after the gzip data that are accepted as padding, as gzip itself does. */
const longestPadding = 1024 * 1024

/**
 * The content of gzip data, piece by piece. Throws {@link StopReading} when it is damaged or, in either form, longer than
 * `limit`. Errors of the source are passed on.
 */
async function* unpack(source: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Buffer> {
  const input = new Input(source, limit)
  const gunzip = createGunzip({ chunkSize })
  const closed = new Promise<Error | null>((resolve) =>
    gunzip.once('close', () => resolve(gunzip.errored)),
  )
  pipeline(input, gunzip, () => {})
  let unpacked = 0
  try {
    for await (const piece of gunzip) {
      unpacked += piece.length
      if (unpacked > limit)
        throw new StopReading('too-large', `it unpacks to more than ${limit} bytes`)
      yield piece
    }
  } catch (error) {
    if (error instanceof StopReading) throw error
    throw input.failure ?? damaged('gzip data', messageOf(error))
  } finally {
    gunzip.destroy()
  }
  // A stream cut off inside its last bytes ends first and reports its error afterwards.
  const late = await closed
  if (input.failure) throw input.failure
  if (late) throw damaged('gzip data', late.message)
  if (input.length === 0) throw damaged('gzip data', 'it is empty')
  if (input.lastContent > gunzip.bytesWritten)
    throw damaged('gzip data', 'other bytes follow its end')
}

/**
 * Counts the incoming data and gathers it into large pieces. Zero bytes stay together with the preceding data, since the decoder
 * ends at them only within one piece.
 */
class Input implements AsyncIterable<Buffer> {
  /** The size of the data so far. Bytes. */
  length = 0
  /** The position behind the last byte that is not zero. */
  lastContent = 0
  failure: unknown
  readonly #source: AsyncIterable<Buffer>
  readonly #limit: number

  constructor(source: AsyncIterable<Buffer>, limit: number) {
    this.#source = source
    this.#limit = limit
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    let held: Buffer[] = []
    let length = 0
    try {
      for await (const piece of this.#source) {
        if (piece.length === 0) continue
        this.#count(piece)
        if (length >= chunkSize && (piece[0] !== 0 || length >= longestPadding)) {
          yield Buffer.concat(held, length)
          held = []
          length = 0
        }
        held.push(piece)
        length += piece.length
      }
    } catch (error) {
      this.failure = error
      throw error
    }
    if (length > 0) yield Buffer.concat(held, length)
  }

  #count(piece: Buffer) {
    let end = piece.length
    while (end > 0 && piece[end - 1] === 0) end -= 1
    if (end > 0) this.lastContent = this.length + end
    this.length += piece.length
    if (this.length > this.#limit)
      throw new StopReading('too-large', `it is longer than ${this.#limit} bytes`)
  }
}

import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { messageOf } from '../../../src/text/errors.ts'
import { StopReading } from './inspection.ts'

/** Large pieces: each one costs a hand-over between threads. */
const chunkSize = 512 * 1024

/** Zero bytes after the gzip data that are accepted as padding, as gzip itself does. */
const longestPadding = 1024 * 1024

/** The size of the data that passed so far. Bytes. */
export interface Passed {
  packed: number
  unpacked: number
}

/**
 * The content of gzip data, piece by piece. Throws {@link StopReading} when it is damaged or, in either form, longer than
 * `limit`. Errors of the source are passed on.
 */
export async function* unpack(source: AsyncIterable<Buffer>, limit: number, passed: Passed): AsyncGenerator<Buffer> {
  const input = new Input(source, limit, passed)
  const gunzip = createGunzip({ chunkSize })
  const closed = new Promise<Error | null>((resolve) => gunzip.once('close', () => resolve(gunzip.errored)))
  pipeline(input, gunzip, () => {})
  try {
    for await (const piece of gunzip) {
      passed.unpacked += piece.length
      if (passed.unpacked > limit) throw new StopReading('too-large', `it unpacks to more than ${limit} bytes`)
      yield piece
    }
  } catch (error) {
    if (error instanceof StopReading) throw error
    throw input.failure ?? damaged(messageOf(error))
  } finally {
    gunzip.destroy()
  }
  // A stream cut off inside its last bytes ends first and reports its error afterwards.
  const late = await closed
  if (input.failure) throw input.failure
  if (late) throw damaged(late.message)
  if (passed.packed === 0) throw damaged('it is empty')
  if (input.lastContent > gunzip.bytesWritten) throw damaged('other bytes follow its end')
}

function damaged(why: string): StopReading {
  return new StopReading('damaged', `the gzip data cannot be read: ${why}`)
}

/**
 * Counts the incoming data and gathers it into large pieces. Zero bytes stay together with the preceding data, since the decoder
 * ends at them only within one piece.
 */
class Input implements AsyncIterable<Buffer> {
  /** The position behind the last byte that is not zero. */
  lastContent = 0
  failure: unknown
  readonly #source: AsyncIterable<Buffer>
  readonly #limit: number
  readonly #passed: Passed

  constructor(source: AsyncIterable<Buffer>, limit: number, passed: Passed) {
    this.#source = source
    this.#limit = limit
    this.#passed = passed
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

  #count(piece: Buffer): void {
    let end = piece.length
    while (end > 0 && piece[end - 1] === 0) end -= 1
    if (end > 0) this.lastContent = this.#passed.packed + end
    this.#passed.packed += piece.length
    if (this.#passed.packed > this.#limit) throw new StopReading('too-large', `it is longer than ${this.#limit} bytes`)
  }
}

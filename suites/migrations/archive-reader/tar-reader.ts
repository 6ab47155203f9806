import { Parser, type ReadEntry } from 'tar'
import { StopReading } from './inspection.ts'
import type { MemberHeader } from './tally.ts'

/** Receives the content of a member. */
export interface MemberSink {
  write(piece: Buffer): void
  end(): unknown
}

/** Called for every member; returns the receiver of its content, if there is one. */
export type OnMember = (header: MemberHeader) => MemberSink | undefined

const block = 512

/**
 * Reads tar blocks with npm's parser, without following links or writing files. Throws {@link StopReading} for data that is no
 * tar.
 */
export class TarReader {
  readonly #parser: Parser
  readonly #onMember: OnMember
  readonly #sinks = new WeakMap<object, MemberSink>()
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

  write(piece: Buffer): void {
    // The parser would unpack apparent gzip data without any limit.
    if (this.#bytes === 0 && piece[0] === 0x1f && piece[1] === 0x8b)
      throw new StopReading('damaged', 'the gzip data does not contain a tar archive')
    this.#bytes += piece.length
    // Behind the end-of-archive marker the parser would collect all further data.
    if (this.#complete) return
    this.#parser.write(piece)
    this.#check()
  }

  end(): void {
    this.#parser.end()
    this.#check()
    if (!this.marked && this.#bytes % block !== 0) throw damaged('it ends within a block')
    if (!this.#ended) throw damaged('it ends within a member')
  }

  #check(): void {
    if (this.#stop) throw this.#stop
  }

  #wants(entry: ReadEntry): boolean {
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

  #read(entry: ReadEntry): void {
    const sink = this.#sinks.get(entry)
    entry.on('data', (piece) => sink?.write(piece as Buffer))
    entry.on('end', () => sink?.end())
  }

  #ignored(entry: ReadEntry): void {
    if (entry.meta) this.#stop ??= new StopReading('unsupported', `an extended header of ${entry.size} bytes is not supported`)
    if ((entry.type as string) === 'SparseFile') this.#sparse = true
    // The parser does not ask about members of a type that it does not know.
    if (!entry.meta && !this.#noted.has(entry)) this.#wants(entry)
  }

  #warned(code: string, message: string): void {
    if (code === 'TAR_ENTRY_INFO') return
    // A tar without members is one nevertheless.
    if (code === 'TAR_BAD_ARCHIVE' && this.marked && !this.#stop && /unrecognized/i.test(message)) return
    if (/safe integer/.test(message))
      this.#stop ??= new StopReading('too-large', 'a member declares a size that is too large to process')
    // GNU's sparse members may carry further headers of their own, which the parser does not know.
    this.#stop ??= this.#sparse
      ? new StopReading('unsupported', 'it contains sparse members, which are not supported')
      : damaged(message)
  }
}

function damaged(why: string): StopReading {
  return new StopReading('damaged', `the tar cannot be read: ${why}`)
}

import type { Socket } from 'node:net'
import type { Client as Connection } from 'undici'
import { Framing, longestHead } from './framing.ts'
import { buildConnector, Client, errors } from './undici-parts.ts'

/** Made once: the trace of where each of thousands of connections ended would cost more than some of their requests. */
const unwanted = new errors.ClientDestroyedError()

/** One connection to one origin, opened again when it was closed; it carries one request at a time. */
export class Lane {
  readonly origin: string
  readonly client: Connection
  /** When it answered last, by the monotonic clock; milliseconds. */
  answered = 0
  #framing: Framing | undefined

  /** `timeout` in milliseconds: on connecting, on the header block and between body chunks. */
  constructor(origin: string, timeout: number) {
    this.origin = origin
    const connect = buildConnector({ timeout })
    this.client = new Client(origin, {
      pipelining: 1,
      headersTimeout: timeout,
      bodyTimeout: timeout,
      maxHeaderSize: longestHead,
      connect: (options, callback) =>
        connect(options, (...result) => {
          if (result[1]) this.#framing = framed(result[1])
          callback(...result)
        }),
    })
  }

  /** What is known of the present connection; undefined before the first. */
  get framing(): Framing | undefined {
    return this.#framing
  }

  /** True when a request that failed went over a connection that had served others, which closed it without a byte of an answer. */
  get lostByReuse(): boolean {
    return this.#framing !== undefined && this.#framing.requests > 1 && this.#framing.received === 0
  }

  async destroy(): Promise<void> {
    await this.client.destroy(unwanted)
  }
}

/** As many requests must have been served over kept connections before one of them carries what may not be sent twice. */
const trustedAfter = 100

/** A target that keeps connections open does so for seconds after its answer, also where it is busy. Milliseconds. */
const recently = 250

/** Connections that wait for their next request, the last used first. */
export class Lanes {
  readonly #timeout: number
  #idle: Lane[] = []
  #reused = 0

  constructor(timeout: number) {
    this.#timeout = timeout
  }

  /** True when the target has served many requests over kept connections and lost none with them. */
  get isTrusted(): boolean {
    return this.#reused >= trustedAfter
  }

  /** Notes that a request was lost with a kept connection. */
  distrust(): void {
    this.#reused = Number.NEGATIVE_INFINITY
  }

  open(origin: string): Lane {
    return new Lane(origin, this.#timeout)
  }

  /** A connection that waits, else a new one. */
  take(origin: string): Lane {
    return this.#taken((lane) => lane.origin === origin) ?? this.open(origin)
  }

  /** A connection that has answered just now, else a new one. */
  takeRecent(origin: string): Lane {
    const since = performance.now() - recently
    return this.#taken((lane) => lane.origin === origin && lane.answered >= since) ?? this.open(origin)
  }

  keep(lane: Lane): void {
    if (lane.answered > 0) this.#reused += 1
    lane.answered = performance.now()
    this.#idle.push(lane)
  }

  async close(): Promise<void> {
    const idle = this.#idle
    this.#idle = []
    await Promise.all(idle.map((lane) => lane.destroy()))
  }

  #taken(fits: (lane: Lane) => boolean): Lane | undefined {
    const at = this.#idle.findLastIndex((lane) => fits(lane) && !lane.framing?.strayBytes)
    return at < 0 ? undefined : this.#idle.splice(at, 1)[0]
  }
}

/** Lets a framing see what a socket sends and receives before the HTTP parser does, and decide what that gets to see. */
function framed(socket: Socket): Framing {
  const framing = new Framing()
  const read = socket.read.bind(socket)
  const write = socket.write.bind(socket)
  const unshift = socket.unshift.bind(socket)
  // A parser that pauses gives back what it has not read: that was seen already.
  let seen = 0
  socket.unshift = (chunk: Buffer, ...rest: never[]) => {
    seen += chunk.length
    unshift(chunk, ...rest)
  }
  socket.write = ((...args: Parameters<typeof write>) => {
    framing.sends()
    return write(...args)
  }) as typeof socket.write
  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size)
    if (!chunk) return chunk
    const known = chunk.subarray(0, seen)
    seen -= known.length
    const rest = framing.pass(chunk.subarray(known.length))
    const visible = known.length === 0 ? rest : Buffer.concat([known, rest])
    return visible.length === 0 ? null : visible
  }
  return framing
}

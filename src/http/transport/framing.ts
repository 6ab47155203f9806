/** Longer header blocks, and longer lines between chunks, are left to the parser to refuse. Bytes. */
export const longestHead = 64 * 1024

type Step = (bytes: Buffer) => number

/** Where a header block ends; the parser judges how its lines end. */
const headEnd = /\r?\n\r?\n/

/** Any status but 101: no protocol to switch to is ever offered. */
const statusLine = /^HTTP\/1\.[01] (?!101)[1-9]\d\d[ \r\n]/

/**
 * Follows where messages begin and end on one connection (RFC 9112, 6.3), ahead of undici's parser, which gives up an exchange
 * for what HTTP permits or for what does not belong to it. Interim answers (RFC 9110, 15.2) and empty lines before a status line are
 * left out, and so are bytes behind a complete answer, which are no answer to anything (RFC 9112, 9.2).
 */
export class Framing {
  /** Requests that were begun on the connection. */
  requests = 0
  /** Bytes that arrived since the last request was begun. */
  received = 0
  /** Bytes of the last answer's body, without the framing of chunks. */
  bodyBytes = 0
  /** Bytes that arrived behind a complete answer. */
  strayBytes = 0
  /** True when the last answer may have no body: 204 and 304. */
  bodiless = false
  /** The first bytes of what cannot be an answer in HTTP/1.1. */
  foreign: string | undefined
  #held: Buffer = Buffer.alloc(0)
  #left = 0
  /** Consumes the bytes of one part of a message; returns how many of them, 0 when it needs more. */
  #step: Step | undefined
  #out: Buffer[] = []

  /** Notes that bytes of a request go out. */
  sends(): void {
    if (this.#step) return
    this.requests += 1
    this.received = 0
    this.bodyBytes = 0
    this.#step = this.#head
  }

  /** What the parser is to see of the bytes that arrived. */
  pass(chunk: Buffer): Buffer {
    this.received += chunk.length
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk
    this.#out = []
    while (rest.length > 0 && this.#step) {
      const used = this.#step(rest)
      if (used === 0) break
      rest = rest.subarray(used)
    }
    if (!this.#step) this.strayBytes += rest.length
    this.#held = this.#step ? rest : Buffer.alloc(0)
    return this.#out.length === 1 ? (this.#out[0] as Buffer) : Buffer.concat(this.#out)
  }

  readonly #head: Step = (bytes) => {
    const empty = /^[\r\n]+/.exec(bytes.subarray(0, 64).toString('latin1'))?.[0].length
    if (empty) return empty
    const text = bytes.subarray(0, longestHead).toString('latin1')
    if (!'HTTP/1.'.startsWith(text.slice(0, 7))) return this.#giveUp(bytes)
    const end = headEnd.exec(text)
    if (!end) return bytes.length > longestHead ? this.#pass(bytes, this.#rest) : 0
    const head = text.slice(0, end.index + end[0].length)
    if (!statusLine.test(head)) return this.#giveUp(bytes)
    return /^HTTP\/1\.[01] 1/.test(head) ? head.length : this.#answer(bytes.subarray(0, head.length), head)
  }

  #giveUp(bytes: Buffer): number {
    this.foreign ??= bytes.subarray(0, 40).toString('latin1')
    return this.#pass(bytes, this.#rest)
  }

  #answer(bytes: Buffer, head: string): number {
    this.bodiless = /^HTTP\/1\.[01] (204|304)/.test(head)
    if (!this.bodiless) return this.#pass(bytes, this.#bodyOf(head))
    hideLength(bytes, head)
    return this.#pass(bytes, undefined)
  }

  #bodyOf(head: string): Step | undefined {
    const coding = /\ntransfer-encoding:([^\r\n]*)/i.exec(head)?.[1]
    const length = /\ncontent-length:[ \t]*(\d+)[ \t]*\r?\n/i.exec(head)?.[1]
    if (coding !== undefined) return /chunked\s*$/i.test(coding) && length === undefined ? this.#size : this.#rest
    this.#left = Number(length)
    if (length === undefined) return this.#rest
    return this.#left > 0 ? this.#content : undefined
  }

  /** A body of known length. */
  readonly #content: Step = (bytes) => {
    const used = this.#body(bytes)
    return this.#pass(bytes.subarray(0, used), this.#left > 0 ? this.#content : undefined)
  }

  /** The line that states the size of a chunk. */
  readonly #size: Step = (bytes) => {
    const end = bytes.indexOf('\n') + 1
    if (end === 0) return bytes.length > longestHead ? this.#pass(bytes, this.#rest) : 0
    const size = /^[0-9a-f]+/i.exec(bytes.subarray(0, 17).toString('latin1'))?.[0]
    this.#left = Number.parseInt(size ?? '', 16)
    if (size === undefined) return this.#pass(bytes, this.#rest)
    return this.#pass(bytes.subarray(0, end), this.#left > 0 ? this.#chunk : this.#trailer)
  }

  readonly #chunk: Step = (bytes) => {
    const used = this.#body(bytes)
    return this.#pass(bytes.subarray(0, used), this.#left > 0 ? this.#chunk : this.#lineEnd)
  }

  readonly #lineEnd: Step = (bytes) => (bytes.length < 2 ? 0 : this.#pass(bytes.subarray(0, 2), this.#size))

  readonly #trailer: Step = (bytes) => {
    const end = bytes.indexOf('\n') + 1
    if (end === 0) return bytes.length > longestHead ? this.#pass(bytes, this.#rest) : 0
    const last = end === 1 || (end === 2 && bytes[0] === 0x0d)
    return this.#pass(bytes.subarray(0, end), last ? undefined : this.#trailer)
  }

  /** What ends with the connection, or is for the parser to refuse. */
  readonly #rest: Step = (bytes) => {
    this.bodyBytes += bytes.length
    return this.#pass(bytes, this.#rest)
  }

  #body(bytes: Buffer): number {
    const used = Math.min(bytes.length, this.#left)
    this.#left -= used
    this.bodyBytes += used
    return used
  }

  #pass(bytes: Buffer, next: Step | undefined): number {
    this.#out.push(bytes)
    this.#step = next
    return bytes.length
  }
}

/** A header name that undici's parser does not know, as long as `Content-Length`, which it stands for on answers without a body. */
export const lengthAlias = 'Xontent-Length'

/**
 * A 304 may state the length of the body that a 200 would have had (RFC 9110, 8.6), and a 204 wrongly that of a body it
 * sends; undici takes both for truncated answers, so the name is hidden from its parser and restored in the header lines.
 */
function hideLength(bytes: Buffer, head: string): void {
  const at = /\ncontent-length(?=:)/i.exec(head)
  if (at) bytes.write(lengthAlias, at.index + 1, 'latin1')
}

import type { HeaderLine } from '../../record/exchange-record.ts'

/** One HTTP request in the target's words. */
export interface WireRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly HeaderLine[]
  /** The requested version, by the document's name; null if the request names none. */
  readonly version?: string | null
  readonly body?: string
  /** The credential as reports display it, with the token's name instead of its secret: the header line, or the whole URL. */
  readonly display?: { readonly header?: HeaderLine; readonly url?: string }
  /** Count the bytes after the header block of a response that may have no body. Uses a connection of its own. */
  readonly tapped?: boolean
  /** Sent on a new connection: after a loss, another kept connection may be dead as well. */
  readonly fresh?: boolean
}

/** Header lines from a flat list of names and values. White space around a value is no part of it (readings G18; RFC 9110, 5.5). @internal */
export function headerLines(raw: readonly (Buffer | string)[]): HeaderLine[] {
  const texts = raw.map((text) => (typeof text === 'string' ? text : text.toString('latin1')))
  return texts.flatMap((name, index) =>
    index % 2 === 0 ? [[name, (texts[index + 1] ?? '').replace(/^[ \t]+|[ \t]+$/g, '')]] : [],
  )
}

/** The memory of header lines: 32 bytes more than the text of each, as HTTP/2 counts them (RFC 9113, 6.5.2). Bytes. @internal */
export function sizeOf(lines: readonly HeaderLine[]): number {
  return lines.reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0)
}

/** True for the statuses that never have a body, even with a Content-Length. @internal */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 304
}

/** True for methods that the client repeats after a lost response. The second of two DELETE requests could return 404. @internal */
export function isRepeatable(method: string): boolean {
  return method === 'GET' || method === 'PUT'
}

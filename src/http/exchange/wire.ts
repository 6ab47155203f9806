import type { HeaderLine } from '../../record/exchange-record.ts'
import { lengthAlias } from '../transport/framing.ts'

/** One HTTP request, addressed and spelled for the wire. */
export interface WireRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly HeaderLine[]
  /** The version that the request asks for, by the document's name; null where it names none. */
  readonly version?: string | null
  readonly body?: string
  /** How reports show what carries the caller's token: the header line, or the whole URL, with the token's name in place of its secret. */
  readonly shown?: { readonly header?: HeaderLine; readonly url?: string }
  /** Also count bytes after the header block of a bodiless response; costs a connection of its own. */
  readonly tapped?: boolean
  /** Sent on a new connection: what was lost with a kept one must not meet another that is gone. */
  readonly fresh?: boolean
}

/** Header lines as they came, from undici's raw form. */
export function headerLines(raw: (Buffer | string)[]): HeaderLine[] {
  const lines: HeaderLine[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = latin1(raw[index])
    lines.push([name === lengthAlias ? 'Content-Length' : name, latin1(raw[index + 1])])
  }
  return lines
}

function latin1(text: Buffer | string | undefined): string {
  return typeof text === 'string' ? text : (text?.toString('latin1') ?? '')
}

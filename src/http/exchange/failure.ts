import type { Framing } from '../transport/framing.ts'
import { errors } from '../transport/undici-parts.ts'
import { NoAnswer } from './no-answer.ts'

/** What the parser says of an answer that it refuses, and what that means. */
const malformed: readonly (readonly [RegExp, string])[] = [
  [/invalid status/i, 'its status is not a number of three digits'],
  [/http version|expected http/i, 'its status line is not one of HTTP/1.1'],
  [/header (value|token|field|name)|invalid header/i, 'a header line contains a character that is not permitted'],
  [/content-length/i, 'it does not have the one length that Content-Length states'],
  [/transfer-encoding/i, 'its Transfer-Encoding is not valid, or stands beside Content-Length'],
  [/chunk/i, 'the chunks of its body are not well-formed'],
  [/expected (lf|cr|space)|missing expected|after cr/i, 'a line does not end with CR LF'],
  [/headers overflow/i, 'its header block is longer than 64 KiB'],
]

const unreachable = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/** What the library says of a connection that the target resets or closes. */
const endings = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

const timeouts = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

/** What became of a request that the client library gave up, in words about the target. `timeout` in milliseconds. */
export function failureOf(error: unknown, framing: Framing | undefined, timeout: number): NoAnswer {
  const code = codeOf(error)
  if (unreachable.includes(code)) return new NoAnswer(textOf(error), { unreachable: true, unsent: true })
  const unsent = framing === undefined || framing.requests === 0
  const reason = malformation(error, code, framing)
  if (reason !== undefined) return new NoAnswer(`the answer is not valid HTTP/1.1: ${reason}`, { malformed: true })
  return new NoAnswer(lossOf(code, framing, timeout) ?? textOf(error), {
    unsent,
    dropped: endings.includes(code),
    timeout: timeouts.includes(code),
  })
}

const parserCodes = ['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']

function malformation(error: unknown, code: string, framing: Framing | undefined): string | undefined {
  if (framing?.foreign !== undefined) return `it begins with ${JSON.stringify(framing.foreign)}`
  if (!(error instanceof errors.HTTPParserError) && !parserCodes.includes(code)) return undefined
  const text = textOf(error)
  const found = malformed.find(([pattern]) => pattern.test(text.replace('HTTP/1.1 protocol', '')))
  return found?.[1] ?? 'it cannot be parsed'
}

function lossOf(code: string, framing: Framing | undefined, timeout: number): string | undefined {
  const when = framing && framing.received > 0 ? 'within its answer' : 'before it answered'
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return `no answer within ${timeout / 1000} s`
  if (code === 'UND_ERR_BODY_TIMEOUT') return `nothing more of the body arrived within ${timeout / 1000} s`
  if (code === 'ECONNRESET' || code === 'EPIPE') return `the target reset the connection ${when} (${code})`
  if (code === 'UND_ERR_SOCKET' && framing && framing.requests > 0) return `the target closed the connection ${when}`
  return undefined
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const { code, cause } = error as NodeJS.ErrnoException
  if (code === 'UND_ERR_SOCKET' && cause instanceof Error && codeOf(cause)) return codeOf(cause)
  return String(code ?? '')
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  const code = codeOf(error)
  const text = error.message || (inner instanceof Error ? inner.message : '') || error.name
  return code && !text.includes(code) ? `${text} (${code})` : text
}

import { errors } from 'undici'
import { NoResponse } from '../../exchange/no-response.ts'

const unreachable = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/** Codes of a connection that the target closes or resets. */
const endings = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

const timeouts = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

/** Codes of a response that is not HTTP/1.1. undici reports some of them as a failed assertion. */
const malformed = /^(HPE_|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ERR_ASSERTION)/

/** The part of a response that was awaited when a request failed. */
type Phase = 'head' | 'body'

/** Waits for a part of a response. Throws the signal's reason, and any other error as a `NoResponse`. `timeout` in milliseconds. */
export async function responseOf<Part>(
  part: Promise<Part>,
  phase: Phase,
  { signal, timeout }: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<Part> {
  try {
    return await part
  } catch (error) {
    signal.throwIfAborted()
    throw failureOf(error, phase, timeout)
  }
}

function failureOf(error: unknown, phase: Phase, timeout: number): NoResponse {
  if (error instanceof NoResponse) return error
  const code = codeOf(error)
  const text = error instanceof Error ? textOf(error) : String(error)
  if (unreachable.includes(code)) return new NoResponse(text, { unreachable: true, unsent: true })
  if (/_HEADERS?_OVERFLOW$/.test(code)) return new NoResponse('the headers are longer than limits.headerBytes', { final: true })
  if (error instanceof errors.HTTPParserError || malformed.test(code))
    return new NoResponse(`the response is not valid HTTP/1.1: ${text.split('\n')[0]}`, { malformed: true })
  const dropped = endings.includes(code)
  const isFirstUse = error instanceof errors.SocketError && error.socket?.bytesRead === 0
  const lostWithKept = dropped && phase === 'head' && !isFirstUse
  return new NoResponse(lossOf(code, phase, timeout) ?? text, { dropped, lostWithKept, timedOut: timeouts.includes(code) })
}

function lossOf(code: string, phase: Phase, timeout: number): string | undefined {
  const when = phase === 'head' ? 'before it answered' : 'within its response'
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return `no response within ${timeout / 1000} s`
  if (code === 'UND_ERR_BODY_TIMEOUT') return `nothing more of the body arrived within ${timeout / 1000} s`
  if (code === 'ECONNRESET' || code === 'EPIPE') return `the target reset the connection ${when} (${code})`
  if (code === 'UND_ERR_SOCKET') return `the target closed the connection ${when}`
  return undefined
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  const { code, cause } = error
  return (code === 'UND_ERR_SOCKET' && codeOf(cause)) || String(code ?? '')
}

/** The message of an error or of its cause, with the code. */
function textOf(error: Error): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  const code = codeOf(error)
  const text = error.message || (inner instanceof Error ? inner.message : '') || error.name
  return code && !text.includes(code) ? `${text} (${code})` : text
}

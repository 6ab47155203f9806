import { errors } from 'undici'
import { NoAnswer } from '../exchange/no-answer.ts'

/** How far a request had come when it failed. */
export interface Progress {
  /** The client has begun to send it. */
  sent: boolean
  /** The status of the response, as soon as its header block is complete. */
  status?: number
}

const unreachable = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/** Codes of a connection that the target closes or resets. */
const endings = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Codes of a response that is not HTTP/1.1. undici reports some of them as a failed assertion. */
const malformed = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|ERR_ASSERTION)/

/** Turns an error of the network or the HTTP parser into a `NoAnswer`. `timeout` in milliseconds. */
export function failureOf(error: unknown, progress: Progress, timeout: number): NoAnswer {
  if (error instanceof NoAnswer) return error
  const code = codeOf(error)
  if (unreachable.includes(code)) return new NoAnswer(textOf(error), { unreachable: true, unsent: true })
  if (error instanceof errors.HTTPParserError || malformed.test(code)) {
    return new NoAnswer(`the answer is not valid HTTP/1.1: ${parserReason(error)}`, { malformed: true })
  }
  const text = lossOf(code, progress, timeout) ?? textOf(error)
  return new NoAnswer(text, { unsent: !progress.sent, dropped: endings.includes(code) })
}

/** True for an error of undici or a socket; the consumer of a stream throws other errors. */
export function isNetworkFailure(error: unknown): boolean {
  const { code, name } = error as NodeJS.ErrnoException
  if (error instanceof errors.UndiciError || error instanceof errors.HTTPParserError) return true
  return name === 'AbortError' || /^(E[A-Z]+|UND_ERR|HPE_)/.test(code ?? '')
}

/** True for a request that was lost with its connection before a complete header block. A first use without any byte is no such loss. */
export function isLostWithConnection(error: unknown, { status }: Progress): boolean {
  if (status !== undefined || !endings.includes(codeOf(error))) return false
  return !(error instanceof errors.SocketError && error.socket?.bytesRead === 0)
}

function lossOf(code: string, { sent, status }: Progress, timeout: number): string | undefined {
  const when = status === undefined ? 'before it answered' : 'within its answer'
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return `no answer within ${timeout / 1000} s`
  if (code === 'UND_ERR_BODY_TIMEOUT') return `nothing more of the body arrived within ${timeout / 1000} s`
  if (code === 'ECONNRESET' || code === 'EPIPE') return `the target reset the connection ${when} (${code})`
  if (code === 'UND_ERR_SOCKET' && sent) return `the target closed the connection ${when}`
  return undefined
}

function parserReason(error: unknown): string {
  const { message } = error as Error
  return message.split('\n')[0] ?? message
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

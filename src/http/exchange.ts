import { createHash } from 'node:crypto'
import type { ExchangeRecord, HeaderLine } from '../record/exchange-record.ts'
import { kindOfAnswer } from '../spec/object-kinds.ts'
import type { Dialect } from './dialect.ts'
import type { Redactor } from './redaction.ts'
import type { WireRequest } from './wire.ts'

/** A request as it went over the wire. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  /** The endpoint as the document writes it (`GET /events`): what recorded exchanges are looked up by. */
  readonly endpoint: string
  readonly headers: readonly HeaderLine[]
  /** The version that was asked for; null where none was. */
  readonly version?: string | null
  readonly body?: string
  /** The caller's label. */
  readonly as: string
  /** What reports show in place of the header or URL that carries the caller's token. */
  readonly shown?: WireRequest['shown']
}

/** What came back; `body` is decoded from its content encoding but otherwise untouched. */
export interface ReceivedResponse {
  readonly status: number
  readonly headers: readonly HeaderLine[]
  readonly body: Buffer
  /** Bytes that followed the header block of a response that may have no body; only known for tapped connections. */
  readonly strayBytes?: number
  /** What is known of a body that was streamed past and not stored. */
  readonly streamed?: { readonly bytes: number; readonly sha256: string }
}

/** One request and its response. Everything in it comes from the target and is untrusted. */
export class Exchange {
  readonly id: string
  readonly request: SentRequest
  readonly response: ReceivedResponse
  readonly durationMs: number
  readonly #dialect: Dialect
  #hash: string | undefined
  #json: { value: unknown } | undefined

  constructor(id: string, request: SentRequest, response: ReceivedResponse, durationMs: number, dialect: Dialect) {
    this.id = id
    this.request = request
    this.response = response
    this.durationMs = durationMs
    this.#dialect = dialect
  }

  get status(): number {
    return this.response.status
  }

  /** The first line of a header, named in the document's words; undefined where it is absent. */
  header(name: string): string | undefined {
    const wire = this.#dialect.headerName(name).toLowerCase()
    const value = this.response.headers.find(([line]) => line.toLowerCase() === wire)?.[1]
    return value === undefined ? undefined : this.#dialect.headerValue(name, value)
  }

  /** The body as JSON in the document's words; undefined where it is not JSON. */
  get json(): unknown {
    this.#json ??= { value: this.#dialect.toNeutral(parseJson(this.response.body), kindOfAnswer(this.request.endpoint)) }
    return this.#json.value
  }

  /** A pointer into {@link json} as it leads into the body that was sent. */
  wirePointer(pointer: string): string {
    return this.#locate(pointer).pointer
  }

  /** A sentence about what is at a pointer into {@link json}, in the target's words with the document's in brackets. */
  inWireWords(sentence: string, pointer = ''): string {
    return this.#dialect.sentence(sentence, this.#locate(pointer).kind)
  }

  #locate(pointer: string) {
    const kind = kindOfAnswer(this.request.endpoint)
    return this.#dialect.fields.locate(pointer, parseJson(this.response.body), kind)
  }

  /** SHA-256 of the body, hexadecimal. */
  get bodyHash(): string {
    this.#hash ??= this.response.streamed?.sha256 ?? createHash('sha256').update(this.response.body).digest('hex')
    return this.#hash
  }

  /** The report's form of this exchange, without secrets, its body cut to `bodyLimit` characters. */
  record(redactor: Redactor, bodyLimit: number): ExchangeRecord {
    const { request, response } = this
    const text = redactor.redact(response.body.toString('utf8'))
    return {
      id: this.id,
      endpoint: request.endpoint,
      as: request.as,
      request: {
        method: request.method,
        url: redactor.redact(request.shown?.url ?? request.url),
        headers: redactLines(request.headers, redactor).map((line) => withoutToken(line, request)),
        ...(request.body === undefined ? {} : { body: redactor.redact(request.body) }),
      },
      response: {
        status: response.status,
        headers: redactLines(response.headers, redactor),
        body: text.slice(0, bodyLimit),
        bodyBytes: response.streamed?.bytes ?? response.body.length,
        bodySha256: this.bodyHash,
        truncated: response.streamed !== undefined || text.length > bodyLimit,
      },
      durationMs: Math.round(this.durationMs),
    }
  }
}

function redactLines(lines: readonly HeaderLine[], redactor: Redactor): HeaderLine[] {
  return lines.map(([name, value]) => [redactor.redact(name), redactor.redact(value)])
}

/** A token shorter than what the redactor replaces must not show either. */
function withoutToken([name, value]: HeaderLine, { as, shown }: SentRequest): HeaderLine {
  if (name === shown?.header?.[0]) return shown.header
  return [name, name.toLowerCase() === 'authorization' ? `Bearer $${as}` : value]
}

/** Deeper bodies than this are not read: whatever looks through them would run out of stack. */
const deepest = 1000

function parseJson(body: Buffer): unknown {
  try {
    if (nestsDeeper(body, deepest)) return undefined
    return JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** True when brackets nest deeper than `limit` anywhere outside strings. */
function nestsDeeper(body: Buffer, limit: number): boolean {
  let depth = 0
  let quoted = false
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === quote) quoted = !quoted
    else if (quoted) at += byte === backslash ? 1 : 0
    else if (byte === openBrace || byte === openBracket) depth += 1
    else if (byte === closeBrace || byte === closeBracket) depth -= 1
    if (depth > limit) return true
  }
  return false
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\{}[]')

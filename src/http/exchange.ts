import { createHash } from 'node:crypto'
import type { ExchangeRecord, HeaderLine } from '../record/exchange-record.ts'
import type { Dialect } from './dialect.ts'
import { isAffordable } from './json-budget.ts'
import type { Redactor } from './redaction.ts'

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

/** The longest form of a secret that is looked for where a body is cut. Bytes. */
const longestSecret = 16 * 1024

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
    return this.response.headers.find(([line]) => line.toLowerCase() === wire)?.[1]
  }

  /** The body as JSON in the document's words; undefined where it is not JSON. */
  get json(): unknown {
    this.#json ??= { value: this.#dialect.toNeutral(parseJson(this.response.body)) }
    return this.#json.value
  }

  /** SHA-256 of the body, hexadecimal. */
  get bodyHash(): string {
    this.#hash ??= this.response.streamed?.sha256 ?? createHash('sha256').update(this.response.body).digest('hex')
    return this.#hash
  }

  /** The report's form of this exchange, without secrets, its body cut to `bodyLimit` characters. */
  record(redactor: Redactor, bodyLimit: number): ExchangeRecord {
    const { request, response } = this
    // Only the beginning is shown, and secrets that begin within it may end behind it.
    const text = redactor.redact(response.body.subarray(0, 4 * bodyLimit + longestSecret).toString('utf8'))
    return {
      id: this.id,
      endpoint: request.endpoint,
      as: request.as,
      request: {
        method: request.method,
        url: redactor.redact(request.url),
        headers: redactLines(request.headers, redactor).map((line) => withoutToken(line, request.as)),
        ...(request.body === undefined ? {} : { body: redactor.redact(request.body) }),
      },
      response: {
        status: response.status,
        headers: redactLines(response.headers, redactor),
        body: text.slice(0, bodyLimit),
        bodyBytes: response.streamed?.bytes ?? response.body.length,
        bodySha256: this.bodyHash,
        truncated:
          response.streamed !== undefined || text.length > bodyLimit || response.body.length > 4 * bodyLimit + longestSecret,
      },
      durationMs: Math.round(this.durationMs),
    }
  }
}

function redactLines(lines: readonly HeaderLine[], redactor: Redactor): HeaderLine[] {
  return lines.map(([name, value]) => [redactor.redact(name), redactor.redact(value)])
}

/** A token shorter than what the redactor replaces must not show either. */
function withoutToken([name, value]: HeaderLine, caller: string): HeaderLine {
  return [name, name.toLowerCase() === 'authorization' ? `Bearer $${caller}` : value]
}

function parseJson(body: Buffer): unknown {
  try {
    if (!isAffordable(body)) return undefined
    return JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

import type { ExchangeRecord, HeaderLine } from '../../record/exchange-record.ts'
import { kindOfAnswer } from '../../spec/object-kinds.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { Redactor } from '../redaction/redaction.ts'
import { isLarge } from '../transport/large-bodies.ts'
import { Body } from './answer-body.ts'
import { QuotaHeaders } from './quota-header.ts'
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
  /** What is known of the body that came, where `body` is a recorded one whose secrets were taken out. */
  readonly original?: { readonly bytes: number; readonly sha256: string }
}

/** The length of the body that came. Bytes. */
export function sizeOf({ streamed, original, body }: ReceivedResponse): number {
  return streamed?.bytes ?? original?.bytes ?? body.length
}

const refusals: readonly number[] = [401, 403, 404]
const serverErrors: readonly number[] = [500, 501, 505]

/** The longest form of a secret that is looked for where a body is cut. Bytes. */
const longestSecret = 16 * 1024

/** As much of a large body as reports show of it. Bytes. */
const excerptBytes = 512 * 1024

/** One request and its response. Everything in it comes from the target and is untrusted. */
export class Exchange {
  readonly id: string
  readonly request: SentRequest
  readonly response: ReceivedResponse
  readonly durationMs: number
  readonly #dialect: Dialect
  readonly #body: Body
  readonly #quota: QuotaHeaders
  #excerpt: Exchange | undefined

  /** `body` is the answer's, where other answers share it; `quota` is what the target's answers have shown of its quota. */
  constructor(
    id: string,
    request: SentRequest,
    response: ReceivedResponse,
    durationMs: number,
    dialect: Dialect,
    body = new Body(response.body),
    quota = new QuotaHeaders(),
  ) {
    this.#body = body
    this.#quota = quota
    this.id = id
    this.request = request
    this.response = {
      ...response,
      get body() {
        return body.bytes
      },
    }
    this.durationMs = durationMs
    this.#dialect = dialect
  }

  /** The length of the body that came. Bytes. */
  get length(): number {
    return this.response.streamed?.bytes ?? this.response.original?.bytes ?? this.#body.length
  }

  /** The length of the body that is here. Bytes. */
  get heldLength(): number {
    return this.#body.length
  }

  /** What the body takes while it is looked at. Bytes. */
  get weight(): number {
    return this.#body.weight
  }

  get status(): number {
    return this.response.status
  }

  /** Served: any 2xx. */
  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  /** Refused by one of the statuses that the document does not tell apart (readings G3), and not for its pace. */
  get refused(): boolean {
    return refusals.includes(this.status) && !this.throttled
  }

  /** Answered 'not so fast', which is about the pace and not about the caller (readings F5, G9, H6). */
  get throttled(): boolean {
    const spent = () => this.header('retry-after') !== undefined || this.#quota.isSpent(this.response)
    return this.status === 429 || (this.status === 403 && spent())
  }

  /** A fault of the server on any request that the document defines (readings G3); the others of 5xx are transient. */
  get broken(): boolean {
    return serverErrors.includes(this.status)
  }

  /** The first line of a header, named in the document's words; undefined where it is absent. */
  header(name: string): string | undefined {
    const wire = this.#dialect.headerName(name).toLowerCase()
    const value = this.response.headers.find(([line]) => line.toLowerCase() === wire)?.[1]
    return value === undefined ? undefined : this.#dialect.headerValue(name, value)
  }

  /** The body as JSON in the document's words; undefined where it is not JSON. */
  get json(): unknown {
    return this.#body.json(this.#dialect, kindOfAnswer(this.request.endpoint))
  }

  /** The body as JSON in the target's words; undefined where it is not JSON. */
  get sent(): unknown {
    return this.#body.sent
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
    return this.#dialect.fields.locate(pointer, this.sent, kindOfAnswer(this.request.endpoint))
  }

  /** SHA-256 of the body, hexadecimal. */
  get bodyHash(): string {
    return this.response.streamed?.sha256 ?? this.response.original?.sha256 ?? this.#body.hash
  }

  /** What a report needs: this exchange, or one with the beginning of its body where that is too large to be held for long. */
  get excerpt(): Exchange {
    const { id, request, response, durationMs } = this
    if (this.#excerpt || !isLarge(this.heldLength)) return this.#excerpt ?? this
    const body = Buffer.from(response.body.subarray(0, excerptBytes))
    const original = { bytes: this.length, sha256: this.bodyHash }
    this.#excerpt = new Exchange(id, request, { ...response, body, original }, durationMs, this.#dialect)
    return this.#excerpt
  }

  /** The report's form of this exchange, without secrets, its body cut to `bodyLimit` characters. */
  record(redactor: Redactor, bodyLimit: number): ExchangeRecord {
    const { request, response, length } = this
    // Only the beginning is shown, and secrets that begin within it may end behind it.
    const shown = bodyLimit === 0 ? 0 : Math.min(this.heldLength, 4 * bodyLimit + longestSecret)
    const text = shown === 0 ? '' : redactor.redact(response.body.subarray(0, shown).toString('utf8'))
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
        bodyBytes: length,
        bodySha256: this.bodyHash,
        truncated: response.streamed !== undefined || text.length > bodyLimit || length > shown,
      },
      durationMs: Math.round(this.durationMs),
    }
  }
}

/** A request without secrets. */
export function shownRequest(
  request: Pick<WireRequest, 'method' | 'url' | 'headers' | 'body' | 'shown'>,
  redactor: Redactor,
): Pick<WireRequest, 'method' | 'url' | 'headers' | 'body'> {
  const { method, url, headers, body, shown } = request
  return {
    method,
    url: redactor.redact(shown?.url ?? url),
    headers: redactLines(headers, redactor).map((line) => (line[0] === shown?.header?.[0] ? shown.header : line)),
    ...(body === undefined ? {} : { body: redactor.redact(body) }),
  }
}

/** Header lines without secrets: the same ones where they had none. */
export function redactLines(lines: readonly HeaderLine[], redactor: Redactor): HeaderLine[] {
  return lines.map((line) => {
    const [name, value] = [redactor.redact(line[0]), redactor.redact(line[1])]
    return name === line[0] && value === line[1] ? line : [name, value]
  })
}

/** A token shorter than what the redactor replaces must not show either. */
function withoutToken(line: HeaderLine, { as, shown }: SentRequest): HeaderLine {
  if (line[0] === shown?.header?.[0]) return shown.header
  return line[0].toLowerCase() === 'authorization' ? [line[0], `Bearer $${as}`] : line
}

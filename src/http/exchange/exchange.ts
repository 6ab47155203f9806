import type { ExchangeRecord, HeaderLine } from '../../record/exchange-record.ts'
import { responseKinds } from '../../spec/words/object-kinds.ts'
import { longestHidden } from '../redaction/own-words.ts'
import type { Redactor } from '../redaction/redaction.ts'
import { Body, KeptBytes } from './body.ts'

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
export function sizeOf(lines: readonly HeaderLine[]) {
  return lines.reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0)
}

/** True for the statuses that never have a body, even with a Content-Length. @internal */
export function isBodiless(status: number) {
  return status === 204 || status === 304
}

/** True for methods that the client repeats after a lost response. The second of two DELETE requests could return 404. @internal */
export function isRepeatable(method: string) {
  return method === 'GET' || method === 'PUT'
}

/** A request as it was sent. */
export interface SentRequest extends WireRequest {
  /** The endpoint in the document's words (`GET /events`), by which checks find recorded exchanges. */
  readonly endpoint: string
  /** The caller's label. */
  readonly as: string
  /** The URL of the first request, where this one followed a redirect. */
  readonly redirectedFrom?: string
  /** The request in words: whose token it has, and how it varies an earlier one. */
  readonly form?: string
}

/** Length and SHA-256 (hexadecimal) of a body. */
interface BodyDigest {
  readonly bytes: number
  readonly sha256: string
}

/** A received response; `body` is without its content codings and otherwise unchanged. */
export interface ReceivedResponse {
  readonly status: number
  readonly headers: readonly HeaderLine[]
  readonly body: Buffer
  /** The number of bytes after the end of the response: after the header block of a 204 or 304, or beyond Content-Length. Only tapped requests count them. */
  readonly strayBytes?: number
  /** Size and hash of a body that was streamed and not stored. */
  readonly streamed?: BodyDigest
}

/** Translates names in a response between the words of the document and those of the target. @internal */
export interface Vocabulary {
  headerName(neutral: string): string
  headerValue(neutral: string, value: string): string
  toNeutral(value: unknown, kind?: string): unknown
  /** Translates a pointer in the document's words into a pointer into the body that was sent. */
  wirePointer(pointer: string, sent: unknown, kind?: string): string
}

const refusals: readonly number[] = [401, 403, 404]
const serverErrors: readonly number[] = [500, 501, 505]

/** A cut body is redacted this far beyond the cut, since a secret may cross it, with an escape for each character. Characters. */
const longestSecret = 6 * longestHidden

/** One request and its response. The response comes from the target and is not trusted. */
export class Exchange {
  readonly id: string
  readonly request: SentRequest
  readonly response: Omit<ReceivedResponse, 'headers'>
  readonly durationMs: number
  readonly #vocabulary: Vocabulary
  readonly #quota: QuotaHeaders
  /** This 422 means spam, because a request that was served before is rejected as well (readings H6). @internal */
  isSpam = false
  /** Responses with equal bodies share one. @internal */
  readonly body: Body
  /** The header lines as bytes: as strings they would take several times the memory. @internal */
  readonly head: KeptBytes

  /** `quota` knows whether the quota headers of the target are meaningful. @internal */
  constructor(
    id: string,
    request: SentRequest,
    response: ReceivedResponse,
    durationMs: number,
    vocabulary: Vocabulary,
    quota = new QuotaHeaders(),
    body = new Body(response.body),
  ) {
    this.id = id
    this.request = request
    const { headers, ...rest } = response
    this.head = new KeptBytes(Buffer.from(headers.map((line) => `${line.join(':')}\n`).join('')))
    this.response = {
      ...rest,
      get body() {
        return body.bytes
      },
    }
    this.durationMs = durationMs
    this.#vocabulary = vocabulary
    this.#quota = quota
    this.body = body
  }

  /** The length of the received body. Bytes. */
  get length() {
    return this.response.streamed?.bytes ?? this.body.length
  }

  /** The status code of the response. */
  get status() {
    return this.response.status
  }

  /** True for a served request: any 2xx, except a page such as that of a login, to which the target redirected the caller (readings G3). */
  get ok() {
    const isPage =
      this.request.redirectedFrom && /^text\/html/i.test(this.header('content-type') ?? '')
    return this.status >= 200 && this.status < 300 && !isPage
  }

  /** True for a rejection: any 4xx. */
  get rejected() {
    return this.status >= 400 && this.status < 500
  }

  /** True for a refusal of the caller: 401, 403 or 404, which the document does not distinguish (readings G3). False for a throttled request. */
  get refused() {
    return refusals.includes(this.status) && !this.throttled
  }

  /** True for a request that was refused because of the request rate and not because of its caller (readings F5, G9, H6). */
  get throttled() {
    const spent = () => this.header('retry-after') !== undefined || this.#quota.isSpent(this)
    return this.status === 429 || this.isSpam || ([403, 422].includes(this.status) && spent())
  }

  /** True for a status of a failed server: 500, 501 or 505 (readings G3). Other 5xx are transient. */
  get broken() {
    return serverErrors.includes(this.status)
  }

  /** The header lines. A name contains no colon, and a value no line break. */
  get headers(): HeaderLine[] {
    const lines = this.head.bytes.toString().split('\n').slice(0, -1)
    return lines.map((line) => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1),
    ])
  }

  /** The value of the first line of a header; undefined without one. The name is in the document's words. */
  header(name: string): string | undefined {
    const wire = this.#vocabulary.headerName(name).replaceAll(/[^\w-]/g, '\\$&')
    const value = new RegExp(`(?:^|\n)${wire}:([^\n]*)`, 'i').exec(this.head.bytes.toString())?.[1]
    return value === undefined ? undefined : this.#vocabulary.headerValue(name, value)
  }

  /** The body as JSON in the document's words; undefined for other bodies. */
  get json(): unknown {
    return this.#vocabulary.toNeutral(this.body.wireJson, responseKinds.get(this.request.endpoint))
  }

  /** True for a body that is a JSON array. */
  get isList() {
    return this.body.count !== undefined
  }

  /** The number of items of a JSON array; 0 for another body. */
  get count() {
    return this.body.count ?? 0
  }

  /** Translates a pointer into {@link json} into a pointer into the JSON that was sent. */
  wirePointer(pointer: string) {
    return this.#vocabulary.wirePointer(
      pointer,
      this.body.wireJson,
      responseKinds.get(this.request.endpoint),
    )
  }

  /** SHA-256 of the received body, hexadecimal. */
  get bodyHash() {
    return this.response.streamed?.sha256 ?? this.body.hash
  }

  /** The exchange as reports store it, without secrets. The body is cut to `bodyLimit` characters; without a limit, only its outline is kept. @internal */
  record(redactor: Redactor, bodyLimit?: number): ExchangeRecord {
    const { response, length } = this
    const { endpoint, as, method, url, display } = this.request
    const outline = {
      id: this.id,
      endpoint,
      as,
      request: { method, url: redactor.redact(display?.url ?? url) },
      response: { status: response.status, bodyBytes: length },
      durationMs: Math.round(this.durationMs),
    }
    if (bodyLimit === undefined) return outline
    const { headers, ...request } = redactedRequest(this.request, redactor)
    const isUnnamedToken = (name: string) =>
      name.toLowerCase() === 'authorization' && name !== display?.header?.[0]
    const room = bodyLimit === 0 ? 0 : bodyLimit + longestSecret
    // A character takes at most four bytes.
    const read = room === 0 ? '' : response.body.toString('utf8', 0, 4 * room)
    const isCut = read.length > room
    // A secret that begins within the cut may end behind it.
    const text = redactor.redact(read.slice(0, room)).slice(0, isCut ? -longestSecret : undefined)
    return {
      ...outline,
      // The redactor ignores very short secrets.
      request: {
        ...request,
        headers: headers.map((line) =>
          isUnnamedToken(line[0]) ? [line[0], `Bearer $${as}`] : line,
        ),
      },
      response: {
        status: response.status,
        headers: redactLines(this.headers, redactor),
        body: text.slice(0, bodyLimit),
        bodyBytes: length,
        bodySha256: this.bodyHash,
        truncated:
          response.streamed !== undefined || text.length > bodyLimit || isCut || length > 4 * room,
      },
    }
  }
}

/** A request without secrets. */
function redactedRequest(
  { method, url, headers, body, display }: WireRequest,
  redactor: Redactor,
): Pick<WireRequest, 'method' | 'url' | 'body'> & { headers: HeaderLine[] } {
  return {
    method,
    url: redactor.redact(display?.url ?? url),
    headers: redactLines(headers, redactor).map((line) =>
      line[0] === display?.header?.[0] ? display.header : line,
    ),
    ...(body === undefined ? {} : { body: redactor.redact(body) }),
  }
}

/** Header lines without secrets. */
function redactLines(lines: readonly HeaderLine[], redactor: Redactor): HeaderLine[] {
  return lines.map(([name, value]) => [redactor.redact(name), redactor.redact(value)])
}

type ResponseHead = { readonly status: number; readonly headers: readonly HeaderLine[] }

/** Header names that report the remaining quota, and when it is reset. The document defines none. */
const remainingHeader = /^(x-)?rate-?limit-remaining(-(second|minute|hour|day))?$/i
const resetHeader = /^(x-)?rate-?limit-reset$/i

/** After so many served responses with an empty quota, the header is meaningless: a real quota refuses the next request. */
const mostServedEmpty = 3

/** Learns whether the quota headers of a target are meaningful (readings H6). */
export class QuotaHeaders {
  #servedEmpty = 0
  #counted = false

  /** Notes the quota that a response reports, and whether the request was served. */
  learnFrom(response: ResponseHead) {
    const left = remainingOf(response) ?? Number.NaN
    if (left > 0) this.#counted = true
    if (left === 0 && response.status < 300) this.#servedEmpty += 1
  }

  /** True if a response reports an empty quota, and the target does not report the same with served responses. */
  isSpent(response: ResponseHead) {
    return remainingOf(response) === 0 && (this.#counted || this.#servedEmpty < mostServedEmpty)
  }
}

/** The requests that are left in the smallest quota; undefined if no header reports them. */
export function remainingOf(response: Pick<ResponseHead, 'headers'>): number | undefined {
  const left = [
    ...numbersOf(response, remainingHeader),
    ...policiesOf(response).map(({ rest }) => rest),
  ]
  return left.length === 0 ? undefined : Math.min(...left)
}

/** When a spent quota is reset, as the header states it: seconds from now or since the epoch. */
export function resetOf(response: Pick<ResponseHead, 'headers'>): number | undefined {
  const spent = policiesOf(response).filter(
    ({ rest, reset }) => rest === 0 && Number.isFinite(reset),
  )
  const resets = [...numbersOf(response, resetHeader), ...spent.map(({ reset }) => reset)]
  return resets.length === 0 ? undefined : Math.max(...resets)
}

function numbersOf({ headers }: Pick<ResponseHead, 'headers'>, name: RegExp): number[] {
  return headers.flatMap(([line, value]) =>
    name.test(line) && /^\d+$/.test(value) ? [Number(value)] : [],
  )
}

/** The quotas of a `RateLimit` header: `"hour";r=0;t=30`, or `limit=60, remaining=0, reset=30` in older drafts. */
function policiesOf({
  headers,
}: Pick<ResponseHead, 'headers'>): { readonly rest: number; readonly reset: number }[] {
  const lines = headers.filter(([name]) => name.toLowerCase() === 'ratelimit')
  const quotas = lines.flatMap(([, value]) => value.split(/,(?! *re(?:maining|set)=)/))
  const member = (quota: string, key: string) =>
    Number(new RegExp(`\\b(?:${key})=(\\d+)`).exec(quota)?.[1] ?? Number.NaN)
  const all = quotas.map((quota) => ({
    rest: member(quota, 'r|remaining'),
    reset: member(quota, 't|reset'),
  }))
  return all.filter(({ rest }) => Number.isFinite(rest))
}

import { isUtf8 } from 'node:buffer'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { ReachableConfig } from '../../config/config.ts'
import { type ReceivedResponse, redactedRequest, redactLines } from '../../http/exchange/exchange.ts'
import { NoAnswer } from '../../http/exchange/no-answer.ts'
import { isRedirect } from '../../http/exchange/redirect.ts'
import type { WireRequest } from '../../http/exchange/wire.ts'
import { type NamedSecret, Redactor } from '../../http/redaction/redaction.ts'
import { systemClock } from '../../http/transport/clock.ts'
import type { Transport } from '../../http/transport/transport.ts'
import { suiteIdentity } from '../../package/root.ts'
import type { LaneName } from '../../record/lane-name.ts'
import { messageOf } from '../../text/errors.ts'
import type { Provider } from '../needs/provider.ts'
import { callersOf, labelOf } from '../needs/tokens.ts'
import {
  type BodyReference,
  type EventKey,
  eventCounter,
  type LaneTape,
  longestStream,
  type RecordedEvent,
  type RecordedFacts,
  type RecordingHeader,
  recordingFormat,
  type Tape,
} from './format.ts'
import { RecordingFile } from './recording-file.ts'

/** The members of needs and tokens that are secrets (schemas/needs). */
const secretMembers: readonly string[] = ['secret', 'token']

type Count = (request: unknown) => EventKey

/** Writes a recording. The lanes share one redactor, since a response may repeat the secret of another lane. */
export class Recorder implements Tape {
  readonly #redactor: Redactor
  readonly #file: RecordingFile
  readonly #startedAt: number
  readonly #standInKey = randomBytes(32)
  readonly #bodies = new Map<string, number>()
  /** Redirects are written last: the signatures in their addresses become known as secrets when they are followed. */
  readonly #redirects: (() => RecordedEvent)[] = []
  #notes: () => readonly string[] = () => []

  /** `onSecret` receives every secret that no output may contain. */
  constructor(file: string, config: ReachableConfig, facts: RecordedFacts, onSecret?: (named: NamedSecret) => void) {
    this.#redactor = new Redactor(onSecret)
    this.#file = new RecordingFile(file)
    this.#startedAt = Date.parse(facts.startedAt)
    for (const [name, secret] of Object.entries(config.target.dialect?.secrets ?? {})) this.#redactor.add(secret, name)
    callersOf(config.tokens, this.#redactor)
    const needs = Object.fromEntries(Object.entries(config.needs).map(([name, value]) => [name, this.#safe(value, name)]))
    const tokens = this.#safe(config.tokens, 'token')
    this.#file.write(this.#redactor.redactJson(headerOf({ ...config, needs, tokens }, facts)))
  }

  lane(lane: LaneName): LaneTape {
    const count = eventCounter(lane)
    const ask = (provider: Provider) => async (need: string, specifics: unknown) => {
      const write = (result: Partial<RecordedEvent>) => this.#writeNeed(count, need, { with: specifics }, result)
      const answer = await provider.ask(need, specifics).catch((error: unknown) => {
        write({ failure: { message: messageOf(error) } })
        throw error
      })
      write({ answer })
      return answer
    }
    return {
      redactor: this.#redactor,
      transport: (network) => this.#transport(network, count),
      provider: (configured) => configured && { ask: ask(configured), release: () => configured.release() },
      take: (need, specifics, next) => {
        const given = next()
        if (given !== undefined) this.#writeNeed(count, need, { taken: specifics }, { answer: { given } })
        return given
      },
    }
  }

  close(): void {
    for (const line of this.#redirects) this.#file.write(line())
    this.#file.write({ end: true, notes: this.#notes() })
    this.#file.close()
  }

  #transport(network: Transport, count: Count): Transport {
    this.#notes = () => network.notes
    return {
      get notes() {
        return network.notes
      },
      send: (wire, signal) => {
        const work = () => network.send(wire, signal)
        return this.#exchange(wire, count, work, (response) => [response, this.#body(response.body)])
      },
      stream: (wire, signal, consume) => {
        const chunks: Buffer[] = []
        const work = () => network.stream(wire, signal, (body) => consume(keeping(body, chunks)))
        return this.#exchange(wire, count, work, ({ response }) => [
          response,
          response.streamed ? this.#bytes(Buffer.concat(chunks)) : this.#body(response.body),
        ])
      },
    }
  }

  async #exchange<Result>(
    wire: WireRequest,
    count: Count,
    work: () => Promise<Result>,
    read: (result: Result) => [ReceivedResponse, BodyReference],
  ): Promise<Result> {
    const begun = { ...count(redactedRequest(wire, this.#redactor)), at: this.#elapsed }
    const result = await work().catch((error: unknown) => {
      const failure = error instanceof NoAnswer && { message: this.#redactor.redact(error.message), traits: error.traits }
      if (failure) this.#file.write({ ...begun, endedAt: this.#elapsed, failure })
      throw error
    })
    const [{ body: _, headers, ...received }, body] = read(result)
    const ended = { ...begun, endedAt: this.#elapsed }
    const line = () => ({ ...ended, response: { ...received, headers: redactLines(headers, this.#redactor), ...body } })
    if (isRedirect(received)) this.#redirects.push(line)
    else this.#file.write(line())
    return result
  }

  get #elapsed(): number {
    return Math.round(systemClock.now() - this.#startedAt)
  }

  /** Keeps a body without secrets; with the length and the hash of the received one where they differ. */
  #body(body: Buffer): BodyReference & Pick<ReceivedResponse, 'original'> {
    const encoding = isUtf8(body) ? 'utf8' : 'latin1'
    const text = body.toString(encoding)
    const safe = this.#redactor.redact(text)
    const original = { bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') }
    return { ...this.#reference(Buffer.from(safe, encoding)), ...(safe === text ? {} : { original }) }
  }

  /** Keeps bytes that are useless when they are changed. Bytes with a secret are not kept. */
  #bytes(bytes: Buffer): BodyReference {
    const isKept = bytes.length <= longestStream && this.#redactor.labelIn(bytes.toString('latin1')) === undefined
    return isKept ? this.#reference(bytes) : {}
  }

  #reference(bytes: Buffer): BodyReference {
    const key = createHash('sha256').update(bytes).digest('base64')
    const body = this.#bodies.get(key) ?? this.#bodies.size
    if (!this.#bodies.has(key))
      this.#file.write({ body, ...(isUtf8(bytes) ? { text: bytes.toString() } : { base64: bytes.toString('base64') }) })
    this.#bodies.set(key, body)
    return { body }
  }

  #writeNeed(count: Count, need: string, request: object, result: Partial<RecordedEvent>): void {
    this.#file.write({ ...count(this.#redactor.redactJson({ need, ...request })), ...this.#safe(result, need) })
  }

  /** A copy of a JSON value without secrets. Each secret of a need has a text in its place: a replay must distinguish tokens. */
  #safe<Value>(value: Value, need: string): Value {
    const replaced = (name: string, member: unknown) =>
      secretMembers.includes(name) && typeof member === 'string' ? this.#standIn(member, need) : member
    return this.#redactor.redactJson(JSON.parse(JSON.stringify(value, replaced)))
  }

  #standIn(secret: string, need: string): string {
    // A configured secret has its name already.
    if (this.#redactor.labelIn(secret) === undefined) this.#redactor.add(secret, labelOf(need))
    return createHmac('sha256', this.#standInKey).update(secret).digest('hex').slice(0, 32)
  }
}

/** Passes a body on and keeps its chunks, up to one more than the longest stream. */
async function* keeping(body: AsyncIterable<Buffer>, chunks: Buffer[]): AsyncGenerator<Buffer> {
  let length = 0
  for await (const chunk of body) {
    if (length <= longestStream) chunks.push(chunk)
    length += chunk.length
    yield chunk
  }
}

function headerOf(config: ReachableConfig, facts: RecordedFacts): RecordingHeader {
  const { provider, suites: _, file: __, target, report, ...rest } = config
  const { dialect: { secrets: ___, ...words } = {}, ...place } = target
  const safe = {
    ...rest,
    target: { ...place, ...(target.dialect ? { dialect: words } : {}) },
    report: { ...report, directory: '' },
  }
  return { ...recordingFormat, suite: suiteIdentity, ...facts, provider: provider !== undefined, config: safe }
}

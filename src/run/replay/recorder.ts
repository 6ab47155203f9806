import { isUtf8 } from 'node:buffer'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { ReachableConfig } from '../../config/config.ts'
import { type ReceivedResponse, redactedRequest, redactLines } from '../../http/exchange/exchange.ts'
import { NoAnswer } from '../../http/exchange/no-answer.ts'
import { isRedirect } from '../../http/exchange/redirect.ts'
import type { WireRequest } from '../../http/exchange/wire.ts'
import { type NamedSecret, Redactor } from '../../http/redaction/redaction.ts'
import { systemClock } from '../../http/transport/clock.ts'
import type { Consume, Streamed, Transport } from '../../http/transport/transport.ts'
import { suiteIdentity } from '../../package/root.ts'
import type { LaneName } from '../../record/lane-name.ts'
import { messageOf } from '../../text/errors.ts'
import type { Provider } from '../needs/provider.ts'
import { callersOf, labelOf } from '../needs/tokens.ts'
import {
  type BodyReference,
  type ExchangeLine,
  longestStream,
  type NeedLine,
  type NeedRequest,
  type RecordedFacts,
  type RecordingHeader,
  recordingFormat,
} from './format.ts'
import { RecordingFile } from './recording-file.ts'
import { EventCounter, type LaneTape, type Tape } from './tape.ts'

/** The members of needs and tokens that are secrets (schemas/needs). */
const secretMembers: readonly string[] = ['secret', 'token']

type Begun = Omit<ExchangeLine, 'endedAt'>

/** Writes a recording. The lanes share one redactor, since a response may repeat the secret of another lane. */
export class Recorder implements Tape {
  readonly #redactor: Redactor
  readonly #file: RecordingFile
  readonly #startedAt: number
  readonly #standInKey = randomBytes(32)
  readonly #bodies = new Map<string, number>()
  /** Redirects are written last: the signatures in their addresses become known as secrets when they are followed. */
  readonly #redirects: (() => ExchangeLine)[] = []
  #network: Transport | undefined

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
    const events = new EventCounter(lane)
    return {
      redactor: this.#redactor,
      transport: (network) => this.#transport(network, events),
      provider: (configured) => configured && this.#provider(configured, events),
      take: (need, specifics, next) => {
        const given = next()
        if (given !== undefined) this.#writeNeed(events, { need, taken: specifics }, { answer: { given } })
        return given
      },
    }
  }

  close(): void {
    for (const line of this.#redirects) this.#file.write(line())
    this.#file.write({ end: true, notes: this.#network?.notes ?? [] })
    this.#file.close()
  }

  #transport(network: Transport, events: EventCounter): Transport {
    this.#network = network
    return {
      get notes() {
        return network.notes
      },
      send: async (wire, signal) => {
        const begun = this.#begin(wire, events)
        const response = await network.send(wire, signal).catch((error: unknown) => this.#fail(begun, error))
        this.#end(begun, response, this.#body(response.body))
        return response
      },
      stream: (wire, signal, consume) => this.#stream(network, wire, signal, consume, this.#begin(wire, events)),
    }
  }

  #begin(wire: WireRequest, events: EventCounter): Begun {
    return { ...events.next(redactedRequest(wire, this.#redactor)), at: this.#elapsed }
  }

  get #elapsed(): number {
    return Math.round(systemClock.now() - this.#startedAt)
  }

  async #stream<Result>(
    network: Transport,
    wire: WireRequest,
    signal: AbortSignal,
    consume: Consume<Result>,
    begun: Begun,
  ): Promise<Streamed<Result>> {
    const chunks: Buffer[] = []
    const reader = (body: AsyncIterable<Buffer>) => consume(keeping(body, chunks))
    const streamed = await network.stream(wire, signal, reader).catch((error: unknown) => this.#fail(begun, error))
    const { response } = streamed
    this.#end(begun, response, response.streamed ? this.#bytes(Buffer.concat(chunks)) : this.#body(response.body))
    return streamed
  }

  #fail(begun: Begun, error: unknown): never {
    if (error instanceof NoAnswer) {
      const failure = { message: this.#redactor.redact(error.message), traits: error.traits }
      this.#file.write({ ...begun, endedAt: this.#elapsed, failure })
    }
    throw error
  }

  #end(begun: Begun, { body: _, headers, ...received }: ReceivedResponse, body: BodyReference): void {
    const endedAt = this.#elapsed
    const line = () => ({
      ...begun,
      endedAt,
      response: { ...received, headers: redactLines(headers, this.#redactor), ...body },
    })
    if (isRedirect(received)) this.#redirects.push(line)
    else this.#file.write(line())
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
    const known = this.#bodies.get(key)
    if (known !== undefined) return { body: known }
    const body = this.#bodies.size
    this.#bodies.set(key, body)
    this.#file.write({ body, ...(isUtf8(bytes) ? { text: bytes.toString() } : { base64: bytes.toString('base64') }) })
    return { body }
  }

  #provider(configured: Provider, events: EventCounter): Provider {
    return {
      ask: async (need, specifics) => {
        const write = (result: Pick<NeedLine, 'answer' | 'failure'>) => this.#writeNeed(events, { need, with: specifics }, result)
        const answer = await configured.ask(need, specifics).catch((error: unknown) => {
          write({ failure: { message: messageOf(error) } })
          throw error
        })
        write({ answer })
        return answer
      },
      release: () => configured.release(),
    }
  }

  #writeNeed(events: EventCounter, request: NeedRequest, result: Pick<NeedLine, 'answer' | 'failure'>): void {
    const { need } = request
    this.#file.write({ ...events.next(this.#redactor.redactJson(request)), ...this.#safe(result, need) })
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
  return {
    ...recordingFormat,
    suite: { name: suiteIdentity.name, version: suiteIdentity.version },
    target: { baseUrl: target.baseUrl },
    versions: config.versions,
    ...facts,
    provider: provider !== undefined,
    config: {
      ...rest,
      target: { ...place, ...(target.dialect ? { dialect: words } : {}) },
      report: { ...report, directory: '' },
    },
  }
}

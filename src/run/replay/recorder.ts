import { isUtf8 } from 'node:buffer'
import { createHmac, randomBytes } from 'node:crypto'
import { constants, gunzipSync } from 'node:zlib'
import type { ReachableConfig } from '../../config/config.ts'
import { Body } from '../../http/exchange/body.ts'
import { labelOf } from '../../http/exchange/caller.ts'
import { type BodyDigest, type ReceivedResponse, redactedRequest, redactLines } from '../../http/exchange/exchange.ts'
import { NoAnswer } from '../../http/exchange/no-answer.ts'
import { isRedirect } from '../../http/exchange/redirect.ts'
import type { WireRequest } from '../../http/exchange/wire.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import type { Transport } from '../../http/transport/connection/transport.ts'
import { systemClock } from '../../http/transport/time/clock.ts'
import { suiteIdentity } from '../../package/root.ts'
import type { LaneName } from '../../record/lane-name.ts'
import { messageOf } from '../../text/errors.ts'
import type { LaneTape, Tape } from '../judge/session.ts'
import type { Provider } from '../needs/provider.ts'
import { callersOf } from '../needs/tokens.ts'
import { eventCounter, longestStream, type RecordedEvent, type RecordingFile, type RecordingHeader } from './recording.ts'

type RecordedFacts = Omit<RecordingHeader, 'suite' | 'config' | 'provider'>

/** Writes a recording. The lanes share one redactor, since a response may repeat the secret of another lane. */
export class Recorder implements Tape {
  readonly #redactor = new Redactor()
  readonly #file: RecordingFile
  readonly #elapsed: () => number
  readonly #key = randomBytes(32)
  readonly #count = eventCounter()
  readonly #bodies = new Map<string, number>()
  /** Redirects are written last: the signatures in their addresses become known as secrets when they are followed. */
  readonly #redirects: (() => RecordedEvent)[] = []
  #network: Transport | undefined

  constructor(file: RecordingFile, config: ReachableConfig, facts: RecordedFacts) {
    this.#file = file
    this.#elapsed = () => Math.round(systemClock.now() - Date.parse(facts.startedAt))
    for (const [name, secret] of Object.entries(config.target.dialect?.secrets ?? {})) this.#redactor.add(secret, name)
    callersOf(config.tokens, this.#redactor)
    this.#file.begin(this.#redactor.redactJson({ suite: suiteIdentity, ...facts, ...this.#settings(config) }))
  }

  /** A copy without secrets. A placeholder replaces each `secret` and each `token`, a different one for each value. Reports hide new secrets as `label`. */
  #copy<Value>(value: Value, label: string): Value {
    const replaced = (name: string, member: unknown) =>
      /^(secret|token)$/.test(name) && typeof member === 'string' ? this.#placeholder(member, label) : member
    return this.#redactor.redactJson(JSON.parse(JSON.stringify(value, replaced)))
  }

  #placeholder(secret: string, label: string): string {
    if (this.#redactor.labelIn(secret) === undefined) this.#redactor.add(secret, label)
    return createHmac('sha256', this.#key).update(secret).digest('hex').slice(0, 32)
  }

  /** The configuration without secrets, and without the code and the places that a received file must not choose. */
  #settings({ provider, providerStart: _, suites: __, file: ___, ...config }: ReachableConfig) {
    const needs = Object.entries(config.needs).map(([name, value]) => [name, this.#copy(value, labelOf(name))])
    const { dialect: { secrets: _secrets, ...words } = {}, start: _start, ...place } = config.target
    const own = {
      needs: Object.fromEntries(needs),
      tokens: this.#copy(config.tokens, labelOf('token')),
      target: { ...place, ...(config.target.dialect ? { dialect: words } : {}) },
      report: { ...config.report, directory: '' },
    }
    return { provider: provider !== undefined, config: { ...config, ...own } }
  }

  /** The parts of one session that write its requests and its test data to the recording. */
  lane(lane: LaneName): LaneTape {
    const write = (need: string, request: object, result: Partial<RecordedEvent>) => {
      const asked = this.#count(lane, this.#redactor.redactJson({ need, ...request }))
      this.#file.write({ ...asked, ...this.#copy(result, labelOf(need)) })
    }
    const ask = (provider: Provider) => async (need: string, specifics: unknown) => {
      const asked = provider.ask(need, specifics)
      const failed = (error: unknown) => ({ failure: { message: messageOf(error) } })
      write(need, { with: specifics }, await asked.then((answer) => ({ answer }), failed))
      return asked
    }
    return {
      redactor: this.#redactor,
      transport: (network) => this.#transport(network, lane),
      provider: (configured) => configured && { ask: ask(configured), release: () => configured.release() },
      take: (need, specifics, next) => {
        const given = next()
        if (given !== undefined) write(need, { taken: specifics }, { answer: { given } })
        return given
      },
    }
  }

  /** Writes the redirects and the last line, and completes the file. */
  close(): void {
    for (const line of this.#redirects) this.#file.write(line())
    this.#file.write({ end: true, notes: this.#network?.notes ?? [] })
    this.#file.close()
  }

  #transport(network: Transport, lane: LaneName): Transport {
    this.#network = network
    const begin = (wire: WireRequest) => ({ ...this.#count(lane, redactedRequest(wire, this.#redactor)), at: this.#elapsed() })
    return {
      get notes() {
        return network.notes
      },
      send: async (wire, signal) => this.#record(begin(wire), network.send(wire, signal)),
      stream: async (wire, signal, consume) => {
        const chunks: Buffer[] = []
        const sending = network.stream(wire, signal, (body) => consume(keeping(body, chunks)))
        const receiving = sending.then(({ response }) => response)
        await this.#record(begin(wire), receiving, chunks)
        return sending
      },
    }
  }

  /** Records a response, or the reason why there is none. `chunks` contains the body that was streamed. */
  async #record(begun: RecordedEvent, sending: Promise<ReceivedResponse>, chunks: readonly Buffer[] = []) {
    const response = await sending.catch((error: unknown) => {
      const failure = error instanceof NoAnswer && { message: this.#redactor.redact(error.message), traits: error.traits }
      if (failure) this.#file.write({ ...begun, endedAt: this.#elapsed(), failure })
      throw error
    })
    const { body, headers, ...facts } = response
    const ended = { ...begun, endedAt: this.#elapsed() }
    const kept = { ...facts, ...(facts.streamed ? this.#bodyOf(Buffer.concat(chunks), true) : this.#bodyOf(body)) }
    const line = () => ({ ...ended, response: { ...kept, headers: redactLines(headers, this.#redactor) } })
    if (isRedirect(facts)) this.#redirects.push(line)
    else this.#file.write(line())
    return response
  }

  /** Keeps a body without secrets, with the digest of the received one where they differ. A stream is kept unchanged or not at all. */
  #bodyOf(bytes: Buffer, isStream = false): { body?: number; original?: BodyDigest } {
    if (isStream && bytes.length > longestStream) return {}
    const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
    const text = bytes.toString(encoding)
    const safe = this.#hidesSecret(bytes) ? '' : this.#redactor.redact(text)
    if (safe === text) return { body: this.#numberOf(bytes) }
    const original = { bytes: bytes.length, sha256: new Body(bytes).hash }
    return isStream ? {} : { body: this.#numberOf(Buffer.from(safe, encoding)), original }
  }

  /** True for compressed bytes with a secret in them, or with too many bytes for a search. */
  #hidesSecret(bytes: Buffer): boolean {
    if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return false
    try {
      const unpacked = gunzipSync(bytes, { maxOutputLength: 4 * longestStream, finishFlush: constants.Z_SYNC_FLUSH })
      return this.#redactor.labelIn(unpacked.toString('latin1')) !== undefined
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    }
  }

  #numberOf(bytes: Buffer): number {
    const key = new Body(bytes).hash
    const body = this.#bodies.get(key) ?? this.#bodies.size
    if (body === this.#bodies.size)
      this.#file.write({ body, ...(isUtf8(bytes) ? { text: bytes.toString() } : { base64: bytes.toString('base64') }) })
    this.#bodies.set(key, body)
    return body
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

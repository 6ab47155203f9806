import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type ReceivedResponse, redactLines } from '../../http/exchange/exchange.ts'
import { NoAnswer } from '../../http/exchange/no-answer.ts'
import { NotSent } from '../../http/exchange/not-sent.ts'
import { isRedirect } from '../../http/exchange/redirect.ts'
import type { WireRequest } from '../../http/exchange/wire.ts'
import { type NamedSecret, Redactor } from '../../http/redaction/redaction.ts'
import { systemClock } from '../../http/transport/clock.ts'
import type { Consume, Streamed, Transport } from '../../http/transport/transport.ts'
import type { LaneName } from '../../record/lane-name.ts'
import { messageOf } from '../../text/errors.ts'
import type { Provider, ProviderAnswer } from '../needs/provider.ts'
import { labelOf } from '../needs/tokens.ts'
import { ClockLog } from './clock-log.ts'
import type { ExchangeLine, Place, RecordedAnswer, RecordingHeader, ValueLine } from './format.ts'
import { KeptStream } from './kept-stream.ts'
import { Places } from './places.ts'
import type { RecordingFile } from './recording-file.ts'
import { StandIns } from './stand-ins.ts'
import type { LaneTape, RunTape } from './tape.ts'

/** Writes a run down while it goes on. All lanes share one redactor, so that no body keeps a secret that another lane was given. */
export class Recorder implements RunTape {
  readonly redactor: Redactor
  readonly #file: RecordingFile
  readonly #startedAt: number
  readonly #clocks: ClockLog[] = []
  readonly #bodies = new Map<string, number>()
  readonly #standIns = new StandIns((secret, what) => {
    // Those of the configuration have names already; what is given while running is named when it is used.
    if (this.redactor.redact(secret) === secret) this.redactor.add(secret, labelOf(what))
  })
  /** Redirects are written last: what their addresses are signed with is known to be secret only when they are followed. */
  readonly #redirects: (() => ExchangeLine)[] = []
  #network: Transport | undefined
  #events = 0
  #exchanges = 0

  /** `onSecret` is told of every secret that no output may contain. */
  constructor(file: RecordingFile, startedAt: Date, onSecret?: (named: NamedSecret) => void) {
    this.redactor = new Redactor(onSecret)
    this.#file = file
    this.#startedAt = startedAt.getTime()
  }

  /** Writes the first line, when the secrets of the configuration are known. */
  begin(header: RecordingHeader): void {
    const { tokens, needs } = header.config
    const config = {
      ...header.config,
      tokens: this.#standIns.replace(tokens, 'token'),
      needs: Object.fromEntries(Object.entries(needs).map(([name, value]) => [name, this.#standIns.replace(value, name)])),
    }
    this.#file.write(this.redactor.redactJson({ ...header, config }))
  }

  lane(lane: LaneName): LaneTape {
    const places = new Places(lane, this.redactor)
    const clock = new ClockLog(lane, this.#startedAt, places, () => this.#event())
    this.#clocks.push(clock)
    return {
      redactor: this.redactor,
      clock: clock.recording(systemClock),
      transport: (network) => this.#transport(network, places),
      provider: (configured) => configured && this.#provider(configured, places),
      draw: (what, specifics, make) => {
        const given = make()
        if (given !== undefined) this.#value(places.next([what, specifics]), what, specifics, { given })
        return given
      },
    }
  }

  async close(): Promise<void> {
    for (const line of this.#redirects) this.#file.write(line())
    for (const line of this.#clocks.flatMap((clock) => clock.lines())) this.#file.write(line)
    this.#file.write({ type: 'end', exchanges: this.#exchanges, notes: this.#network?.notes ?? [] })
    await this.#file.close()
  }

  #event(): number {
    this.#events += 1
    return this.#events
  }

  #transport(network: Transport, places: Places): Transport {
    this.#network = network
    return {
      get notes() {
        return network.notes
      },
      within: (scope, work, wire) => places.within(scope, work, wire),
      admit: (wire, decide) => this.#admit(wire, decide, places),
      send: (wire, signal) => this.#send(network, wire, signal, places),
      stream: (wire, signal, consume) => this.#stream(network, wire, signal, consume, places),
    }
  }

  #admit(wire: WireRequest, decide: () => void, places: Places): void {
    try {
      decide()
    } catch (error) {
      const request = places.request(wire)
      this.#refused(places.next(request), request, error)
      throw error
    }
  }

  #refused(place: Place, request: ExchangeLine['request'], error: unknown): void {
    const at = this.#events
    if (error instanceof NotSent)
      this.#write({ ...place, type: 'exchange', at, request, refused: { by: 'limit', reason: error.reason } })
    if (!(error instanceof NoAnswer)) return
    const { message, traits } = error
    this.#write({ ...place, type: 'exchange', at, request, refused: { by: 'silence', message, traits } })
  }

  async #send(network: Transport, wire: WireRequest, signal: AbortSignal, places: Places): Promise<ReceivedResponse> {
    const request = places.request(wire)
    const place = places.next(request)
    // Before the request, since what happens after an answer must follow it at once: the order of events is recorded.
    await this.#file.drained()
    const response = await network.send(wire, signal).catch((error: unknown) => this.#lost(place, request, error))
    const body = this.#body(response.body)
    const at = this.#event()
    this.#answered(place, request, at, response, {
      ...body,
      ...(response.strayBytes === undefined ? {} : { strayBytes: response.strayBytes }),
    })
    return response
  }

  async #stream<Result>(
    network: Transport,
    wire: WireRequest,
    signal: AbortSignal,
    consume: Consume<Result>,
    places: Places,
  ): Promise<Streamed<Result>> {
    const request = places.request(wire)
    const place = places.next(request)
    const kept = new KeptStream(consume)
    const streamed = await network.stream(wire, signal, kept.consume).catch((error: unknown) => {
      // The end of the time cuts the bytes off, which must not be taken for what the target sent.
      if (error instanceof NotSent) this.#refused(place, request, error)
      // What the reader itself found wrong with the bytes, it finds again.
      else if (!signal.aborted && !(error instanceof NoAnswer) && kept.bytes) {
        this.#answered(place, request, this.#event(), { status: 200, headers: [] }, this.#bytes(kept.bytes))
        throw error
      }
      return this.#lost(place, request, error)
    })
    const { response } = streamed
    const bytes = response.streamed ? kept.bytes : response.body
    const body = bytes === undefined ? {} : response.streamed ? this.#bytes(bytes) : this.#body(bytes)
    this.#answered(place, request, this.#event(), response, {
      ...body,
      ...(response.streamed ? { streamed: response.streamed } : {}),
    })
    return streamed
  }

  #lost(place: Place, request: ExchangeLine['request'], error: unknown): never {
    if (error instanceof NoAnswer) {
      const lost = { message: this.redactor.redact(error.message), traits: error.traits }
      this.#write({ ...place, type: 'exchange', at: this.#event(), request, lost })
    }
    throw error
  }

  #answered(
    place: Place,
    request: ExchangeLine['request'],
    at: number,
    { status, headers }: Pick<ReceivedResponse, 'status' | 'headers'>,
    body: Omit<RecordedAnswer, 'status' | 'headers'>,
  ): void {
    const line = (): ExchangeLine => {
      const answer = { status, headers: redactLines(headers, this.redactor), ...body }
      return { ...place, type: 'exchange', at, request, answer }
    }
    if (isRedirect({ status })) {
      this.#exchanges += 1
      this.#redirects.push(line)
    } else this.#write(line())
  }

  #write(line: ExchangeLine): void {
    this.#exchanges += 1
    this.#file.write(line)
  }

  /** Keeps a body once, without secrets; what its length and hash were is kept where that changes it. */
  #body(body: Buffer): Pick<RecordedAnswer, 'body' | 'original'> {
    const sha256 = createHash('sha256').update(body).digest('hex')
    const [text, encoding] = isUtf8(body)
      ? [body.toString('utf8'), 'utf8' as const]
      : [body.toString('latin1'), 'latin1' as const]
    const safe = this.redactor.redact(text)
    const original = safe === text ? {} : { original: { bytes: body.length, sha256 } }
    const known = this.#bodies.get(sha256)
    if (known !== undefined) return { body: known, ...original }
    const id = this.#bodies.size + 1
    this.#bodies.set(sha256, id)
    this.#file.write({
      type: 'body',
      id,
      ...(encoding === 'utf8' ? { text: safe } : { base64: Buffer.from(safe, 'latin1').toString('base64') }),
    })
    return { body: id, ...original }
  }

  /** Keeps bytes that would be of no use when they were changed; not those that contain a secret. */
  #bytes(bytes: Buffer): Pick<RecordedAnswer, 'body'> {
    const text = bytes.toString('latin1')
    if (this.redactor.redact(text) !== text) return {}
    const id = this.#bodies.size + 1
    this.#bodies.set(`stream ${id}`, id)
    this.#file.write({ type: 'body', id, base64: bytes.toString('base64') })
    return { body: id }
  }

  #provider(configured: Provider, places: Places): Provider {
    const noted = async (what: string, specifics: unknown, ask: () => Promise<ProviderAnswer | undefined>) => {
      const place = places.next([what, specifics])
      const answer = await ask().catch((error: unknown) => {
        this.#value(place, what, specifics, { failed: messageOf(error) })
        throw error
      })
      if (answer) this.#value(place, what, specifics, answer)
      return answer
    }
    return {
      ask: async (name, specifics) => (await noted(name, specifics, () => configured.ask(name, specifics))) as ProviderAnswer,
      release: async () => void (await noted('release', {}, async () => void (await configured.release()))),
    }
  }

  #value(place: Place, what: string, specifics: unknown, came: Pick<ValueLine, 'given' | 'unsupported' | 'failed'>): void {
    const safe = this.redactor.redactJson({ with: specifics, ...this.#standIns.replace(came, what) })
    this.#file.write({ ...place, type: 'value', at: this.#event(), what, ...safe })
  }
}

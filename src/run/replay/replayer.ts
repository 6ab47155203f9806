import type { ReceivedResponse } from '../../http/exchange/exchange.ts'
import { NoAnswer } from '../../http/exchange/no-answer.ts'
import { NotSent } from '../../http/exchange/not-sent.ts'
import type { WireRequest } from '../../http/exchange/wire.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import type { Consume, Streamed, Transport } from '../../http/transport/transport.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { Provider, ProviderAnswer } from '../needs/provider.ts'
import { ProviderFailure } from '../needs/provider-failure.ts'
import { recordedClock } from './clock-log.ts'
import { type ExchangeLine, longestStream, type RecordedAnswer } from './format.ts'
import { Places } from './places.ts'
import { Recording } from './recording.ts'
import type { LaneTape, RunTape } from './tape.ts'
import { Turns } from './turns.ts'

/** Answers from the record of a former run: nothing is sent, and no wait takes time. */
export class Replayer implements RunTape {
  readonly #recording: Recording
  readonly #turns = new Turns()

  constructor(recording: Recording) {
    this.#recording = recording
  }

  /** Reads a recording. Throws `UsageError` for one that is damaged. */
  static async open(file: string): Promise<Replayer> {
    return new Replayer(await Recording.read(file))
  }

  lane(lane: LaneName): LaneTape {
    const { header } = this.#recording
    const redactor = new Redactor()
    const places = new Places(lane, redactor)
    return {
      redactor,
      clock: recordedClock(this.#recording.clocksOf(lane), Date.parse(header.startedAt), places, this.#turns),
      transport: () => this.#transport(places),
      provider: () => (header.provider ? this.#provider(places) : undefined),
      draw: (what, specifics) => this.#recording.value(places.next([what, specifics]), what, specifics)?.given,
    }
  }

  async close(): Promise<void> {}

  #transport(places: Places): Transport {
    return {
      notes: this.#recording.notes,
      within: (scope, work, wire) => places.within(scope, work, wire),
      admit: (wire) => this.#admit(wire, places),
      send: (wire) => this.#send(wire, places),
      stream: (wire, _signal, consume) => this.#stream(wire, places, consume),
    }
  }

  #admit(wire: WireRequest, places: Places): void {
    const request = places.request(wire)
    const refused = this.#recording.exchange(places.next(request, false), request)?.refused
    if (!refused) return
    places.next(request)
    throw refused.by === 'limit' ? new NotSent(refused.reason) : new NoAnswer(refused.message, refused.traits)
  }

  async #send(wire: WireRequest, places: Places): Promise<ReceivedResponse> {
    return this.#response(await this.#answer(wire, places))
  }

  async #stream<Result>(wire: WireRequest, places: Places, consume: Consume<Result>): Promise<Streamed<Result>> {
    const answer = await this.#answer(wire, places)
    if (answer.status !== 200) return { response: this.#response(answer) }
    const bytes = answer.body === undefined ? undefined : this.#recording.body(answer.body)
    if (!bytes) {
      throw new NotSent({ code: 'body-not-recorded', request: `${wire.method} ${answer.url}`, longest: longestStream })
    }
    const result = await consume(pieces(bytes))
    return { response: { ...this.#response(answer), body: Buffer.alloc(0) }, result }
  }

  /** The answer of the recorded run to the same request, when it is its turn. */
  async #answer(wire: WireRequest, places: Places): Promise<RecordedAnswer & { url: string }> {
    const request = places.request(wire)
    const line = this.#recording.exchange(places.next(request), request)
    await this.#turns.take(line?.at)
    if (line?.lost) throw new NoAnswer(line.lost.message, line.lost.traits)
    if (!line?.answer) throw new NotSent({ code: 'request-not-recorded', request: `${request.method} ${request.url}` })
    return { ...line.answer, url: request.url }
  }

  #response({ status, headers, body, strayBytes, streamed, original }: NonNullable<ExchangeLine['answer']>): ReceivedResponse {
    return {
      status,
      headers,
      body: (body === undefined ? undefined : this.#recording.body(body)) ?? Buffer.alloc(0),
      ...(strayBytes === undefined ? {} : { strayBytes }),
      ...(streamed ? { streamed } : {}),
      ...(original ? { original } : {}),
    }
  }

  #provider(places: Places): Provider {
    const asked = async (what: string, specifics: unknown): Promise<ProviderAnswer | undefined> => {
      const line = this.#recording.value(places.next([what, specifics]), what, specifics)
      await this.#turns.take(line?.at)
      if (line?.failed !== undefined) throw new ProviderFailure(line.failed)
      if (line?.unsupported !== undefined) return { unsupported: line.unsupported }
      return line && { given: line.given }
    }
    return {
      ask: async (name, specifics) => {
        const answer = await asked(name, specifics)
        if (!answer) throw new NotSent({ code: 'need-not-recorded', need: name })
        return answer
      },
      release: async () => void (await asked('release', {})),
    }
  }
}

/** As much as a reader of a stream gets at once. Bytes. */
const piece = 64 * 1024

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
}

import { type ReceivedResponse, redactedRequest } from '../../http/exchange/exchange.ts'
import { NoAnswer } from '../../http/exchange/no-answer.ts'
import { NotSent } from '../../http/exchange/not-sent.ts'
import type { WireRequest } from '../../http/exchange/wire.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import type { Clock } from '../../http/transport/clock.ts'
import { currentScope } from '../../http/transport/scope.ts'
import type { Consume, Streamed, Transport } from '../../http/transport/transport.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { Provider, ProviderAnswer } from '../needs/provider.ts'
import { ProviderFailure } from '../needs/provider-failure.ts'
import {
  type ExchangeLine,
  longestStream,
  type NeedLine,
  type NeedRequest,
  type RecordedEvent,
  type RecordingHeader,
} from './format.ts'
import type { readRecording } from './recording-file.ts'
import { EventCounter, type LaneTape, type Tape } from './tape.ts'

/** A recorded response. Its body is absent if it was not kept. */
type RecordedResponse = Omit<ReceivedResponse, 'body'> & Partial<Pick<ReceivedResponse, 'body'>>

/** Returns the recorded responses to the requests of a run; no request is sent, and no wait takes time. */
export class Replayer implements Tape {
  readonly #header: RecordingHeader
  readonly #redactor = new Redactor()
  readonly #events: RecordedEvents
  readonly #bodies = new Map<number, Buffer>()
  #notes: readonly string[] = []

  constructor({ header, lines }: ReturnType<typeof readRecording>) {
    this.#header = header
    this.#events = new RecordedEvents(lines.filter((line) => 'scope' in line))
    for (const line of lines) {
      if ('end' in line) this.#notes = line.notes
      else if ('body' in line) this.#bodies.set(line.body, bytesOf(line))
    }
  }

  lane(lane: LaneName): LaneTape {
    const counter = new EventCounter(lane)
    const clock = new ScopeClock(Date.parse(this.#header.startedAt), this.#events.startsIn(lane))
    return {
      redactor: this.#redactor,
      clock,
      transport: () => this.#transport(counter, clock),
      provider: () => (this.#header.provider ? this.#provider(counter) : undefined),
      take: (need, specifics) => {
        const answer = this.#answer(counter, { need, taken: specifics })
        return answer && 'given' in answer ? answer.given : undefined
      },
    }
  }

  close(): void {}

  #transport(counter: EventCounter, clock: ScopeClock): Transport {
    const responseTo = (wire: WireRequest) => this.#responseTo(wire, counter, clock)
    return {
      notes: this.#notes,
      send: async (wire) => ({ body: Buffer.alloc(0), ...responseTo(wire) }),
      async stream<Result>(wire: WireRequest, _: AbortSignal, consume: Consume<Result>): Promise<Streamed<Result>> {
        const { body, ...response } = responseTo(wire)
        const request = `${wire.method} ${wire.display?.url ?? wire.url}`
        if (!body) throw new NotSent({ code: 'body-not-recorded', request, longest: longestStream })
        if (response.status !== 200) return { response: { ...response, body } }
        return { result: await consume(only(body)), response: { ...response, body: Buffer.alloc(0) } }
      },
    }
  }

  /** Throws `NoAnswer` as in the recorded run, and {@link NotSent} for an unknown request. */
  #responseTo(wire: WireRequest, counter: EventCounter, clock: ScopeClock): RecordedResponse {
    const request = redactedRequest(wire, this.#redactor)
    const line = this.#events.find(counter.next(request)) as ExchangeLine | undefined
    if (line) clock.reach(line.endedAt)
    if (line?.failure) throw new NoAnswer(line.failure.message, line.failure.traits)
    if (!line?.response) throw new NotSent({ code: 'request-not-recorded', request: `${request.method} ${request.url}` })
    const { body = -1, ...response } = line.response
    const bytes = this.#bodies.get(body)
    return bytes ? { ...response, body: bytes } : response
  }

  #provider(counter: EventCounter): Provider {
    return {
      ask: async (need, specifics) => {
        const answer = this.#answer(counter, { need, with: specifics })
        if (!answer) throw new NotSent({ code: 'need-not-recorded', need })
        return answer
      },
      async release() {},
    }
  }

  #answer(counter: EventCounter, request: NeedRequest): ProviderAnswer | undefined {
    const line = this.#events.find(counter.next(this.#redactor.redactJson(request))) as NeedLine | undefined
    if (line?.failure) throw new ProviderFailure(line.failure.message)
    return line?.answer
  }
}

function bytesOf({ text = '', base64 }: { readonly text?: string; readonly base64?: string }): Buffer {
  return base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64')
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** The events of a recording, by lane, scope, request and number. */
class RecordedEvents {
  readonly #events: readonly RecordedEvent[]
  readonly #exact = new Map<string, RecordedEvent>()
  /** The events of all checks of an area. */
  readonly #related = new Map<string, RecordedEvent[]>()
  readonly #used = new Set<RecordedEvent>()

  constructor(events: readonly RecordedEvent[]) {
    this.#events = events
    for (const event of events) {
      this.#exact.set(exactKey(event), event)
      const related = relatedKey(event)
      this.#related.set(related, [...(this.#related.get(related) ?? []), event])
    }
  }

  /**
   * Checks of an area share responses, and the first of them sends the request. In a replay another one may be the first. A check that
   * sends its own request more often than in the recorded run gets no response.
   */
  find(wanted: RecordedEvent): RecordedEvent | undefined {
    const sent = this.#exact.has(exactKey({ ...wanted, n: 1 }))
    const related = sent ? [] : (this.#related.get(relatedKey(wanted)) ?? [])
    const found = this.#exact.get(exactKey(wanted)) ?? related.find((event) => !this.#used.has(event))
    if (found) this.#used.add(found)
    return found
  }

  /** The time of the first request of each scope. */
  startsIn(lane: LaneName): Map<string, number> {
    const exchanges = this.#events.filter((event): event is ExchangeLine => event.lane === lane && 'at' in event)
    return new Map(exchanges.toSorted((a, b) => b.at - a.at).map(({ scope, at }) => [scope, at]))
  }
}

function exactKey({ lane, scope, request, n }: RecordedEvent): string {
  return JSON.stringify([lane, scope, request, n])
}

/** The area of a check is the first part of its id. */
function relatedKey({ lane, scope, request }: RecordedEvent): string {
  return JSON.stringify([lane, scope.split('.')[0], request])
}

/** A virtual clock with a time of its own for each scope, so that concurrent checks do not advance each other. */
class ScopeClock implements Clock {
  readonly #startedAt: number
  readonly #elapsed: Map<string, number>

  /** `elapsed` contains the milliseconds from the start of the run until each scope begins. */
  constructor(startedAt: number, elapsed: Map<string, number>) {
    this.#startedAt = startedAt
    this.#elapsed = elapsed
  }

  now(): number {
    return this.#startedAt + (this.#elapsed.get(currentScope()) ?? 0)
  }

  /** Moves the time of the current scope forward. */
  reach(elapsed: number): void {
    this.#elapsed.set(currentScope(), Math.max(elapsed, this.#elapsed.get(currentScope()) ?? 0))
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.reach(this.now() - this.#startedAt + Math.max(0, milliseconds))
  }
}

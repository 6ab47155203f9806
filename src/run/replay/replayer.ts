import { Readable } from 'node:stream'
import { type ReceivedResponse, redactedRequest } from '../../http/exchange/exchange.ts'
import { NoAnswer } from '../../http/exchange/no-answer.ts'
import { NotSent } from '../../http/exchange/not-sent.ts'
import type { WireRequest } from '../../http/exchange/wire.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import type { Clock } from '../../http/transport/clock.ts'
import { currentScope } from '../../http/transport/scope.ts'
import type { Consume, Transport } from '../../http/transport/transport.ts'
import type { LaneName } from '../../record/lane-name.ts'
import { groupBy } from '../../text/data.ts'
import type { Provider, ProviderAnswer } from '../needs/provider.ts'
import { ProviderFailure } from '../needs/provider-failure.ts'
import {
  type EventKey,
  eventCounter,
  type LaneTape,
  longestStream,
  type RecordedEvent,
  type RecordingHeader,
  type Tape,
} from './format.ts'
import type { readRecording } from './recording-file.ts'

/** A recorded response. Its body is absent if it was not kept. */
type RecordedResponse = Omit<ReceivedResponse, 'body'> & Partial<Pick<ReceivedResponse, 'body'>>

/** Finds the event of a request: by its lane, its scope and its number. */
type Find = (request: unknown) => RecordedEvent | undefined

/** Returns the recorded responses to the requests of a run; no request is sent, and no wait takes time. */
export class Replayer implements Tape {
  readonly #header: RecordingHeader
  readonly #redactor = new Redactor()
  readonly #events: readonly RecordedEvent[]
  readonly #exact: ReadonlyMap<string, RecordedEvent>
  /** The events of all checks of an area. */
  readonly #related: ReadonlyMap<string, RecordedEvent[]>
  readonly #used = new Set<RecordedEvent>()
  readonly #bodies = new Map<number, Buffer>()
  readonly #notes: readonly string[]

  constructor({ header, lines }: ReturnType<typeof readRecording>) {
    this.#header = header
    this.#events = lines.filter((line) => 'scope' in line)
    this.#exact = new Map(this.#events.map((event) => [exactKey(event), event]))
    this.#related = groupBy(this.#events, relatedKey)
    this.#notes = lines.flatMap((line) => ('end' in line ? line.notes : []))
    for (const line of lines)
      if ('body' in line)
        this.#bodies.set(line.body, Buffer.from(line.base64 ?? line.text ?? '', line.base64 === undefined ? 'utf8' : 'base64'))
  }

  lane(lane: LaneName): LaneTape {
    const count = eventCounter(lane)
    const find: Find = (request) => this.#find(count(request))
    const clock = scopeClock(Date.parse(this.#header.startedAt), this.#startsIn(lane))
    const ask: Provider['ask'] = async (need, specifics) => {
      const answer = this.#answer(find, { need, with: specifics })
      if (!answer) throw new NotSent({ code: 'need-not-recorded', need })
      return answer
    }
    return {
      redactor: this.#redactor,
      clock,
      transport: () => this.#transport(find, clock),
      provider: () => (this.#header.provider ? { ask, async release() {} } : undefined),
      take: (need, specifics) => {
        const answer = this.#answer(find, { need, taken: specifics })
        return answer && 'given' in answer ? answer.given : undefined
      },
    }
  }

  /**
   * Checks of an area share responses, and the first of them sends the request. In a replay another one may be the first. A check that
   * sends its own request more often than in the recorded run gets no response.
   */
  #find(wanted: EventKey): RecordedEvent | undefined {
    const sent = this.#exact.has(exactKey({ ...wanted, n: 1 }))
    const related = sent ? [] : (this.#related.get(relatedKey(wanted)) ?? [])
    const found = this.#exact.get(exactKey(wanted)) ?? related.find((event) => !this.#used.has(event))
    if (found) this.#used.add(found)
    return found
  }

  /** The time of the first request of each scope. */
  #startsIn(lane: LaneName): Map<string, number> {
    const sent = this.#events.flatMap((event) =>
      event.lane === lane && event.at !== undefined ? [{ ...event, at: event.at }] : [],
    )
    return new Map(sent.sort((a, b) => b.at - a.at).map(({ scope, at }) => [scope, at]))
  }

  #transport(find: Find, clock: ScopeClock): Transport {
    const responseTo = (wire: WireRequest) => this.#responseTo(wire, find, clock)
    return {
      notes: this.#notes,
      send: async (wire) => ({ body: Buffer.alloc(0), ...responseTo(wire) }),
      async stream<Result>(wire: WireRequest, _: AbortSignal, consume: Consume<Result>) {
        const { body, ...response } = responseTo(wire)
        const request = `${wire.method} ${wire.display?.url ?? wire.url}`
        if (!body) throw new NotSent({ code: 'body-not-recorded', request, longest: longestStream })
        if (response.status !== 200) return { response: { ...response, body } }
        return { result: await consume(Readable.from([body])), response: { ...response, body: Buffer.alloc(0) } }
      },
    }
  }

  /** Throws `NoAnswer` as in the recorded run, and {@link NotSent} for an unknown request. */
  #responseTo(wire: WireRequest, find: Find, clock: ScopeClock): RecordedResponse {
    const request = redactedRequest(wire, this.#redactor)
    const event = find(request)
    if (event?.endedAt !== undefined) clock.reach(event.endedAt)
    if (event?.failure) throw new NoAnswer(event.failure.message, event.failure.traits)
    if (!event?.response) throw new NotSent({ code: 'request-not-recorded', request: `${request.method} ${request.url}` })
    const { body = -1, ...response } = event.response
    const bytes = this.#bodies.get(body)
    return bytes ? { ...response, body: bytes } : response
  }

  #answer(find: Find, request: object): ProviderAnswer | undefined {
    const event = find(this.#redactor.redactJson(request))
    if (event?.failure) throw new ProviderFailure(event.failure.message)
    return event?.answer
  }
}

function exactKey({ lane, scope, request, n }: EventKey): string {
  return JSON.stringify([lane, scope, request, n])
}

/** The area of a check is the first part of its id. */
function relatedKey({ lane, scope, request }: EventKey): string {
  return JSON.stringify([lane, scope.split('.')[0], request])
}

/** A virtual clock with a time of its own for each scope, so that concurrent checks do not advance each other. */
interface ScopeClock extends Clock {
  /** Moves the time of the current scope forward. Milliseconds from the start of the run. */
  reach(elapsed: number): void
}

/** `elapsed` contains the milliseconds from the start of the run until each scope begins. */
function scopeClock(startedAt: number, elapsed: Map<string, number>): ScopeClock {
  const own = () => elapsed.get(currentScope()) ?? 0
  const reach = (to: number) => void elapsed.set(currentScope(), Math.max(to, own()))
  return {
    reach,
    now: () => startedAt + own(),
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted()
      reach(own() + Math.max(0, milliseconds))
    },
  }
}

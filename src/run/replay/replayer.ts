import { Readable } from 'node:stream'
import { type ReceivedResponse, redactedRequest } from '../../http/exchange/exchange.ts'
import { NoAnswer } from '../../http/exchange/no-answer.ts'
import { NotSent } from '../../http/exchange/not-sent.ts'
import type { WireRequest } from '../../http/exchange/wire.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import type { Consume, Transport } from '../../http/transport/connection/transport.ts'
import { ScopeClock } from '../../http/transport/time/clock.ts'
import type { LaneName } from '../../record/lane-name.ts'
import { groupBy } from '../../text/data.ts'
import type { LaneTape, Tape } from '../judge/session.ts'
import type { Provider, ProviderAnswer } from '../needs/provider.ts'
import { ProviderFailure } from '../needs/provider-failure.ts'
import { eventCounter, longestStream, type RecordedEvent, type Recording } from './recording.ts'

/** Returns the recorded responses to the requests of a run; no request is sent, and no wait takes time. */
export class Replayer implements Tape {
  readonly #recording: Recording
  readonly #redactor = new Redactor()
  readonly #count = eventCounter()
  /** The events by their related key. */
  readonly #related: ReadonlyMap<string, RecordedEvent[]>
  readonly #used = new Set<RecordedEvent>()

  constructor(recording: Recording) {
    this.#recording = recording
    this.#related = groupBy(recording.events, relatedKey)
  }

  /** The parts of one session that return the recorded responses and test data of its lane. */
  lane(lane: LaneName): LaneTape {
    const { header, events } = this.#recording
    const own = events.filter((event) => event.lane === lane && event.at !== undefined)
    // The time of the first request of each scope.
    const starts = new Map(own.map(({ scope, at = 0 }) => [scope, at] as const).sort(([, a], [, b]) => b - a))
    const clock = new ScopeClock(Date.parse(header.startedAt), starts)
    const ask: Provider['ask'] = async (need, specifics) => {
      const answer = this.#answer(lane, { need, with: specifics })
      if (!answer) throw new NotSent({ code: 'need-not-recorded', need })
      return answer
    }
    return {
      redactor: this.#redactor,
      clock,
      transport: () => this.#transport(lane, clock),
      provider: () => (this.#recording.header.provider ? { ask, async release() {} } : undefined),
      take: (need, specifics) => (this.#answer(lane, { need, taken: specifics }) as { given?: unknown } | undefined)?.given,
    }
  }

  /** Finds the event for a request. Another check of the area may send a shared request first in a replay. */
  #find(lane: LaneName, request: unknown): RecordedEvent | undefined {
    const wanted = this.#count(lane, request)
    const related = this.#related.get(relatedKey(wanted)) ?? []
    const own = related.filter(({ scope }) => scope === wanted.scope)
    const ofAnother = () => related.find((event) => !this.#used.has(event))
    const found = own.length > 0 ? own.find(({ n }) => n === wanted.n) : ofAnother()
    if (found) this.#used.add(found)
    return found
  }

  #transport(lane: LaneName, clock: ScopeClock): Transport {
    const responseTo = (wire: WireRequest) => this.#responseTo(wire, lane, clock)
    return {
      notes: this.#recording.notes,
      send: async (wire) => responseTo(wire),
      async stream<Result>(wire: WireRequest, _: AbortSignal, consume: Consume<Result>) {
        const response = responseTo(wire)
        if (response.status !== 200) return { response }
        return { result: await consume(Readable.from([response.body])), response: { ...response, body: Buffer.alloc(0) } }
      },
    }
  }

  /** Throws `NoAnswer` as in the recorded run, and {@link NotSent} for a request or a body that is not recorded. */
  #responseTo(wire: WireRequest, lane: LaneName, clock: ScopeClock): ReceivedResponse {
    const wanted = redactedRequest(wire, this.#redactor)
    const request = `${wanted.method} ${wanted.url}`
    const { endedAt = 0, failure, response } = this.#find(lane, wanted) ?? {}
    clock.reach(endedAt)
    if (failure) throw new NoAnswer(failure.message, failure.traits)
    if (!response) throw new NotSent({ code: 'request-not-recorded', request })
    const body = this.#recording.bodies.get(response.body ?? -1)
    if (!body) throw new NotSent({ code: 'body-not-recorded', request, longest: longestStream })
    return { ...response, body }
  }

  #answer(lane: LaneName, request: object): ProviderAnswer | undefined {
    const event = this.#find(lane, this.#redactor.redactJson(request))
    if (event?.failure) throw new ProviderFailure(event.failure.message)
    return event?.answer
  }
}

/** The key of the events that can answer a request: the lane, the first part of the scope (an area, for a check) and the request. */
function relatedKey({ lane, scope, request }: RecordedEvent): string {
  return JSON.stringify([lane, scope.split('.')[0], request])
}

import type { Redactor } from '../../http/redaction/redaction.ts'
import type { Clock } from '../../http/transport/clock.ts'
import { currentScope } from '../../http/transport/scope.ts'
import type { Transport } from '../../http/transport/transport.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { Provider } from '../needs/provider.ts'
import type { RecordedEvent } from './format.ts'

/** The connection of a run to a recording, which is written or replaces the target. */
export interface Tape {
  lane(lane: LaneName): LaneTape
  /** Completes a recording. */
  close(): void
}

/** The parts of a session that a recording observes or replaces. */
export interface LaneTape {
  readonly redactor: Redactor
  readonly clock?: Clock
  transport(network: Transport): Transport
  provider(configured: Provider | undefined): Provider | undefined
  /** Takes one of the configured values that are used once; undefined where none is left. */
  take(need: string, specifics: unknown, next: () => unknown): unknown
}

/** Numbers the events of a lane within their scopes, so that a replay finds them in any order of the checks. */
export class EventCounter {
  readonly #lane: LaneName
  readonly #counts = new Map<string, number>()

  constructor(lane: LaneName) {
    this.#lane = lane
  }

  next<Request>(request: Request): RecordedEvent & { readonly request: Request } {
    const scope = currentScope()
    const key = JSON.stringify([scope, request])
    const n = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, n)
    return { lane: this.#lane, scope, request, n }
  }
}

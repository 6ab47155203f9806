import type { Redactor } from '../../http/redaction/redaction.ts'
import type { Clock } from '../../http/transport/clock.ts'
import type { Transport } from '../../http/transport/transport.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { Provider } from '../needs/provider.ts'

/** The connection of a run to a recording, which is written or replaces the target. */
export interface Tape {
  lane(lane: LaneName): LaneTape
  /** Completes a recording. */
  close?(): void
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

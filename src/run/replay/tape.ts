import type { Redactor } from '../../http/redaction/redaction.ts'
import type { Clock } from '../../http/transport/clock.ts'
import type { Transport } from '../../http/transport/transport.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { Draw } from '../needs/need-resolver.ts'
import type { Provider } from '../needs/provider.ts'

/** What one lane of a run leaves to the record of the run, or takes from the record of a former one. */
export interface LaneTape {
  readonly redactor: Redactor
  readonly clock: Clock
  /** What carries the lane's requests, in place of or before `network`. */
  transport(network: Transport): Transport
  /** Who is asked for test data, in place of or before the provider of the configuration. */
  provider(configured: Provider | undefined): Provider | undefined
  /** A value that depends on chance or on who comes first: made by `make`, or that of the recorded run. */
  readonly draw: Draw
}

/** What a run is recorded on or replayed from. */
export interface RunTape {
  lane(lane: LaneName): LaneTape
  /** Ends a recording and puts its file in place. */
  close(): Promise<void>
}

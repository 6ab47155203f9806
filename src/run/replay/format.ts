import type { ReachableConfig } from '../../config/config.ts'
import type { ReceivedResponse } from '../../http/exchange/exchange.ts'
import type { NoAnswerTraits } from '../../http/exchange/no-answer.ts'
import type { Redactor } from '../../http/redaction/redaction.ts'
import type { Clock } from '../../http/transport/clock.ts'
import { currentScope } from '../../http/transport/scope.ts'
import type { Transport } from '../../http/transport/transport.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { PreflightRecord } from '../../record/preflight-record.ts'
import type { SelectionRecord, ShardRecord } from '../../record/run-record.ts'
import type { Provider, ProviderAnswer } from '../needs/provider.ts'
import type { RunPlan } from '../selection/run-plan.ts'

/** The name and the version of the format: gzip of one JSON value a line, the header first and the end last. */
export const recordingFormat = { format: 'service-conformance-recording', formatVersion: 2 } as const

/** The longest streamed body that a recording contains. Bytes. */
export const longestStream = 8 * 1024 * 1024

/** The facts of a run that its replay needs, beside the configuration. */
export interface RecordedFacts extends Pick<RunPlan, 'run' | 'seed' | 'readOnly'> {
  readonly lanes: readonly { readonly lane: LaneName; readonly checks: readonly string[] }[]
  readonly startedAt: string
  readonly preflight?: PreflightRecord | undefined
  readonly shard?: ShardRecord | undefined
  readonly selection?: SelectionRecord | undefined
}

/** The first line. Stand-ins replace the secrets. */
export interface RecordingHeader extends RecordedFacts {
  readonly format: string
  readonly formatVersion: number
  readonly suite: { readonly name: string; readonly version: string }
  /** The configuration without its provider and its own suites. */
  readonly config: Omit<ReachableConfig, 'provider' | 'suites' | 'file'>
  /** True for a run with a provider. */
  readonly provider: boolean
}

/** A request to the target or for test data. A replay finds its result by these members. */
export interface EventKey {
  readonly lane: LaneName
  /** The id of the check, or the name of the shared task, that sent the request. */
  readonly scope: string
  readonly request: unknown
  /** The number of the event among those with the same lane, scope and request. */
  readonly n: number
}

/** A request with its response or the answer to it, or with the reason why there is none. */
export interface RecordedEvent extends EventKey {
  /** The times from the start of the run until a request to the target was sent and until it ended. Milliseconds. */
  readonly at?: number
  readonly endedAt?: number
  readonly response?: Omit<ReceivedResponse, 'body'> & BodyReference
  readonly answer?: ProviderAnswer
  readonly failure?: { readonly message: string; readonly traits?: NoAnswerTraits }
}

/** The number of a {@link BodyLine}; absent where the body was not kept. */
export interface BodyReference {
  readonly body?: number
}

/** Contains a body as text, or as base64 if it is not UTF-8. Equal bodies have one line. */
interface BodyLine extends Required<BodyReference> {
  readonly text?: string
  readonly base64?: string
}

/** The last line of a complete recording, with the observations about the connections. */
interface EndLine {
  readonly end: true
  readonly notes: readonly string[]
}

export type RecordingLine = RecordingHeader | RecordedEvent | BodyLine | EndLine

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

/** Numbers the events of a lane within their scopes, so that a replay finds them in any order of the checks. */
export function eventCounter(lane: LaneName): (request: unknown) => EventKey {
  const counts = new Map<string, number>()
  return (request) => {
    const scope = currentScope()
    const key = JSON.stringify([scope, request])
    const n = (counts.get(key) ?? 0) + 1
    counts.set(key, n)
    return { lane, scope, request, n }
  }
}

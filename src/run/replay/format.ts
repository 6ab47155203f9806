import type { Config } from '../../config/config.ts'
import type { ReceivedResponse } from '../../http/exchange/exchange.ts'
import type { NoAnswerTraits } from '../../http/exchange/no-answer.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { PreflightRecord } from '../../record/preflight-record.ts'
import type { SelectionRecord, ShardRecord } from '../../record/run-record.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import type { ProviderAnswer } from '../needs/provider.ts'

/** The name and the version of the format: gzip of one JSON value a line, the header first and the end last. */
export const recordingFormat = { format: 'service-conformance-recording', formatVersion: 2 } as const

/** The longest streamed body that a recording contains. Bytes. */
export const longestStream = 8 * 1024 * 1024

/** The facts of a run that its replay needs, beside the configuration. */
export interface RecordedFacts {
  readonly run: string
  readonly seed: number
  readonly readOnly: boolean
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
  readonly target: { readonly baseUrl: string }
  readonly versions: readonly ApiVersion[]
  /** The configuration without its provider and its own suites. */
  readonly config: Omit<Config, 'provider' | 'suites' | 'file'>
  /** True for a run with a provider. */
  readonly provider: boolean
}

/** The event of a request to the target or to the provider. A replay finds it by these members. */
export interface RecordedEvent {
  readonly lane: LaneName
  /** The id of the check, or the name of the shared task, that sent the request. */
  readonly scope: string
  readonly request: unknown
  /** The number of the event among those with the same lane, scope and request. */
  readonly n: number
}

/** A request and its response, or the reason why no usable response arrived. */
export interface ExchangeLine extends RecordedEvent {
  /** The times from the start of the run until the request was sent and until it ended. Milliseconds. */
  readonly at: number
  readonly endedAt: number
  readonly response?: Omit<ReceivedResponse, 'body'> & BodyReference
  readonly failure?: { readonly message: string; readonly traits: NoAnswerTraits }
}

/** The number of a {@link BodyLine}; absent where the body was not kept. */
export interface BodyReference {
  readonly body?: number
}

/** Contains a body as text, or as base64 if it is not UTF-8. Equal bodies have one line. */
interface BodyLine {
  readonly body: number
  readonly text?: string
  readonly base64?: string
}

/** A request for test data: from the provider, or from the configured values that are used once. */
export interface NeedRequest {
  readonly need: string
  readonly with?: unknown
  readonly taken?: unknown
}

/** A request for test data, and the answer to it. */
export interface NeedLine extends RecordedEvent {
  readonly answer?: ProviderAnswer
  readonly failure?: { readonly message: string }
}

/** The last line of a complete recording, with the observations about the connections. */
interface EndLine {
  readonly end: true
  readonly notes: readonly string[]
}

export type RecordingLine = RecordingHeader | ExchangeLine | NeedLine | BodyLine | EndLine

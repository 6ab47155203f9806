import type { Config } from '../../config/config.ts'
import type { NoAnswerTraits } from '../../http/exchange/no-answer.ts'
import type { NotSentReason } from '../../http/exchange/not-sent.ts'
import type { HeaderLine } from '../../record/exchange-record.ts'
import type { PreflightRecord } from '../../record/preflight-record.ts'
import type { SelectionRecord, ShardRecord } from '../../record/run-record.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import type { LaneName } from '../engine/lane-name.ts'
import type { RunPlan } from '../engine/messages.ts'

/** The name and the version of the format: gzip of one JSON value a line, the header first and the end last. */
export const recordingFormat = { format: 'service-conformance-recording', formatVersion: 1 } as const

/** The longest streamed body that a recording keeps; the checks of a longer one are untested when it is replayed. Bytes. */
export const longestStream = 8 * 1024 * 1024

/** The first line: what the judging depends on beside the answers. Secrets are replaced by their names. */
export interface RecordingHeader extends Pick<RunPlan, 'run' | 'seed' | 'readOnly' | 'maxRequests' | 'lanes'> {
  readonly format: typeof recordingFormat.format
  readonly formatVersion: typeof recordingFormat.formatVersion
  readonly suite: { readonly name: string; readonly version: string }
  readonly target: { readonly baseUrl: string }
  readonly versions: readonly ApiVersion[]
  readonly startedAt: string
  readonly preflight?: PreflightRecord | undefined
  readonly shard?: ShardRecord | undefined
  readonly selection?: SelectionRecord | undefined
  /** The configuration without its provider, its own suites and the place of its reports. */
  readonly config: Omit<Config, 'provider' | 'suites' | 'file'>
  /** Whether there was a provider. */
  readonly provider: boolean
}

/** By what an event is found again: what was done, under which name, and the how-manieth of that kind it is. */
export interface Place {
  readonly lane: LaneName
  readonly scope: string
  readonly n: number
}

/** A request as a recording keeps it, without secrets. */
export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly HeaderLine[]
  readonly body?: string
}

/** A body, kept once however often it came. */
export interface BodyLine {
  readonly type: 'body'
  readonly id: number
  readonly text?: string
  readonly base64?: string
}

/** What became of a request. */
export interface ExchangeLine extends Place {
  readonly type: 'exchange'
  /** The place of the event among all of the run. */
  readonly at: number
  readonly request: RecordedRequest
  readonly answer?: RecordedAnswer
  /** Nobody answered. */
  readonly lost?: { readonly message: string; readonly traits: NoAnswerTraits }
  /** The run did not send it: a limit was reached (`limit`), or the endpoint had fallen silent (`silence`). */
  readonly refused?:
    | { readonly by: 'limit'; readonly reason: NotSentReason }
    | { readonly by: 'silence'; readonly message: string; readonly traits?: NoAnswerTraits }
}

/** An answer; `body` is the id of a {@link BodyLine}, absent where a stream was longer than is kept. */
export interface RecordedAnswer {
  readonly status: number
  readonly headers: readonly HeaderLine[]
  readonly body?: number
  readonly strayBytes?: number
  readonly streamed?: { readonly bytes: number; readonly sha256: string }
  readonly original?: { readonly bytes: number; readonly sha256: string }
}

/** What a need or a made-up value came to. */
export interface ValueLine extends Place {
  readonly type: 'value'
  readonly at: number
  readonly what: string
  readonly with: unknown
  readonly given?: unknown
  readonly unsupported?: string
  readonly failed?: string
}

/** The clock as one scope read it: milliseconds since the run began, each as the difference to the one before, and when each wait ended among all events. */
export interface ClockLine {
  readonly type: 'clock'
  readonly lane: LaneName
  readonly scope: string
  readonly read: readonly number[]
  readonly woke: readonly number[]
}

/** The last line: without it the file is not whole. */
interface EndLine {
  readonly type: 'end'
  readonly exchanges: number
  readonly notes: readonly string[]
}

export type RecordingLine = BodyLine | ExchangeLine | ValueLine | ClockLine | EndLine

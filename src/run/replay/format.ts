import type { ReachableConfig } from '../../config/config.ts'
import type { ReceivedResponse } from '../../http/exchange/exchange.ts'
import type { NoAnswerTraits } from '../../http/exchange/no-answer.ts'
import { currentScope } from '../../http/transport/scope.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { RunRecord } from '../../record/run-record.ts'
import type { ProviderAnswer } from '../needs/provider.ts'
import type { RunPlan } from '../selection/lanes.ts'

/** The name and the version of the format: one JSON value a line, as `schemas/recording.schema.json` describes it. */
export const recordingFormat = { format: 'service-conformance-recording', formatVersion: 3 } as const

/** The longest streamed body that a recording contains. Bytes. */
export const longestStream = 8 * 1024 * 1024

/** The first line: the facts of a run that its replay needs. Stand-ins replace the secrets. */
export interface RecordingHeader extends Pick<RunPlan, 'run' | 'seed' | 'readOnly'>, RecordedPart {
  readonly startedAt: string
  readonly lanes: readonly { readonly lane: LaneName; readonly checks: readonly string[] }[]
  /** The configuration without its provider and its own suites. */
  readonly config: Omit<ReachableConfig, 'provider' | 'suites' | 'file'>
  /** True for a run with a provider. */
  readonly provider: boolean
}

type RecordedPart = Pick<RunRecord, 'suite'> & { [Name in 'preflight' | 'shard' | 'selection']?: RunRecord[Name] | undefined }

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
  readonly response?: Omit<ReceivedResponse, 'body'> & { readonly body?: number }
  readonly answer?: ProviderAnswer
  readonly failure?: { readonly message: string; readonly traits?: NoAnswerTraits }
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

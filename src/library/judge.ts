import type { Config, ReachableConfig } from '../config/config.ts'
import type { CheckRecord } from '../record/check-record.ts'
import type { RunRecords } from '../record/report-parts.ts'
import type { Area } from '../spec/endpoints.ts'
import type { ApiVersion } from '../spec/versions.ts'
import { UsageError } from '../text/errors.ts'

/** What happened in a run: a check was judged, a request was sent, or the run waits. `lane` is a version, or `across`. */
export type ProgressEvent =
  | { readonly type: 'check'; readonly lane: ApiVersion | 'across'; readonly record: CheckRecord }
  | { readonly type: 'requests'; readonly lane: ApiVersion | 'across'; readonly sent: number }
  | { readonly type: 'waiting'; readonly lane: ApiVersion | 'across'; readonly what: string; readonly seconds: number }

/** Which checks are judged, and how. */
export interface JudgeOptions {
  /** These areas only; those of the configuration unless given. */
  readonly areas?: readonly Area[] | undefined
  /** Globs of check ids; each also selects everything below it: `events.public`, `events.*.etag`. */
  readonly only?: readonly string[] | undefined
  /** Judges every `of`-th check, beginning with the `index`-th (from 1). */
  readonly shard?: { readonly index: number; readonly of: number } | undefined
  /** Sends only GET requests; checks that write are inapplicable. */
  readonly readOnly?: boolean | undefined
  /** The most requests that are sent per version. */
  readonly maxRequests?: number | undefined
  /** Seed of the property checks; a random one unless given. */
  readonly seed?: number | undefined
  /** Ends the run within seconds; the records then say `interrupted`. */
  readonly signal?: AbortSignal | undefined
  /** Is told what happens, in the order in which it happens. */
  readonly onProgress?: ((event: ProgressEvent) => void) | undefined
}

/**
 * Judges the target of a configuration under each of its versions and resolves to the records that every report is made from.
 * Writes no file, prints nothing and leaves the signals of the process alone.
 * Throws {@link UsageError} for a configuration without a target, for contradictory waivers or needs and for an empty selection.
 */
export async function judgeTarget(config: Config, options: JudgeOptions = {}): Promise<RunRecords> {
  const reachable = reachableConfig(config)
  const [{ judgeTarget: judge }, { chosenSuites, checkAgainstSuites }, { select }] = await Promise.all([
    import('../run/run.ts'),
    import('./suites.ts'),
    import('../run/selection/selection.ts'),
  ])
  const suites = await chosenSuites(config)
  checkAgainstSuites(config, suites)
  const { areas = config.areas, only, shard, readOnly, maxRequests, seed, onProgress } = options
  const selection = select(suites, { areas, only, shard })
  // A run with a signal leaves the signals of the process to the caller.
  const signal = options.signal ?? new AbortController().signal
  const { exitCode } = process
  try {
    return await judge(reachable, selection, { readOnly, maxRequests, seed, signal, listener: listenerOf(onProgress) })
  } finally {
    // The exit code of the process is the caller's; an engine that is cancelled sets one.
    process.exitCode = exitCode
  }
}

/** The configuration, which must name its target. Throws {@link UsageError}. */
export function reachableConfig(config: Config): ReachableConfig {
  const { baseUrl } = config.target
  if (baseUrl !== undefined) return { ...config, target: { ...config.target, baseUrl } }
  throw new UsageError(
    'the configuration names no target: set target.baseUrl, or judge the configuration that startReferenceServer().configure() returns',
  )
}

function listenerOf(tell: (event: ProgressEvent) => void = () => {}) {
  type Lane = ProgressEvent['lane']
  return {
    check: (lane: Lane, record: CheckRecord) => tell({ type: 'check', lane, record }),
    requests: (lane: Lane, sent: number) => tell({ type: 'requests', lane, sent }),
    waiting: (lane: Lane, { what, seconds }: { what: string; seconds: number }) => tell({ type: 'waiting', lane, what, seconds }),
  }
}

import type { NamedSecret } from '../../http/redaction/redaction.ts'
import { suiteIdentity } from '../../package/root.ts'
import type { RunPlan } from '../engine/messages.ts'
import { type RecordingHeader, recordingFormat } from './format.ts'
import { Recorder } from './recorder.ts'
import { RecordingFile } from './recording-file.ts'
import { Replayer } from './replayer.ts'
import type { RunTape } from './tape.ts'

/** A tape that is ready for the lanes of a run. */
export interface OpenTape extends RunTape {
  /** To be called when every session is open, and the secrets of the configuration are known. */
  begin(): void
}

/** Opens what a plan is recorded on or replayed from; undefined where it is neither. Throws `UsageError` for a damaged recording. */
export async function openTape(plan: RunPlan, onSecret: (named: NamedSecret) => void): Promise<OpenTape | undefined> {
  if (plan.replay !== undefined) return Object.assign(await Replayer.open(plan.replay), { begin() {} })
  if (plan.record === undefined) return undefined
  const { file, startedAt } = plan.record
  const recorder = new Recorder(new RecordingFile(file), new Date(startedAt), onSecret)
  return {
    lane: (lane) => recorder.lane(lane),
    begin: () => recorder.begin(headerOf(plan, plan.record)),
    close: () => recorder.close(),
  }
}

function headerOf({ config, run, seed, readOnly, maxRequests, lanes }: RunPlan, record: RunPlan['record']): RecordingHeader {
  const { provider, suites: _, file: __, target, report, ...rest } = config
  const { dialect, ...place } = target
  const { secrets: ___, ...words } = dialect ?? {}
  return {
    ...recordingFormat,
    suite: { name: suiteIdentity.name, version: suiteIdentity.version },
    target: { baseUrl: target.baseUrl },
    versions: config.versions,
    startedAt: record?.startedAt ?? '',
    ...{ run, seed, readOnly, maxRequests, lanes },
    preflight: record?.preflight,
    shard: record?.shard,
    selection: record?.selection,
    provider: provider !== undefined,
    config: {
      ...rest,
      target: { ...place, ...(dialect ? { dialect: words } : {}) },
      report: { ...report, directory: '', formats: [], history: false },
    },
  }
}

import { suiteIdentity } from '../../package/root.ts'
import type { RunRecord } from '../../record/run-record.ts'

/** The suite that judged, with the release of its requirements where the run named one. */
export function judgingSuite(release: string | undefined): RunRecord['suite'] {
  return { ...suiteIdentity, ...(release === undefined ? {} : { requirements: release }) }
}

import type { ApiVersion } from '../spec/versions.ts'

/** A part of a run with its checks, session and report: a version, or the comparison across all versions. */
export type LaneName = ApiVersion | 'across'

/** The title of a lane on the terminal and in reports. */
export function titleOf(lane: LaneName) {
  return lane === 'across' ? 'across versions' : lane
}

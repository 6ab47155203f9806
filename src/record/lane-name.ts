import type { ApiVersion } from '../spec/versions.ts'

/** A part of a run with checks, a session and a report of its own: a version, or the comparison across all versions. */
export type LaneName = ApiVersion | 'across'

/** The title of a lane on the terminal and in reports. */
export function titleOf(lane: LaneName): string {
  return lane === 'across' ? 'across versions' : lane
}

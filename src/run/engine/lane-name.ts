import type { ApiVersion } from '../../spec/versions.ts'

/** What is judged together: a version, or what shows only across all of them. */
export type LaneName = ApiVersion | 'across'

/** A lane as people read it, on the terminal and in reports. */
export function titleOf(lane: LaneName): string {
  return lane === 'across' ? 'across versions' : lane
}

import type { ApiVersion } from '../../spec/versions.ts'

/** What is judged together: a version, or what shows only across all of them. */
export type LaneName = ApiVersion | 'across'

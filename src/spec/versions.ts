/** The API versions that the suite judges, oldest first (document: Versioning). */
export const apiVersions = ['2022-11-28', '2026-03-10'] as const

/** A date-based version name, as sent in the version header. It is also the version's release date. */
export type ApiVersion = (typeof apiVersions)[number]

/** The first date-based version, without breaking changes. */
export const firstVersion: ApiVersion = '2022-11-28'
/** The version of the 21 changes. */
export const latestVersion: ApiVersion = '2026-03-10'

/** The newest of some versions; undefined where there is none. Their names are dates, so that text order is their order. */
export function newestOf(versions: readonly ApiVersion[]): ApiVersion | undefined {
  return [...versions].sort().at(-1)
}

/** Months for which a version stays supported after the next one's release (document: Limits). */
const supportMonths = 24

/** The first instant at which the version before this one need no longer be supported. Milliseconds. */
export function supportEnds(successor: ApiVersion): number {
  const [year = 0, month = 1, day = 1] = successor.split('-').map(Number)
  return Date.UTC(year, month - 1 + supportMonths, day)
}

/** The instant at which a version is released. Milliseconds. */
export function releasedAt(version: ApiVersion): number {
  return Date.parse(`${version}T00:00:00Z`)
}

/** The API versions that the suite judges, oldest first (document: Versioning). */
export const apiVersions = ['2022-11-28', '2026-03-10'] as const

/** The name of a version, as the version header contains it. The name is also the date of its release. */
export type ApiVersion = (typeof apiVersions)[number]

/** The first version that is named by a date. It has no breaking changes. @internal */
export const firstVersion: ApiVersion = '2022-11-28'
/** The version that brings the 21 breaking changes. @internal */
export const latestVersion: ApiVersion = '2026-03-10'

/** True while the newest version is judged. */
export const isLatest = ({ apiVersion }: { readonly apiVersion: ApiVersion }) =>
  apiVersion === latestVersion

/** The newest of some versions; undefined without any. Versions are named by dates, so the order of their names is the order of release. @internal */
export function newestOf(versions: readonly ApiVersion[]): ApiVersion | undefined {
  return [...versions].sort().at(-1)
}

/** The months for which a version is supported after the release of the next one (document: Limits). */
const supportMonths = 24

/** The instant after which a target may drop the version before `successor`. Milliseconds. @internal */
export function supportEnds(successor: ApiVersion) {
  const [year = 0, month = 1, day = 1] = successor.split('-').map(Number)
  return Date.UTC(year, month - 1 + supportMonths, day)
}

/** The instant at which a version is released. Milliseconds. @internal */
export function releasedAt(version: ApiVersion) {
  return Date.parse(`${version}T00:00:00Z`)
}

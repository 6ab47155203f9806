/** The API versions that the suite judges, oldest first (document: Versioning). */
export const apiVersions = ['2022-11-28', '2026-03-10'] as const

/** A date-based version name, as sent in the version header. */
export type ApiVersion = (typeof apiVersions)[number]

/** True when the text names a version that the suite knows. */
export function isApiVersion(text: string): text is ApiVersion {
  return (apiVersions as readonly string[]).includes(text)
}

import { type ApiVersion, apiVersions } from '../spec/versions.ts'
import type { Check } from '../suite/check.ts'
import type { NeedRef } from '../suite/needs.ts'
import type { PlacedCheck } from './selection.ts'

/** A need together with the checks that declare it. */
export interface AskedNeed {
  readonly name: string
  readonly checks: readonly string[]
  /** How many checks ask for it in each version; a consumable is used up by each of them. */
  readonly perVersion: Readonly<Record<ApiVersion, number>>
}

/** The name by which a missing need is reported: `busy-user`, `token:owner`, `paths.downloadArchive`, `target.rateLimit`. */
export function needName(wanted: NeedRef): string | undefined {
  switch (wanted.type) {
    case 'need':
      return wanted.name
    case 'role':
      return `token:${wanted.role}`
    case 'token':
      return 'token'
    case 'login':
      return 'user'
    case 'path':
      return `paths.${wanted.name}`
    case 'quota':
      return 'target.rateLimit'
    case 'reader':
      return undefined
  }
}

/** The names of everything that a check needs. */
export function needNames(check: Check): string[] {
  return [...new Set(Object.values(check.needs).flatMap((wanted) => needName(wanted) ?? []))]
}

/** True when a check is judged under a version. */
export function appliesIn(check: Check, version: ApiVersion): boolean {
  return check.versions?.includes(version) ?? true
}

/** Every need that some check declares, those with most checks first. */
export function askedNeeds(placed: readonly PlacedCheck[]): AskedNeed[] {
  const asking = new Map<string, Check[]>()
  for (const { check } of placed) {
    for (const name of needNames(check)) asking.set(name, [...(asking.get(name) ?? []), check])
  }
  return [...asking]
    .map(([name, checks]) => ({
      name,
      checks: checks.map(({ id }) => id),
      perVersion: Object.fromEntries(
        apiVersions.map((version) => [version, checks.filter((check) => appliesIn(check, version)).length]),
      ) as Record<ApiVersion, number>,
    }))
    .sort((a, b) => b.checks.length - a.checks.length)
}

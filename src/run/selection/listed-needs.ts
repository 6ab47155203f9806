import { type ApiVersion, apiVersions } from '../../spec/versions.ts'
import type { Catalogue } from '../../suite/catalogue.ts'
import { type Check, needsOf } from '../../suite/check.ts'
import type { NeedRef } from '../../suite/needs.ts'
import { groupBy, sumOf } from '../../text/data.ts'
import type { PlacedCheck } from './selection.ts'

/** A need together with the checks that declare it. */
export interface ListedNeed {
  readonly name: string
  readonly checks: readonly string[]
  /** The number of checks with this need in each version; for a consumable, the number of used values. */
  readonly perVersion: Readonly<Record<ApiVersion, number>>
}

/** The name of a missing need in reports: `busy-user`, `token:owner`, `paths.downloadArchive`, `target.rateLimit`. */
export function needName(wanted: NeedRef): string | undefined {
  if (wanted.type === 'need') return wanted.name
  if (wanted.type === 'role') return `token:${wanted.role}`
  if (wanted.type === 'path') return `paths.${wanted.name}`
  return { token: 'token', login: 'user', quota: 'target.rateLimit', reader: undefined }[wanted.type]
}

/** The names of all needs of a check. */
export function needNames(check: Check): string[] {
  return [...new Set([...namesDeclared(check), ...(check.asks ?? [])])]
}

/** The names of the needs that a check declares, one for each, so that a name may occur twice. */
function namesDeclared(check: Check): string[] {
  return Object.values(needsOf(check)).flatMap((wanted) => needName(wanted) ?? [])
}

/** Every need that some check declares, those with most checks first. */
export function listedNeeds(placed: readonly PlacedCheck[], { needs }: Catalogue): ListedNeed[] {
  const asked = placed.flatMap(({ check }) => needNames(check).map((name) => ({ name, check })))
  return [...groupBy(asked, ({ name }) => name)]
    .map(([name, same]) => {
      const consumed = needs.get(name)?.kind === 'consumable'
      // A check uses all values of a consumable that it declares, otherwise one.
      const countOf = (check: Check) => Math.max(1, consumed ? namesDeclared(check).filter((one) => one === name).length : 1)
      const taken = (version: ApiVersion) =>
        sumOf(same, ({ check }) => ((check.versions?.includes(version) ?? true) ? countOf(check) : 0))
      const perVersion = Object.fromEntries(apiVersions.map((version) => [version, taken(version)])) as Record<ApiVersion, number>
      return { name, checks: same.map(({ check }) => check.id), perVersion }
    })
    .sort((a, b) => b.checks.length - a.checks.length)
}

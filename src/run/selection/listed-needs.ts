import { type ApiVersion, apiVersions } from '../../spec/versions.ts'
import type { Catalogue } from '../../suite/catalogue.ts'
import { type Check, needsOf } from '../../suite/check.ts'
import { type NeedRef, need, needName } from '../../suite/needs.ts'
import { groupBy } from '../../text/data.ts'
import type { PlacedCheck } from './selection.ts'

/** A need together with the checks that declare it. */
interface ListedNeed {
  readonly name: string
  readonly wanted: NeedRef
  readonly checks: readonly string[]
  /** The number of checks with this need in each version; for a consumable, the number of used values. */
  readonly perVersion: Readonly<Record<ApiVersion, number>>
}

/** The needs that a check declares, each as often as it does, and the other ones that it asks for while it runs. */
export function namedNeeds(check: Check): { readonly name: string; readonly wanted: NeedRef }[] {
  const declared = Object.values(needsOf(check)).flatMap(named)
  const asked = (check.asks ?? []).filter((name) => !declared.some((own) => own.name === name))
  return [...declared, ...asked.flatMap((name) => named(need(name)))]
}

function named(wanted: NeedRef) {
  const name = needName(wanted)
  return name === undefined ? [] : [{ name, wanted }]
}

/** Every need that some check declares, those with most checks first. */
export function listedNeeds(placed: readonly PlacedCheck[], { needs }: Catalogue): ListedNeed[] {
  const uses = placed.flatMap(({ check }) => namedNeeds(check).map((own) => ({ ...own, check })))
  return [...groupBy(uses, ({ name }) => name)]
    .map(([name, same]) => {
      const checks = [...new Set(same.map(({ check }) => check))]
      // A check uses up all values of a consumable that it declares.
      const counted =
        needs.get(name)?.kind === 'consumable' ? same.map(({ check }) => check) : checks
      const taken = (version: ApiVersion) =>
        counted.filter(({ versions }) => versions?.includes(version) ?? true).length
      const perVersion = Object.fromEntries(
        apiVersions.map((version) => [version, taken(version)]),
      ) as Record<ApiVersion, number>
      const [first] = same as [(typeof same)[number]]
      return { name, wanted: first.wanted, checks: checks.map(({ id }) => id), perVersion }
    })
    .sort((a, b) => b.checks.length - a.checks.length)
}

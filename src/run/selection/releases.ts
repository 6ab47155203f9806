import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot, suiteIdentity } from '../../package/root.ts'
import type { Level } from '../../spec/requirements.ts'
import type { Check, Suite } from '../../suite/check.ts'
import { groupBy } from '../../text/data.ts'
import { guess, UsageError } from '../../text/errors.ts'

/** The checks of a release by the first two parts of their ids, with the level that they had: `events.public` → `must` → `status`. */
export type FrozenChecks = Readonly<Record<string, Readonly<Partial<Record<Level, readonly string[]>>>>>

const folder = join(packageRoot, 'src', 'spec', 'releases')

/** The release that this package is: the first two numbers of its version. */
export const currentRelease: string = suiteIdentity.version.split('.').slice(0, 2).join('.')

/** Every release whose requirements can be judged, oldest first. */
export function knownReleases(): string[] {
  const frozen = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : []
  return [...new Set([...frozen.map((file) => file.replace(/\.json$/, '')), currentRelease])].sort((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  )
}

/** The built-in suites as a release froze them. Throws {@link UsageError} for an unknown release. */
export function frozenSuites(suites: readonly Suite[], release: string): readonly Suite[] {
  const known = knownReleases()
  if (!known.includes(release)) {
    throw new UsageError(
      `there is no release ${release} of the requirements${guess(release, known)}; accepted: ${known.join(', ')}`,
    )
  }
  if (release === currentRelease) return suites
  return suitesAsOf(JSON.parse(readFileSync(join(folder, `${release}.json`), 'utf8')) as FrozenChecks, suites)
}

/** The checks of a release alone, each at its level of then. */
export function suitesAsOf(frozen: FrozenChecks, suites: readonly Suite[]): Suite[] {
  const levelThen = ({ id }: Check): Level | undefined => {
    const { operation, aspect } = partsOf(id)
    return (['must', 'should'] as const).find((level) => frozen[operation]?.[level]?.includes(aspect))
  }
  return suites
    .map((suite) => ({
      ...suite,
      checks: suite.checks.flatMap((check) => {
        const level = levelThen(check)
        return level === undefined ? [] : [{ ...check, level }]
      }),
    }))
    .filter(({ checks }) => checks.length > 0)
}

/** The content of `src/spec/releases/<release>.json` for these suites. */
export function freeze(suites: readonly Suite[]): FrozenChecks {
  const checks = suites.flatMap((suite) => suite.checks.map(({ id, level }) => ({ ...partsOf(id), level })))
  const byOperation = groupBy(checks, ({ operation }) => operation)
  const frozen = [...byOperation].map(([operation, same]) => {
    const levels = groupBy(same, ({ level }) => level)
    return [operation, Object.fromEntries([...levels].map(([level, placed]) => [level, placed.map(({ aspect }) => aspect)]))]
  })
  return Object.fromEntries(frozen)
}

function partsOf(id: string): { operation: string; aspect: string } {
  const end = id.lastIndexOf('.')
  return { operation: id.slice(0, end), aspect: id.slice(end + 1) }
}

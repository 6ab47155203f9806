import { familyOf } from '../../../src/spec/change-endpoints.ts'
import { earlyLevel, removedFields, replacementOf } from '../../../src/spec/changes.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject, type Located, member } from '../../../src/suite/located.ts'
import { topLevelOf } from '../../common/removable-objects.ts'
import { type Family, familyNeeds, readFamily } from '../common/declared.ts'
import { outermost } from '../common/outermost.ts'

const needs = familyNeeds(15)
const [deprecated] = removedFields(15)
const { field: cvss } = deprecated
const { field: severities } = replacementOf(15)
const shared = { requirement: 'versioning.change-15', needs } as const

/** Change 15: severities by CVSS version. `cvss` is deprecated, not removed: it may stay (readings V6). */
export default suite({
  area: 'versioning',
  endpoint: familyOf(15),
  checks: [
    check({
      id: 'versioning.advisories.severities-present',
      ...shared,
      level: 'must',
      versions: [latestVersion],
      title: `includes ${severities}, or the deprecated ${cvss}, in each advisory`,
      run: async (t, resolved) => expectAnyOf(t, await advisories(t, resolved), severities, cvss),
    }),
    check({
      id: 'versioning.advisories.severities-by-version',
      ...shared,
      level: 'must',
      versions: [latestVersion],
      title: `includes cvss_v3 or cvss_v4 in each ${severities} with scores`,
      run: async (t, resolved) => {
        const found = (await advisories(t, resolved)).flatMap((advisory) => membersNamed(severities, advisory))
        t.expectAll(found, severities).satisfy('an object with cvss_v3 or cvss_v4', areByVersion)
      },
    }),
    check({
      id: 'versioning.advisories.kept-cvss',
      ...shared,
      level: earlyLevel(deprecated),
      versions: [firstVersion],
      title: `keeps ${cvss} in each advisory`,
      run: async (t, resolved) => expectAnyOf(t, await advisories(t, resolved), cvss),
    }),
  ],
})

/** What the declared addresses are or list: advisories, or alerts that hold one. */
async function advisories(t: CheckContext, needs: Family): Promise<Located<JsonObject>[]> {
  return (await readFamily(t, needs, 15)).flatMap(topLevelOf)
}

/** A member of an advisory, wherever in it the advisory proper stands. */
function membersNamed(name: string, advisory: Located): Located[] {
  const holders = outermost(advisory, (object) => Object.hasOwn(object, name))
  return holders.map((holder) => member(holder, name)).filter((found) => found !== undefined)
}

/** Every advisory has at least one of these members. */
function expectAnyOf(t: CheckContext, found: readonly Located<JsonObject>[], ...names: string[]): void {
  const located = found.map((advisory) => ({ ...advisory, value: advisory }))
  t.expectAll(located, 'advisory').satisfy(
    names.join(' or '),
    (advisory) => names.some((name) => membersNamed(name, advisory).length > 0),
    () => 'none at any depth',
  )
}

function areByVersion(severities: unknown): boolean {
  if (severities === null || (isObject(severities) && Object.keys(severities).length === 0)) return true
  return isObject(severities) && ('cvss_v3' in severities || 'cvss_v4' in severities)
}

import { earlyLevel, familyOf, removedFields, replacementOf } from '../../../src/spec/changes/changes.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject, type Located, member } from '../../../src/suite/located.ts'
import { topLevelOf } from '../../common/removed-fields.ts'
import { ofChange, outermost } from '../common/change.ts'
import { type Family, familyNeeds, readFamily } from '../common/declared.ts'

const needs = familyNeeds(15)
const { both, underLatest, underFirst } = ofChange(15, { id: 'versioning.advisories', endpoint: familyOf(15), needs })
const [deprecated] = removedFields(15)
const { field: cvss } = deprecated
const { field: severities } = replacementOf(15)

/** Change 15: severities by CVSS version. `cvss` is deprecated, not removed: it may stay (readings V6). */
export default both.suite([
  underLatest.check(
    'severities-present',
    `includes ${severities}, or the deprecated ${cvss}, in each advisory`,
    async (t, resolved) => expectAnyOf(t, await advisories(t, resolved), severities, cvss),
  ),
  underLatest.check(
    'severities-by-version',
    `includes cvss_v3 or cvss_v4 in each ${severities} with scores`,
    async (t, resolved) => {
      const found = (await advisories(t, resolved)).flatMap((advisory) => membersNamed(severities, advisory))
      t.expectAll(found, severities).satisfy('an object with cvss_v3 or cvss_v4', areByVersion)
    },
  ),
  underFirst.check('kept-cvss', `keeps ${cvss} in each advisory`, { level: earlyLevel(deprecated) }, async (t, resolved) =>
    expectAnyOf(t, await advisories(t, resolved), cvss),
  ),
])

/** The objects of the declared addresses: advisories, or alerts that contain one. */
async function advisories(t: CheckContext, needs: Family): Promise<Located<JsonObject>[]> {
  return (await readFamily(t, needs, 15)).flatMap(topLevelOf)
}

/** A member of an advisory, at any depth. */
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

import { anonymous } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import type { Difference } from '../../../src/record/run-record.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { type ApiVersion, firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { unlessUntested } from '../../common/proof.ts'
import { expectOffered } from '../common/requests.ts'
import { compared, isEmptied, type VersionComparison } from './comparison.ts'
import { type Resource, resources } from './resources.ts'

/** Changes of the newer version that the document does not list (document: Versioning, rules 3 and 4). */
export default suite({
  area: 'versioning',
  endpoint: endpoints.publicEvents,
  checks: resources.flatMap(acrossChecks),
})

function acrossChecks(resource: Resource) {
  const breaking = 'versioning.breaking-changes'
  return [
    resource.check(
      'documented-across',
      `keeps documented fields and types under ${latestVersion}, listed changes aside`,
      { requirement: breaking, level: 'must' },
      comparing(
        resource,
        ({ kind, documented }) => kind !== 'added' && documented,
        (t, { older, newer }) => expectServed(t, older, newer, firstVersion),
      ),
    ),
    resource.check(
      'undocumented-across',
      `keeps undocumented fields and types under ${latestVersion}, listed changes aside`,
      { requirement: breaking, level: 'should' },
      comparing(resource, ({ kind, documented }) => kind !== 'added' && !documented),
    ),
    resource.check(
      'additions-across',
      `includes every addition of ${latestVersion} under ${firstVersion}, listed changes aside`,
      { requirement: 'versioning.additive-changes', level: 'should' },
      comparing(
        resource,
        ({ kind }) => kind === 'added',
        (t, { older, newer }) => expectServed(t, newer, older, latestVersion),
      ),
    ),
  ]
}

/** Judges every comparison of a resource: `counts` selects the unlisted differences that contradict the claim. */
function comparing(
  resource: Resource,
  counts: (difference: Difference) => boolean,
  before?: (t: CheckContext, comparison: VersionComparison) => void,
) {
  return async (t: CheckContext, specs: readonly RequestSpec[]) => {
    for (const comparison of await comparisonsOf(t, resource, specs)) {
      before?.(t, comparison)
      expectNone(t, comparison, counts)
    }
  }
}

/** The comparisons of the addresses that a version serves, also to a caller without a token. Ends the check if there is none. */
async function comparisonsOf(
  t: CheckContext,
  { endpoint }: Resource,
  specs: readonly RequestSpec[],
) {
  const all = await Promise.all(specs.map((spec) => compared(t, endpoint, spec)))
  const [first] = all
  if (!first) return t.untested('no request is declared', 'version-request')
  const open = specs.map((spec) =>
    unlessUntested(compared(t, endpoint, { ...spec, as: anonymous })),
  )
  const others = (await Promise.all(open)).filter((each) => each !== undefined)
  const served = [...all, ...others].filter(({ older, newer }) => older.ok || newer.ok)
  if (served.length === 0) expectOffered(t, first.spec, first.older)
  return served
}

/** An operation that one version alone serves, or serves with items, was removed or added without being listed. */
function expectServed(t: CheckContext, served: Exchange, other: Exchange, version: ApiVersion) {
  if (!served.ok || (other.ok && !isEmptied(served, other))) return
  t.expect(other, served).satisfy(
    `a successful response, as under ${version} (${served.status})`,
    false,
    `${other.ok ? 'an empty list' : other.status} under ${version === firstVersion ? latestVersion : firstVersion}`,
  )
}

/** Fails with the first unlisted difference that counts. */
function expectNone(
  t: CheckContext,
  { older, newer, differences }: VersionComparison,
  counts: (difference: Difference) => boolean,
) {
  if (!older.ok || !newer.ok || (older.isList && older.count === 0)) return
  const first = differences.find(
    (difference) => difference.change === undefined && counts(difference),
  )
  if (first) {
    const { at, older: before, newer: after } = first
    t.deviation({
      expected: `${at}: ${before || 'absent'}, as under ${firstVersion}`,
      actual: after || 'absent',
      pointer: at,
      exchanges: [older, newer],
    })
  }
  if (hasMembers(older.json) || hasMembers(newer.json)) t.examined(1)
}

/** Bodies without a single member agree on nothing. */
function hasMembers(body: unknown) {
  const [first] = Array.isArray(body) ? body : [body]
  return isObject(first) && Object.keys(first).length > 0
}

import type { Difference } from '../../src/run/record.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { firstVersion, latestVersion } from '../../src/spec/versions.ts'
import { type Check, check, suite } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type Comparison, compared } from './comparison.ts'
import { isServed, offered } from './offered.ts'
import { type Resource, resources } from './resources.ts'

/** What the newer version changes without the document saying so (document: Versioning, rules 3 and 4). */
export default suite({
  area: 'versioning',
  endpoint: endpoints.publicEvents,
  checks: resources.flatMap(acrossChecks),
})

function acrossChecks(resource: Resource): Check[] {
  const { operation, endpoint, needs } = resource
  const shared = { endpoint, needs, schedule: 'across' } as const
  const breaking = ({ kind, documented, change }: Difference) => kind !== 'added' && change === undefined && documented
  const other = ({ kind, documented, change }: Difference) => kind !== 'added' && change === undefined && !documented
  const added = ({ kind, change }: Difference) => kind === 'added' && change === undefined
  return [
    check({
      id: `versioning.${operation}.documented-across`,
      requirement: 'versioning.breaking-changes',
      level: 'must',
      ...shared,
      title: `no documented field is lost or retyped under ${latestVersion} unless listed`,
      run: async (t, resolved) => {
        for (const comparison of await comparisons(t, resource, resolved)) {
          stillServed(t, comparison)
          none(t, comparison, breaking)
        }
      },
    }),
    check({
      id: `versioning.${operation}.undocumented-across`,
      requirement: 'versioning.breaking-changes',
      level: 'should',
      ...shared,
      title: `no other field is lost or retyped under ${latestVersion} unless listed`,
      run: async (t, resolved) => {
        for (const comparison of await comparisons(t, resource, resolved)) none(t, comparison, other)
      },
    }),
    check({
      id: `versioning.${operation}.additions-across`,
      requirement: 'versioning.additive-changes',
      level: 'should',
      ...shared,
      title: `${latestVersion} shows nothing that ${firstVersion} lacks`,
      run: async (t, resolved) => {
        for (const comparison of await comparisons(t, resource, resolved)) {
          servedBefore(t, comparison)
          none(t, comparison, added)
        }
      },
    }),
  ]
}

/** The comparisons of a resource; what neither version serves is left out, and nothing served ends the check. */
async function comparisons(t: CheckContext, resource: Resource, needs: unknown): Promise<Comparison[]> {
  const specs = await resource.specs(t, needs)
  const all = await Promise.all(specs.map((spec) => compared(t, resource, spec)))
  const served = all.filter(({ older, newer }) => isServed(older) || isServed(newer))
  const [first] = all
  if (served.length === 0 && first) offered(t, first.spec, first.older)
  return served.length > 0 ? served : t.untested('no address is declared', 'version-request')
}

/** An operation that only the older version serves was removed without being listed. */
function stillServed(t: CheckContext, { older, newer }: Comparison): void {
  if (!isServed(older) || isServed(newer)) return
  const expected = `what ${firstVersion} serves (${older.status})`
  t.deviation({ expected, actual: `${newer.status} under ${latestVersion}`, exchanges: [older, newer] })
}

/** An operation that only the newer version serves was added to it alone. */
function servedBefore(t: CheckContext, { older, newer }: Comparison): void {
  if (isServed(older) || !isServed(newer)) return
  const expected = `what ${latestVersion} serves (${newer.status})`
  t.deviation({ expected, actual: `${older.status} under ${firstVersion}`, exchanges: [older, newer] })
}

function none(t: CheckContext, { older, newer, differences }: Comparison, counts: (difference: Difference) => boolean): void {
  if (!isServed(older) || !isServed(newer)) return
  if (Array.isArray(older.json) && older.json.length === 0) return
  const found = differences.find(counts)
  if (found) {
    const { at, older: before, newer: after } = found
    const expected = `${at} as under ${firstVersion}: ${before || 'absent'}`
    t.deviation({ expected, actual: after || 'absent', pointer: at, exchanges: [older, newer] })
  }
  t.examined(1)
}

import { familyOf } from '../../../src/spec/change-endpoints.ts'
import { partOf } from '../../../src/spec/changes.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { declaredSpec, type Family, familyNeeds } from '../common/declared.ts'
import { readOffered } from '../common/offered.ts'

const needs = familyNeeds(4)
const { older: former, newer: sarif, early } = partOf(4, 'media-type')

/** Change 4: a SARIF analysis is labelled as what was asked for; only the media type counts (readings V16). */
export default suite({
  area: 'versioning',
  endpoint: familyOf(4),
  checks: [
    check({
      id: 'versioning.analysis.sarif-media-type',
      requirement: 'versioning.change-4',
      level: 'must',
      title: `sends an analysis as ${sarif} when that is requested`,
      needs,
      versions: [latestVersion],
      run: async (t, resolved) => labelledAs(t, resolved, sarif),
    }),
    check({
      id: 'versioning.analysis.former-media-type',
      requirement: 'versioning.change-4',
      level: early,
      title: `sends an analysis as ${former}`,
      needs,
      versions: [firstVersion],
      run: async (t, resolved) => labelledAs(t, resolved, former),
    }),
  ],
})

async function labelledAs(t: CheckContext, needs: Family, type: string): Promise<void> {
  const requests = needs.family.requests.filter(({ method }) => method === 'GET')
  for (const request of requests) {
    const answer = await readOffered(t, { ...declaredSpec(t, needs, 4, request), accept: sarif })
    const pattern = new RegExp(`^${type.replace('+', '\\+')}\\s*(;|$)`, 'i')
    t.expect(answer).header('Content-Type', { name: type, pattern })
  }
}

import { familyOf } from '../../../src/spec/change-endpoints.ts'
import { partOf } from '../../../src/spec/changes.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { ofChange } from '../common/change.ts'
import { declaredSpec, type Family, familyNeeds } from '../common/declared.ts'
import { readOffered } from '../common/offered.ts'

const needs = familyNeeds(4)
const { both, underLatest, underFirst } = ofChange(4, { id: 'versioning.analysis', endpoint: familyOf(4), needs })
const { older: former, newer: sarif, early } = partOf(4, 'media-type')

/** Change 4: a SARIF analysis is labelled with the requested type; only the media type counts (readings V16). */
export default both.suite([
  underLatest.check('sarif-media-type', `sends an analysis as ${sarif} when that is requested`, (t, resolved) =>
    expectLabel(t, resolved, sarif),
  ),
  underFirst.check('former-media-type', `sends an analysis as ${former}`, { level: early }, (t, resolved) =>
    expectLabel(t, resolved, former),
  ),
])

async function expectLabel(t: CheckContext, needs: Family, type: string): Promise<void> {
  const requests = needs.family.requests.filter(({ method }) => method === 'GET')
  for (const request of requests) {
    const answer = await readOffered(t, { ...declaredSpec(t, needs, 4, request), accept: sarif })
    const pattern = new RegExp(`^${type.replace('+', '\\+')}\\s*(;|$)`, 'i')
    t.expect(answer).header('Content-Type', { name: type, pattern })
  }
}

import type { Exchange } from '../../src/http/exchange.ts'
import { changeEndpoints, familyOf } from '../../src/spec/change-endpoints.ts'
import { firstVersion, latestVersion } from '../../src/spec/versions.ts'
import { check, suite } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type Resolved, reader } from '../../src/suite/needs.ts'
import { removedFieldChecks, topLevelOf } from '../common/removed-fields.ts'
import { declaredSpec, type Family, familyNeeds, maySend } from './declared.ts'
import { keptFieldCheck } from './kept-fields.ts'
import { isServed, readOffered } from './offered.ts'

const endpoint = changeEndpoints.root
const id = 'versioning.root'
const needs = { reader: reader() }
const of = 'API root'
const addresses = ['authorizations_url', 'hub_url']
const read = (t: CheckContext, { reader }: Resolved<typeof needs>) => readOffered(t, { endpoint, as: reader })

/** Change 6: two addresses leave the API root, and /hub goes. */
export default suite({
  area: 'versioning',
  endpoint,
  checks: [
    ...removedFieldChecks({ id, endpoint, needs, fields: addresses.map((field) => ({ change: 6, field, from: [], of })), read }),
    ...addresses.map((field) =>
      keptFieldCheck({
        ...{ id, endpoint, needs, change: 6, field, level: 'must', of },
        objects: async (t, resolved) => topLevelOf(await read(t, resolved)),
      }),
    ),
    check({
      id: 'versioning.hub.removed',
      requirement: 'versioning.change-6',
      level: 'must',
      title: 'serves /hub no longer',
      needs: familyNeeds(6),
      endpoint: familyOf(6, 'POST'),
      ...{ versions: [latestVersion], writes: true },
      run: async (t, resolved) => {
        for (const answer of await askHub(t, resolved)) {
          if (isServed(answer)) t.deviation({ expected: 'no /hub', actual: String(answer.status), exchanges: [answer] })
          t.examined(1)
        }
      },
    }),
    check({
      id: 'versioning.hub.kept',
      requirement: 'versioning.change-6',
      level: 'should',
      title: 'still serves /hub',
      needs: familyNeeds(6),
      endpoint: familyOf(6, 'POST'),
      ...{ versions: [firstVersion], writes: true },
      run: async (t, resolved) => {
        for (const answer of await askHub(t, resolved)) {
          if (!isServed(answer)) t.deviation({ expected: '2xx from /hub', actual: String(answer.status), exchanges: [answer] })
          t.examined(1)
        }
      },
    }),
  ],
})

/** The declared hub requests (readings V15). */
async function askHub(t: CheckContext, needs: Family): Promise<Exchange[]> {
  const requests = needs.family.requests.filter(maySend)
  return Promise.all(requests.map((request) => t.send(declaredSpec(t, needs, 6, request))))
}

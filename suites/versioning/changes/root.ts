import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints, familyOf } from '../../../src/spec/change-endpoints.ts'
import { partOf, removedFields } from '../../../src/spec/changes.ts'
import { type ApiVersion, firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type Resolved, reader } from '../../../src/suite/needs.ts'
import { topLevelOf } from '../../common/removable-objects.ts'
import { removedFieldChecks } from '../../common/removed-fields.ts'
import { declaredSpec, type Family, familyNeeds, maySend } from '../common/declared.ts'
import { keptFieldChecks } from '../common/kept-fields.ts'
import { isServed, readByAnybody } from '../common/offered.ts'
import { shownOperation } from '../common/shown-change.ts'

const endpoint = changeEndpoints.root
const id = 'versioning.root'
const needs = { reader: reader() }
const fields = removedFields(6)
const hub = {
  requirement: 'versioning.change-6',
  needs: familyNeeds(6),
  endpoint: familyOf(6, 'POST'),
  writes: true,
  shows: shownOperation(6),
} as const
const read = (t: CheckContext, { reader }: Resolved<typeof needs>) => readByAnybody(t, { endpoint, as: reader })

/** Change 6: two addresses leave the API root, and /hub goes. */
export default suite({
  area: 'versioning',
  endpoint,
  checks: [
    ...removedFieldChecks({ id, endpoint, needs, fields, read }),
    ...keptFieldChecks({
      id,
      endpoint,
      needs,
      fields,
      objects: async (t, resolved) => topLevelOf(await read(t, resolved)),
    }),
    check({
      id: 'versioning.hub.removed',
      ...hub,
      level: 'must',
      title: 'rejects requests to /hub',
      versions: [latestVersion],
      run: async (t, resolved) => {
        const former = await askHub(t, resolved, firstVersion)
        if (!former.some(isServed)) t.untested(`no request to /hub is served under ${firstVersion} either`)
        for (const answer of await askHub(t, resolved)) {
          if (isServed(answer)) t.deviation({ expected: 'no /hub', actual: String(answer.status), exchanges: [answer] })
          t.examined(1)
        }
      },
    }),
    check({
      id: 'versioning.hub.kept',
      ...hub,
      level: partOf(6, 'operation').early,
      title: 'accepts requests to /hub',
      versions: [firstVersion],
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
async function askHub(t: CheckContext, needs: Family, version?: ApiVersion): Promise<Exchange[]> {
  const requests = needs.family.requests.filter(maySend)
  const named = version === undefined ? {} : { version }
  return Promise.all(requests.map((request) => t.send({ ...declaredSpec(t, needs, 6, request), ...named })))
}

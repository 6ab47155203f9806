import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints, familyOf, partOf, removedFields } from '../../../src/spec/changes/changes.ts'
import { type ApiVersion, firstVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { reader } from '../../../src/suite/needs.ts'
import { topLevelOf } from '../../common/removed-fields.ts'
import { ofChange, readOffered, shownOperation } from '../common/change.ts'
import { declaredSpec, type Family, familyNeeds, maySend } from '../common/declared.ts'
import { topLevelFieldChecks } from '../common/kept-fields.ts'

const endpoint = changeEndpoints.root
const root = ofChange(6, { id: 'versioning.root', endpoint, needs: { reader: reader() } }).both
const { underLatest, underFirst } = ofChange(6, {
  id: 'versioning.hub',
  endpoint: familyOf(6, 'POST'),
  needs: familyNeeds(6),
  writes: true,
  shows: shownOperation(6),
})

/** Change 6: two addresses leave the API root, and /hub goes. */
export default root.suite([
  ...topLevelFieldChecks(root, removedFields(6), (t, { reader: as }) => readOffered(t, { endpoint, as })),
  underLatest.check('removed', 'rejects requests to /hub', async (t, resolved) => {
    const former = await sendToHub(t, resolved, firstVersion)
    if (!former.some(({ ok }) => ok)) t.untested(`no request to /hub is served under ${firstVersion} either`)
    for (const response of await sendToHub(t, resolved))
      t.expect(response).satisfy('no /hub', !response.ok, String(response.status))
  }),
  underFirst.check('kept', 'accepts requests to /hub', { level: partOf(6, 'operation').early }, async (t, resolved) => {
    for (const response of await sendToHub(t, resolved))
      t.expect(response).satisfy('2xx from /hub', response.ok, String(response.status))
  }),
])

/** Sends the declared hub requests (readings V15). */
async function sendToHub(t: CheckContext, needs: Family, version?: ApiVersion): Promise<Exchange[]> {
  const requests = needs.family.requests.filter(maySend)
  const named = version === undefined ? {} : { version }
  return Promise.all(requests.map((request) => t.send({ ...declaredSpec(t, needs, 6, request), ...named })))
}

const quota = ofChange(1, { id: 'versioning.rate-limit', endpoint: changeEndpoints.rateLimit, needs: { reader: reader() } })
const readQuota = (t: CheckContext, { reader: as }: { readonly reader: Caller }) =>
  readOffered(t, { endpoint: changeEndpoints.rateLimit, as })

/** Change 1: `rate` goes; `resources.core` is the same quota. */
export const rateLimit = quota.both.suite([
  ...topLevelFieldChecks(quota.both, removedFields(1), readQuota),
  quota.underLatest.check('resources-core', 'includes the quota as resources.core', async (t, resolved) => {
    t.expectAll(topLevelOf(await readQuota(t, resolved)), 'quota').satisfy(
      'an object resources.core',
      ({ resources }) => isObject(resources) && isObject(resources.core),
    )
  }),
])

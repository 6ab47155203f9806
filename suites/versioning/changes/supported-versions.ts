import { anyAddress, changeEndpoints } from '../../../src/spec/changes/changes.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { type ApiVersion, firstVersion, latestVersion, releasedAt, supportEnds } from '../../../src/spec/versions.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { Resolved } from '../../../src/suite/needs.ts'
import { answered } from '../common/change.ts'
import { allForms, followsHeader, signNeeds } from '../common/version-signs.ts'

type Needs = Resolved<typeof signNeeds>
const versions = operation({
  id: 'versioning.versions',
  endpoint: anyAddress,
  needs: signNeeds,
  level: 'must',
  schedule: 'across',
})

/** Rules 1 and 5: both versions are offered, the older one for 24 months after the newer one's release (readings V21, V22). */
export default versions.suite([
  versions.check(
    'first-offered',
    `supports ${firstVersion} until 24 months after ${latestVersion}`,
    'versioning.support',
    async (t, resolved) => offers(t, resolved, firstVersion, (now) => now < supportEnds(latestVersion)),
  ),
  versions.check('latest-offered', `supports ${latestVersion} from its release on`, 'versioning.versions', async (t, resolved) =>
    offers(t, resolved, latestVersion, (now) => now >= releasedAt(latestVersion)),
  ),
  versions.check(
    'latest-early',
    `supports ${latestVersion} on request even before its release`,
    { requirement: 'versioning.versions', level: 'should' },
    async (t, resolved) => offers(t, resolved, latestVersion, () => true),
  ),
])

/** A version that no address knows although another one is served is not offered; `due` says whether it has to be at a time. */
async function offers(t: CheckContext, needs: Needs, version: ApiVersion, due: (now: number) => boolean): Promise<void> {
  const { reader: as } = needs
  const other = version === firstVersion ? latestVersion : firstVersion
  const probes = [endpoints.publicEvents, changeEndpoints.rateLimit, changeEndpoints.root].map((endpoint) => ({ endpoint, as }))
  const asked = await answered(probes.map((spec) => t.read({ ...spec, version })))
  const others = await answered(probes.map((spec) => t.read({ ...spec, version: other })))
  if (!asked.some(({ ok }) => ok)) {
    const served = others.filter(({ ok }) => ok)
    if (served.length === 0) t.untested('neither version is supported')
    // The target's own time (readings G10); a response without a date counts as of today.
    const [now = Date.now()] = served.map((response) => Date.parse(response.header('date') ?? '')).filter(Number.isFinite)
    if (!due(now)) t.untested(`${version} is not supported, which is permitted at this time`)
    const statuses = [...new Set(asked.map(({ status }) => status))].join(' and ')
    t.deviation({ expected: `${version} to be supported, as ${other} is`, actual: statuses, exchanges: [...asked, ...served] })
  }
  if (!(await allForms(t, needs)).some(followsHeader)) t.untested('no response shows which version it is of', 'version-request')
  t.examined(1)
}

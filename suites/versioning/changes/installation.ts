import { bearer } from '../../../src/http/exchange/caller.ts'
import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { partOf } from '../../../src/spec/changes.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, type Resolved } from '../../../src/suite/needs.ts'
import { sendOffered } from '../common/offered.ts'
import { shownStatus } from '../common/shown-change.ts'

const endpoint = changeEndpoints.deleteInstallation
const needs = { installation: need('disposable-installation') }
const shared = { requirement: 'versioning.change-9', needs, writes: true, shows: shownStatus(9, endpoint) } as const
const { older, newer, early } = partOf(9, 'status')

/** Change 9: the deletion of an installation moves to the background. */
export default suite({
  area: 'versioning',
  endpoint,
  checks: [
    check({
      id: 'versioning.delete-installation.accepted',
      ...shared,
      level: 'must',
      title: `returns ${newer} for the deletion of an installation`,
      versions: [latestVersion],
      run: async (t, resolved) => {
        t.expect(await remove(t, resolved)).status(newer)
      },
    }),
    check({
      id: 'versioning.delete-installation.no-content',
      ...shared,
      level: early,
      title: `returns ${older} for the deletion of an installation`,
      versions: [firstVersion],
      run: async (t, resolved) => {
        t.expect(await remove(t, resolved)).status(older)
      },
    }),
  ],
})

function remove(t: CheckContext, { installation }: Resolved<typeof needs>) {
  const { installation_id, token } = installation
  return sendOffered(t, { endpoint, params: { installation_id }, as: bearer(token, 'disposable-installation') })
}

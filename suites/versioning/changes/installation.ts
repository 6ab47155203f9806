import { bearer } from '../../../src/http/exchange/caller.ts'
import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { partOf } from '../../../src/spec/changes.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, type Resolved } from '../../../src/suite/needs.ts'
import { ofChange, shownStatus } from '../common/change.ts'
import { sendOffered } from '../common/offered.ts'

const endpoint = changeEndpoints.deleteInstallation
const needs = { installation: need('disposable-installation') }
const { both, underLatest, underFirst } = ofChange(9, {
  id: 'versioning.delete-installation',
  endpoint,
  needs,
  writes: true,
  shows: shownStatus(9, endpoint),
})
const { older, newer, early } = partOf(9, 'status')

/** Change 9: the deletion of an installation moves to the background. */
export default both.suite([
  underLatest.check('accepted', `returns ${newer} for the deletion of an installation`, async (t, resolved) => {
    t.expect(await remove(t, resolved)).status(newer)
  }),
  underFirst.check(
    'no-content',
    `returns ${older} for the deletion of an installation`,
    { level: early },
    async (t, resolved) => {
      t.expect(await remove(t, resolved)).status(older)
    },
  ),
])

function remove(t: CheckContext, { installation }: Resolved<typeof needs>) {
  const { installation_id, token } = installation
  return sendOffered(t, { endpoint, params: { installation_id }, as: bearer(token, 'disposable-installation') })
}

import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { partOf, removedFields } from '../../../src/spec/changes.ts'
import { ofChange, shownRequest } from '../common/change.ts'
import { topLevelFieldChecks } from '../common/kept-fields.ts'
import {
  expectLinkAccepted,
  expectLinkHonoured,
  expectLinkWithoutEffect,
  organizationNeeds as needs,
  readOrganization,
  updateDescription,
} from './custom-link.ts'

const { organization, updateOrganization } = changeEndpoints
const fields = removedFields(10)
const reading = ofChange(10, { id: 'versioning.organization', endpoint: organization, needs }).both
const update = { id: 'versioning.update-organization', endpoint: updateOrganization, needs, writes: true } as const
const { both, underFirst } = ofChange(10, { ...update, schedule: 'alone', shows: shownRequest(10) })

/** Change 10: the push-protection link leaves the organisation, in requests and responses. */
export default reading.suite([
  ...topLevelFieldChecks(reading, fields, readOrganization),
  ...topLevelFieldChecks(ofChange(10, update).both, fields, updateDescription),
  underFirst.check(
    'link-honoured',
    'applies the push-protection link in the request body',
    { level: 'should' },
    expectLinkHonoured,
  ),
  underFirst.check(
    'link-accepted',
    'accepts the push-protection link',
    { level: partOf(10, 'request').early },
    expectLinkAccepted,
  ),
  both.check(
    'link-not-honoured',
    'ignores or rejects the push-protection link under the newer version',
    { schedule: 'across' },
    expectLinkWithoutEffect,
  ),
])

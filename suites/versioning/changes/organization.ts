import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import { partOf, removedFields } from '../../../src/spec/changes.ts'
import { firstVersion } from '../../../src/spec/versions.ts'
import { check, suite } from '../../../src/suite/check.ts'
import { topLevelOf } from '../../common/removable-objects.ts'
import { removedFieldChecks } from '../../common/removed-fields.ts'
import { keptFieldChecks } from '../common/kept-fields.ts'
import { shownRequest } from '../common/shown-change.ts'
import {
  linkAccepted,
  linkHonoured,
  linkWithoutEffect,
  organizationNeeds,
  readOrganization,
  updateDescription,
} from './custom-link.ts'

const { organization, updateOrganization } = changeEndpoints
const needs = organizationNeeds
const fields = removedFields(10)
const write = {
  requirement: 'versioning.change-10',
  needs,
  endpoint: updateOrganization,
  writes: true,
  shows: shownRequest(10),
} as const

/** Change 10: the push-protection link leaves the organisation, in requests and answers. */
export default suite({
  area: 'versioning',
  endpoint: organization,
  checks: [
    ...removedFieldChecks({ id: 'versioning.organization', endpoint: organization, needs, fields, read: readOrganization }),
    ...removedFieldChecks({
      id: 'versioning.update-organization',
      endpoint: updateOrganization,
      needs,
      fields,
      writes: true,
      read: updateDescription,
    }),
    ...keptFieldChecks({
      id: 'versioning.organization',
      endpoint: organization,
      needs,
      fields,
      objects: async (t, resolved) => topLevelOf(await readOrganization(t, resolved)),
    }),
    ...keptFieldChecks({
      id: 'versioning.update-organization',
      endpoint: updateOrganization,
      needs,
      fields,
      writes: true,
      objects: async (t, resolved) => topLevelOf(await updateDescription(t, resolved)),
    }),
    check({
      id: 'versioning.update-organization.link-honoured',
      ...write,
      level: 'should',
      schedule: 'alone',
      title: 'applies the push-protection link in the request body',
      versions: [firstVersion],
      run: async (t, resolved) => linkHonoured(t, resolved),
    }),
    check({
      id: 'versioning.update-organization.link-accepted',
      ...write,
      level: partOf(10, 'request').early,
      schedule: 'alone',
      title: 'accepts the push-protection link',
      versions: [firstVersion],
      run: async (t, resolved) => linkAccepted(t, resolved),
    }),
    check({
      id: 'versioning.update-organization.link-not-honoured',
      ...write,
      level: 'must',
      schedule: 'across',
      title: 'ignores or rejects the push-protection link under the newer version',
      run: async (t, resolved) => linkWithoutEffect(t, resolved),
    }),
  ],
})

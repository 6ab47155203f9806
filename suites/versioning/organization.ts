import { changeEndpoints } from '../../src/spec/change-endpoints.ts'
import { firstVersion } from '../../src/spec/versions.ts'
import { check, suite } from '../../src/suite/check.ts'
import { type RemovedField, removedFieldChecks, topLevelOf } from '../common/removed-fields.ts'
import {
  customLink,
  linkAccepted,
  linkWithoutEffect,
  organizationNeeds,
  readOrganization,
  updateDescription,
} from './custom-link.ts'
import { keptFieldCheck } from './kept-fields.ts'

const { organization, updateOrganization } = changeEndpoints
const needs = organizationNeeds
const of = 'organisation'
const fields: RemovedField[] = [{ change: 10, field: customLink, from: [], of }]
const write = { requirement: 'versioning.change-10', level: 'must', needs, endpoint: updateOrganization, writes: true } as const

/** Change 10: the push-protection link leaves the organisation, in requests and answers. */
export default suite({
  area: 'versioning',
  endpoint: organization,
  checks: [
    ...removedFieldChecks({ id: 'versioning.organization', endpoint: organization, needs, fields, read: readOrganization }),
    ...removedFieldChecks({
      ...{ id: 'versioning.update-organization', endpoint: updateOrganization, needs, fields, writes: true },
      read: updateDescription,
    }),
    keptFieldCheck({
      ...{ id: 'versioning.organization', endpoint: organization, needs, change: 10, field: customLink, level: 'should', of },
      objects: async (t, resolved) => topLevelOf(await readOrganization(t, resolved)),
    }),
    check({
      id: 'versioning.update-organization.link-accepted',
      ...{ ...write, schedule: 'alone' },
      title: 'still accepts the push-protection link',
      versions: [firstVersion],
      run: async (t, resolved) => linkAccepted(t, resolved),
    }),
    check({
      id: 'versioning.update-organization.link-not-honoured',
      ...{ ...write, schedule: 'across' },
      title: 'a push-protection link sent under the newer version has no effect',
      run: async (t, resolved) => linkWithoutEffect(t, resolved),
    }),
  ],
})

import { familyOf } from '../../src/spec/change-endpoints.ts'
import { firstVersion, latestVersion } from '../../src/spec/versions.ts'
import { check, suite } from '../../src/suite/check.ts'
import type { JsonObject } from '../../src/suite/located.ts'
import { embeddedRemovals, objectKinds, topLevelOf } from '../common/removed-fields.ts'
import { assigneeAccepted, assigneeWithoutEffect } from './assigning.ts'
import { embeddingFamily, embeddingNeeds, familyNeeds, readFamily } from './declared.ts'
import { familyChecks } from './family.ts'
import { keptFieldCheck } from './kept-fields.ts'

const { assignee } = embeddedRemovals

/** Milestones and projects have a number and a title, too; what can be assigned has assignees. */
const isAssigned = (object: JsonObject) =>
  'assignees' in object && (objectKinds.issue(object) || objectKinds['pull request'](object))

const needs = familyNeeds(19)
const write = { requirement: 'versioning.change-19', level: 'must', endpoint: familyOf(19, 'PATCH'), writes: true } as const

/** Change 19: issues and pull requests are assigned through `assignees` alone. */
export default suite({
  area: 'versioning',
  endpoint: familyOf(19),
  checks: [
    ...familyChecks('issues', assignee),
    keptFieldCheck({
      ...{ id: 'versioning.issues', endpoint: familyOf(19), needs: embeddingNeeds, change: 19, field: 'assignee', level: 'must' },
      of: 'issue or pull request',
      objects: async (t, resolved) =>
        (await readFamily(t, embeddingFamily(t, resolved), 19)).flatMap(topLevelOf).filter(({ value }) => isAssigned(value)),
    }),
    check({
      id: 'versioning.issues.assignee-not-honoured',
      ...{ ...write, needs, schedule: 'alone' },
      title: 'a sent assignee is not assigned',
      versions: [latestVersion],
      run: async (t, resolved) => assigneeWithoutEffect(t, resolved),
    }),
    check({
      id: 'versioning.issues.assignee-accepted',
      ...{ ...write, needs, schedule: 'alone' },
      title: 'a sent assignee is still accepted',
      versions: [firstVersion],
      run: async (t, resolved) => assigneeAccepted(t, resolved),
    }),
  ],
})

import { familyOf } from '../../../src/spec/change-endpoints.ts'
import { partOf, replacementOf } from '../../../src/spec/changes.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { JsonObject } from '../../../src/suite/located.ts'
import { canHave, embeddedRemovals, topLevelOf } from '../../common/removable-objects.ts'
import { embeddingFamily, embeddingNeeds, familyNeeds, readFamily } from '../common/declared.ts'
import { familyChecks } from '../common/family.ts'
import { keptFieldChecks } from '../common/kept-fields.ts'
import { shownRequest } from '../common/shown-change.ts'
import { assigneeAccepted, assigneeHonoured, assigneeWithoutEffect } from './assigning.ts'

const { assignee } = embeddedRemovals

/** Milestones and projects have a number and a title, too; what can be assigned has assignees. */
const canBeAssigned = (object: JsonObject) => replacementOf(19).field in object && canHave(assignee, object)

const write = {
  requirement: 'versioning.change-19',
  endpoint: familyOf(19, 'PATCH'),
  needs: familyNeeds(19),
  writes: true,
  schedule: 'alone',
  shows: shownRequest(19),
} as const

/** Change 19: issues and pull requests are assigned through `assignees` alone. */
export default suite({
  area: 'versioning',
  endpoint: familyOf(19),
  checks: [
    ...familyChecks('issues', assignee),
    ...keptFieldChecks({
      id: 'versioning.issues',
      endpoint: familyOf(19),
      needs: embeddingNeeds,
      fields: [assignee],
      objects: async (t, resolved) =>
        (await readFamily(t, embeddingFamily(t, resolved), 19)).flatMap(topLevelOf).filter(({ value }) => canBeAssigned(value)),
    }),
    check({
      id: 'versioning.issues.assignee-not-honoured',
      ...write,
      level: 'must',
      title: 'ignores or rejects an assignee in the request body',
      versions: [latestVersion],
      run: async (t, resolved) => assigneeWithoutEffect(t, resolved),
    }),
    check({
      id: 'versioning.issues.assignee-honoured',
      ...write,
      level: 'should',
      title: 'applies the assignee in the request body',
      versions: [firstVersion],
      run: async (t, resolved) => assigneeHonoured(t, resolved),
    }),
    check({
      id: 'versioning.issues.assignee-accepted',
      ...write,
      level: partOf(19, 'request').early,
      title: 'accepts an assignee in the request body',
      versions: [firstVersion],
      run: async (t, resolved) => assigneeAccepted(t, resolved),
    }),
  ],
})

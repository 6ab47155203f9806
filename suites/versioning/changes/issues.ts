import { familyOf } from '../../../src/spec/change-endpoints.ts'
import { partOf, replacementOf } from '../../../src/spec/changes.ts'
import type { JsonObject } from '../../../src/suite/located.ts'
import { canHave, embeddedRemovals, topLevelOf } from '../../common/removable-objects.ts'
import { ofChange, shownRequest } from '../common/change.ts'
import { embeddingFamily, embeddingNeeds, familyNeeds, readFamily } from '../common/declared.ts'
import { familyChecks } from '../common/family.ts'
import { keptFieldChecks } from '../common/kept-fields.ts'
import { expectAssigneeAccepted, expectAssigneeHonoured, expectAssigneeWithoutEffect } from './assigning.ts'

const { assignee } = embeddedRemovals
const issues = ofChange(19, { id: 'versioning.issues', endpoint: familyOf(19), needs: embeddingNeeds }).both
const { underLatest, underFirst } = ofChange(19, {
  id: 'versioning.issues',
  endpoint: familyOf(19, 'PATCH'),
  needs: familyNeeds(19),
  writes: true,
  schedule: 'alone',
  shows: shownRequest(19),
})

/** Milestones and projects have a number and a title, too; only objects that can be assigned have assignees. */
const canBeAssigned = (object: JsonObject) => replacementOf(19).field in object && canHave(assignee, object)

/** Change 19: issues and pull requests are assigned through `assignees` alone. */
export default issues.suite([
  ...familyChecks('issues', assignee),
  ...keptFieldChecks(issues, {
    fields: [assignee],
    objects: async (t, resolved) =>
      (await readFamily(t, embeddingFamily(t, resolved), 19)).flatMap(topLevelOf).filter(({ value }) => canBeAssigned(value)),
  }),
  underLatest.check('assignee-not-honoured', 'ignores or rejects an assignee in the request body', expectAssigneeWithoutEffect),
  underFirst.check('assignee-honoured', 'applies the assignee in the request body', { level: 'should' }, expectAssigneeHonoured),
  underFirst.check(
    'assignee-accepted',
    'accepts an assignee in the request body',
    { level: partOf(19, 'request').early },
    expectAssigneeAccepted,
  ),
])

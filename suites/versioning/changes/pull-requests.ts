import { familyOf } from '../../../src/spec/change-endpoints.ts'
import { canHave, embeddedRemovals, topLevelOf } from '../../common/removable-objects.ts'
import { ofChange } from '../common/change.ts'
import { embeddingFamily, embeddingNeeds, readFamily } from '../common/declared.ts'
import { familyChecks } from '../common/family.ts'
import { keptFieldChecks } from '../common/kept-fields.ts'

const { mergeCommit } = embeddedRemovals
const pulls = ofChange(17, { id: 'versioning.pull-requests', endpoint: familyOf(17), needs: embeddingNeeds }).both

/** Change 17: pull requests lose merge_commit_sha. */
export default pulls.suite([
  ...familyChecks('pull-requests', mergeCommit),
  ...keptFieldChecks(pulls, {
    fields: [mergeCommit],
    objects: async (t, resolved) =>
      (await readFamily(t, embeddingFamily(t, resolved), 17))
        .flatMap(topLevelOf)
        .filter(({ value }) => canHave(mergeCommit, value)),
  }),
])

import { familyOf } from '../../../src/spec/change-endpoints.ts'
import { suite } from '../../../src/suite/check.ts'
import { canHave, embeddedRemovals, topLevelOf } from '../../common/removable-objects.ts'
import { embeddingFamily, embeddingNeeds, readFamily } from '../common/declared.ts'
import { familyChecks } from '../common/family.ts'
import { keptFieldChecks } from '../common/kept-fields.ts'

const { mergeCommit } = embeddedRemovals

/** Change 17: pull requests lose merge_commit_sha. */
export default suite({
  area: 'versioning',
  endpoint: familyOf(17),
  checks: [
    ...familyChecks('pull-requests', mergeCommit),
    ...keptFieldChecks({
      id: 'versioning.pull-requests',
      endpoint: familyOf(17),
      needs: embeddingNeeds,
      fields: [mergeCommit],
      objects: async (t, resolved) =>
        (await readFamily(t, embeddingFamily(t, resolved), 17))
          .flatMap(topLevelOf)
          .filter(({ value }) => canHave(mergeCommit, value)),
    }),
  ],
})

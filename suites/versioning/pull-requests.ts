import { familyOf } from '../../src/spec/change-endpoints.ts'
import { suite } from '../../src/suite/check.ts'
import { embeddedRemovals, objectKinds, topLevelOf } from '../common/removed-fields.ts'
import { embeddingFamily, embeddingNeeds, readFamily } from './declared.ts'
import { familyChecks } from './family.ts'
import { keptFieldCheck } from './kept-fields.ts'

const { mergeCommit } = embeddedRemovals

/** Change 17: pull requests lose merge_commit_sha. */
export default suite({
  area: 'versioning',
  endpoint: familyOf(17),
  checks: [
    ...familyChecks('pull-requests', mergeCommit),
    keptFieldCheck({
      ...{ id: 'versioning.pull-requests', endpoint: familyOf(17), needs: embeddingNeeds, level: 'must' },
      ...{ change: 17, field: mergeCommit.field, of: 'pull request' },
      objects: async (t, resolved) =>
        (await readFamily(t, embeddingFamily(t, resolved), 17))
          .flatMap(topLevelOf)
          .filter(({ value }) => objectKinds['pull request'](value)),
    }),
  ],
})

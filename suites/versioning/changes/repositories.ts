import { type ChangeNumber, changeEndpoints, earlyLevel, familyOf } from '../../../src/spec/changes/changes.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import { role } from '../../../src/suite/needs.ts'
import { embeddedRemovals, expectKept, objectsOf, removedFieldChecks } from '../../common/removed-fields.ts'
import { ofChange, readOffered } from '../common/change.ts'
import { type Family, familyNeeds, readFamily } from '../common/declared.ts'
import { familyChecks } from '../common/kept-fields.ts'

const { squashTitle, hasDownloads } = embeddedRemovals
const { userSubscriptions } = changeEndpoints
const { both, underLatest, underFirst } = ofChange(5, {
  id: 'versioning.repositories',
  endpoint: familyOf(5),
  needs: familyNeeds(5),
})
const subscriptions = ofChange(12, {
  id: 'versioning.user-subscriptions',
  endpoint: userSubscriptions,
  needs: { owner: role('owner') },
}).both
/** Change 7 renames the default branch. */
const [deprecated, named] = ['master_branch', 'default_branch'] as const

/** Changes 5 and 12 on the repositories that the document names only as a family. */
export default both.suite([
  ...familyChecks('repositories', squashTitle),
  ...familyChecks('repositories', hasDownloads),
  ...removedFieldChecks(subscriptions, {
    fields: [hasDownloads],
    read: (t, { owner }) => readOffered(t, { endpoint: userSubscriptions, as: owner }),
  }),
  underFirst.check(
    'kept-use-squash-pr-title-as-default',
    `keeps ${squashTitle.field} in full repository objects`,
    { level: earlyLevel(squashTitle) },
    async (t, resolved) => expectSquashTitle(t, await repositoriesOf(t, resolved, 5)),
  ),
  underFirst
    .with({ needs: familyNeeds(12) })
    .check(
      'kept-has-downloads',
      `keeps ${hasDownloads.field} in all repository objects of the same shape`,
      { requirement: 'versioning.change-12', level: earlyLevel(hasDownloads), endpoint: familyOf(12) },
      async (t, resolved) => expectKept(t, await repositoriesOf(t, resolved, 12), hasDownloads),
    ),
  underLatest.check(
    'default-branch-named',
    `includes ${named} in each full repository that has ${deprecated}`,
    { requirement: 'versioning.change-7', level: 'should' },
    async (t, resolved) => expectBranchNamed(t, await repositoriesOf(t, resolved, 5)),
  ),
])

/** The beta form may stay beside its replacement (readings V6). Repositories within other objects may have neither. */
function expectBranchNamed(t: CheckContext, repositories: readonly Located<JsonObject>[]): void {
  const whole = repositories.filter(({ value, pointer }) => pointer === '' && (deprecated in value || named in value))
  t.expectAll(whole, 'repository').satisfy(
    named,
    (object) => Object.hasOwn(object, named),
    () => `only ${deprecated}`,
  )
}

async function repositoriesOf(t: CheckContext, needs: Family, change: ChangeNumber): Promise<Located<JsonObject>[]> {
  return (await readFamily(t, needs, change)).flatMap((exchange) => objectsOf(exchange, ['repository']))
}

/** Only a whole repository must have the field (readings V2); one in a list must have it if similar ones do. */
function expectSquashTitle(t: CheckContext, repositories: readonly Located<JsonObject>[]): void {
  const whole = repositories.filter(({ pointer }) => pointer === '')
  const known = repositories.some(({ value }) => squashTitle.field in value)
  if (!known && whole[0]) t.deviation({ expected: squashTitle.field, actual: 'none', exchanges: [whole[0].exchange] })
  expectKept(t, repositories, squashTitle)
}

import type { ChangeNumber } from '../../../src/spec/change-endpoints.ts'
import { changeEndpoints, familyOf } from '../../../src/spec/change-endpoints.ts'
import { earlyLevel } from '../../../src/spec/changes.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { JsonObject, Located } from '../../../src/suite/located.ts'
import { role } from '../../../src/suite/needs.ts'
import { expectKept } from '../../common/early-removals.ts'
import { embeddedRemovals, objectsOf } from '../../common/removable-objects.ts'
import { removedFieldChecks } from '../../common/removed-fields.ts'
import { type Family, familyNeeds, readFamily } from '../common/declared.ts'
import { familyChecks } from '../common/family.ts'
import { readOffered } from '../common/offered.ts'

const { squashTitle, hasDownloads } = embeddedRemovals
const { userSubscriptions } = changeEndpoints
/** Change 7 renames the default branch. */
const [deprecated, named] = ['master_branch', 'default_branch'] as const

/** Changes 5 and 12 on repositories, wherever the document names them only as a family. */
export default suite({
  area: 'versioning',
  endpoint: familyOf(5),
  checks: [
    ...familyChecks('repositories', squashTitle),
    ...familyChecks('repositories', hasDownloads),
    ...removedFieldChecks({
      id: 'versioning.user-subscriptions',
      endpoint: userSubscriptions,
      needs: { owner: role('owner') },
      fields: [hasDownloads],
      read: (t, { owner }) => readOffered(t, { endpoint: userSubscriptions, as: owner }),
    }),
    check({
      id: 'versioning.repositories.kept-use-squash-pr-title-as-default',
      requirement: 'versioning.change-5',
      level: earlyLevel(squashTitle),
      title: `keeps ${squashTitle.field} in full repository objects`,
      needs: familyNeeds(5),
      versions: [firstVersion],
      run: async (t, resolved) => expectSquashTitle(t, await repositoriesOf(t, resolved, 5)),
    }),
    check({
      id: 'versioning.repositories.kept-has-downloads',
      requirement: 'versioning.change-12',
      level: earlyLevel(hasDownloads),
      title: `keeps ${hasDownloads.field} in all repository objects of the same shape`,
      needs: familyNeeds(12),
      endpoint: familyOf(12),
      versions: [firstVersion],
      run: async (t, resolved) => expectKept(t, await repositoriesOf(t, resolved, 12), hasDownloads),
    }),
    check({
      id: 'versioning.repositories.default-branch-named',
      requirement: 'versioning.change-7',
      level: 'should',
      title: `includes ${named} in each full repository that has ${deprecated}`,
      needs: familyNeeds(5),
      versions: [latestVersion],
      run: async (t, resolved) => expectBranchNamed(t, await repositoriesOf(t, resolved, 5)),
    }),
  ],
})

/** The beta form may stay, beside the one that replaces it (readings V6); repositories within other objects need have neither. */
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

/** Only a whole repository must hold the field (readings V2); one in a list must where its like does. */
function expectSquashTitle(t: CheckContext, repositories: readonly Located<JsonObject>[]): void {
  const whole = repositories.filter(({ pointer }) => pointer === '')
  const shown = repositories.some(({ value }) => squashTitle.field in value)
  if (!shown && whole.length > 0) {
    t.expectAll(whole, 'repository').satisfy(
      squashTitle.field,
      () => false,
      () => 'none',
    )
  }
  expectKept(t, repositories, squashTitle)
}

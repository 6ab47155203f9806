import type { ChangeNumber } from '../../src/spec/change.ts'
import { changeEndpoints, familyOf } from '../../src/spec/change-endpoints.ts'
import { earlyLevel } from '../../src/spec/changes.ts'
import { firstVersion } from '../../src/spec/versions.ts'
import { check, suite } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { JsonObject, Located } from '../../src/suite/located.ts'
import { role } from '../../src/suite/needs.ts'
import { embeddedRemovals, objectsOf, removedFieldChecks } from '../common/removed-fields.ts'
import { type Family, familyNeeds, readFamily } from './declared.ts'
import { familyChecks } from './family.ts'
import { readOffered } from './offered.ts'

const { squashTitle, hasDownloads } = embeddedRemovals
const { userSubscriptions } = changeEndpoints

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
      run: async (t, resolved) => expectAlikeToHave(t, await repositoriesOf(t, resolved, 12), hasDownloads.field),
    }),
  ],
})

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
  expectAlikeToHave(t, repositories, squashTitle.field)
}

/** A repository that has all members of another one but this field has lost it early; one with other members is of a smaller kind (readings V2, V3). */
function expectAlikeToHave(t: CheckContext, repositories: readonly Located<JsonObject>[], field: string): void {
  const members = (object: JsonObject) =>
    Object.keys(object)
      .filter((key) => key !== field)
      .sort()
      .join(' ')
  const full = new Set(repositories.filter(({ value }) => field in value).map(({ value }) => members(value)))
  if (full.size === 0) t.untested(`no declared repository contains ${field}`, 'version-request')
  t.expectAll(
    repositories.filter(({ value }) => full.has(members(value))),
    'repository',
  ).satisfy(
    `${field}, as in other repositories with the same members`,
    (object) => field in object,
    () => 'none',
  )
}

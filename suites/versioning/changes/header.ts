import { anyAddress } from '../../../src/spec/change-endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { observeSilence } from '../common/observations.ts'
import { allForms, type Forms, followsHeader, signNeeds } from '../common/version-signs.ts'

/** Rule 2: the header selects the version. */
export default suite({
  area: 'versioning',
  endpoint: anyAddress,
  checks: [
    check({
      id: 'versioning.header.selects-version',
      requirement: 'versioning.header',
      level: 'must',
      title: 'returns the version that the version header selects',
      needs: signNeeds,
      schedule: 'across',
      detectsIgnoredVersion: true,
      run: async (t, resolved) => {
        await observeSilence(t, resolved.reader)
        versionsDiffer(t, await allForms(t, resolved))
      },
    }),
  ],
})

/** One answer that follows the header is enough; that none does takes two. */
function versionsDiffer(t: CheckContext, all: readonly Forms[]): void {
  const signs = all.filter(({ older, newer }) => older !== undefined && newer !== undefined)
  const following = signs.filter(followsHeader)
  if (following.length === 0 && signs.length < 2) t.untested('too few responses differ between the versions', 'version-request')
  if (following.length === 0) {
    const forms = new Set(signs.flatMap(({ older, newer }) => [older, newer]))
    const actual =
      forms.size === 1 ? `responses of ${[...forms][0]} whatever version is requested` : 'the same responses under both versions'
    t.deviation({
      expected: 'responses of the requested version',
      actual,
      exchanges: signs.flatMap(({ exchanges }) => exchanges),
    })
  }
  t.examined(following.length)
}

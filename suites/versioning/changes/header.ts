import { anyAddress } from '../../../src/spec/change-endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { observeSilence } from '../common/observations.ts'
import { allForms, type Forms, followsHeader, signNeeds } from '../common/version-signs.ts'

const header = operation({
  id: 'versioning.header',
  endpoint: anyAddress,
  needs: signNeeds,
  level: 'must',
  requirement: 'versioning.header',
  schedule: 'across',
})

/** Rule 2: the header selects the version. */
export default header.suite([
  header.check(
    'selects-version',
    'returns the version that the version header selects',
    { detectsIgnoredVersion: true },
    async (t, resolved) => {
      await observeSilence(t, resolved.reader)
      expectVersionsDiffer(t, await allForms(t, resolved))
    },
  ),
])

/** One response that follows the header suffices. Two are needed to prove that none does. */
function expectVersionsDiffer(t: CheckContext, all: readonly Forms[]): void {
  const signs = all.filter(({ older, newer }) => older !== undefined && newer !== undefined)
  const following = signs.filter(followsHeader)
  if (following.length === 0 && signs.length < 2) t.untested('too few responses differ between the versions', 'version-request')
  if (following.length === 0) {
    const forms = new Set(signs.flatMap(({ older, newer }) => [older, newer]))
    const same = 'the same responses under both versions'
    const actual = forms.size === 1 ? `responses of ${[...forms][0]} for any requested version` : same
    const exchanges = signs.flatMap((sign) => sign.exchanges)
    t.deviation({ expected: 'responses of the requested version', actual, exchanges })
  }
  t.examined(following.length)
}

import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { NoResponse } from '../../../src/http/exchange/no-response.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { anyAddress, changeEndpoints } from '../../../src/spec/changes/changes.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
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
      await observeOtherNames(t, resolved.reader)
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

/** Observes, without a verdict, the version of the response to a request that states neither version (readings V1). */
async function observeOtherNames(t: CheckContext, as: Caller): Promise<void> {
  const spec = { endpoint: changeEndpoints.rateLimit, as }
  await observeForm(t, 'no version header', { ...spec, version: null })
  await observeForm(t, 'unknown version', { ...spec, version: '1999-01-01' })
  await observeForm(t, 'malformed version', { ...spec, version: 'latest' })
}

async function observeForm(t: CheckContext, topic: string, spec: RequestSpec): Promise<void> {
  try {
    t.observe(topic, formOf(await t.send(spec)))
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error
    t.observe(topic, 'no response')
  }
}

function formOf({ status, json }: Exchange): string {
  if (status !== 200 || !isObject(json)) return `answered ${status}`
  return `answered ${status} in the form of ${'rate' in json ? firstVersion : latestVersion}`
}

import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { type ApiVersion, firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { everyTime } from '../../../src/suite/observe.ts'
import { expectNoServerError } from '../../common/access.ts'

/** The response to a request with a member that the newer version removes, and the sign of an effect. */
interface Attempt {
  readonly response: Exchange
  readonly hasEffect: boolean
  readonly exchanges: readonly Exchange[]
}

/** Sends the member under a version. */
type Attempting = (version: ApiVersion) => Promise<Attempt>

/** The newer version may refuse or ignore the member (readings V13). The control: it has an effect under the older version. */
export async function expectNoEffect(t: CheckContext, member: string, attempt: Attempting): Promise<void> {
  const control = await attempt(firstVersion)
  if (!control.hasEffect) t.untested(`${member} has no effect under ${firstVersion} either`)
  const finding = await everyTime(t, async () => {
    const { response, hasEffect, exchanges } = await attempt(latestVersion)
    expectNoServerError(t, response)
    return hasEffect ? { expected: `no effect of ${member}`, actual: 'an effect', exchanges } : undefined
  })
  if (finding) t.deviation(finding)
  t.examined(1)
}

/** The older version applies the member, once it accepts it. */
export async function expectEffect(t: CheckContext, member: string, attempt: Attempting): Promise<void> {
  const { response, hasEffect, exchanges } = await attempt(firstVersion)
  if (!response.ok) t.untested(`${member} was not accepted (${response.status})`)
  if (!hasEffect) t.deviation({ expected: `an effect of ${member}`, actual: 'none', exchanges })
  t.examined(1)
}

/** The older version accepts a request with the member, as it accepted one without it. */
export function expectAccepted(t: CheckContext, member: string, response: Exchange, control: Exchange): void {
  t.expect(response, control).satisfy(`${member} to be accepted`, response.ok, String(response.status))
}

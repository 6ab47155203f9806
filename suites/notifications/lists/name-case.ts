import { redirectTarget } from '../../../src/http/exchange/redirect.ts'
import type { Check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type ListAddress, Listing } from '../../../src/suite/listing.ts'
import { itemsOf } from '../../../src/suite/located.ts'
import type { NeedMap } from '../../../src/suite/needs.ts'
import { swapCase, unknownName } from '../../common/names.ts'
import { everything } from '../common/threads.ts'
import type { NotificationList } from './notification-list.ts'

/** Letter case in a repository's name makes no difference: stated for one feed, expected here too (readings C15). */
export function nameCaseChecks<Needs extends NeedMap>(list: NotificationList<Needs>): Check[] {
  const named = list.with({ requirement: 'notifications.repository.case-insensitive', level: 'should' })
  return (['owner', 'repo'] as const).map((parameter) =>
    named.check(`case-of-${parameter}`, `ignores the letter case of {${parameter}}`, (t, needs) =>
      expectCaseIgnored(t, list.at(needs), parameter),
    ),
  )
}

async function expectCaseIgnored(t: CheckContext, address: ListAddress, parameter: 'owner' | 'repo'): Promise<void> {
  const name = String(address.params?.[parameter])
  if (swapCase(name) === name) t.untested(`the value of {${parameter}} has no letters`)
  const named = (value: string) => new Listing(t, { ...address, params: { ...address.params, [parameter]: value } })
  const original = await named(name).page(everything)
  if (itemsOf(original).length === 0) t.untested('the list is empty, so it is like the list of an unknown name')
  const answer = await t.read(named(swapCase(name)).request(everything))
  if (redirectTarget(answer)?.sameOrigin === false) return t.examined(1)
  t.expect(answer).status(200).array()
  t.expect(answer, original).satisfy('the threads of the same list', itemsOf(answer).length > 0, 'an empty array')
  const unknown = await t.read(named(unknownName).request(everything))
  if (unknown.ok && itemsOf(unknown).length > 0) t.untested('a name that does not exist has threads as well')
}

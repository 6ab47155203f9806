import { redirectTarget } from '../../../src/http/exchange/redirect.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type ListAddress, Listing } from '../../../src/suite/listing.ts'
import { itemsOf } from '../../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../../src/suite/needs.ts'
import { swapCase, unknownName } from '../../common/names.ts'
import { everything } from '../common/threads.ts'

/** A list whose path names a repository. */
interface NamedList<Needs extends NeedMap> {
  readonly id: string
  readonly needs: Needs
  readonly at: (needs: Resolved<Needs>) => ListAddress
}

/** Letter case in a repository's name makes no difference: stated for one feed, expected here too (readings C15). */
export function nameCaseChecks<const Needs extends NeedMap>({ id, needs, at }: NamedList<Needs>): Check[] {
  return (['owner', 'repo'] as const).map((parameter) =>
    check({
      id: `${id}.case-of-${parameter}`,
      requirement: 'notifications.repository.case-insensitive',
      level: 'should',
      title: `ignores the letter case of {${parameter}}`,
      needs,
      run: async (t, resolved) => ignoresCase(t, at(resolved), parameter),
    }),
  )
}

async function ignoresCase(t: CheckContext, address: ListAddress, parameter: 'owner' | 'repo'): Promise<void> {
  const name = String(address.params?.[parameter])
  if (swapCase(name) === name) t.untested(`the value of {${parameter}} has no letters`)
  const named = (value: string) => new Listing(t, { ...address, params: { ...address.params, [parameter]: value } })
  const original = await named(name).page(everything)
  if (itemsOf(original).length === 0) t.untested('the list is empty, so it is not told from that of an unknown name')
  const answer = await t.read(named(swapCase(name)).request(everything))
  if (redirectTarget(answer)?.sameOrigin === false) return t.examined(1)
  t.expect(answer).status(200).array()
  if (itemsOf(answer).length === 0)
    t.deviation({ expected: 'the threads of the same list', actual: 'an empty array', exchanges: [original, answer] })
  const unknown = await t.read(named(unknownName).request(everything))
  if (unknown.ok && itemsOf(unknown).length > 0) t.untested('a name that does not exist has threads as well')
}

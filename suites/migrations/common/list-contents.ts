import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { isObject, itemsOf, type Located } from '../../../src/suite/located.ts'
import { idOf, sameGuid, stateOf } from './migration-state.ts'
import type { Started } from './start-request.ts'

/** The control of a count: a migration that was started is in the list, as itself (readings G15). */
export async function requireListed(t: CheckContext, owner: Caller, started: Started): Promise<void> {
  const { found } = await listedMigration(t, owner, idOf(t, started))
  if (!found) t.untested('the list does not contain a migration that was started, so a further one would not show')
  // A server that keeps nothing may give its id to the next one in the same second.
  if (!sameGuid(started.answer.json, found?.value))
    t.untested('the list contains another migration under the id of the started one')
}

/** A migration as the list returns it now, the pages that were read, and whether there were more (readings G14). */
export async function listedMigration(t: CheckContext, owner: Caller, id: number) {
  if (!Number.isSafeInteger(id)) t.untested(`the id ${id} is beyond 2^53, where numbers of JSON are not read exactly`)
  const address = { endpoint: endpoints.listMigrations, as: owner }
  const isIt = ({ value }: Located) => isObject(value) && value.id === id
  const { items, pages, cut } = await new Listing(t, address).walk({ fresh: true, enough: (page) => itemsOf(page).some(isIt) })
  return { found: items.find(isIt), pages, cut }
}

/** Ends the check as deviating where list and single migration tell different states. Reads the single migration before and after the list, since it may move on in between (readings G6). */
export async function stateAgrees(t: CheckContext, owner: Caller, id: number): Promise<void> {
  for (let tried = 0; tried < 3; tried += 1) {
    const before = await stateOf(t, owner, id)
    const { found } = await listedMigration(t, owner, id)
    if (!found) return t.untested('the list does not contain the migration')
    const { value, exchange } = found
    const after = await stateOf(t, owner, id)
    if (before.state === undefined || before.state !== after.state) continue
    const shown = isObject(value) ? value.state : undefined
    if (shown !== before.state) {
      t.deviation({ expected: before.state, actual: JSON.stringify(shown), exchanges: [before.answer, exchange] })
    }
    return t.examined(1)
  }
  return t.untested('the state of the migration changed during each reading')
}

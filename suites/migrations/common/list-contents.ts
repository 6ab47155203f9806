import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { isObject, itemsOf, type Located } from '../../../src/suite/located.ts'
import { soon } from '../../../src/suite/observe.ts'
import { idOf, sameGuid, stateOf } from './migration-state.ts'
import type { Started } from './start-request.ts'

/** The same for a migration that must be listed, in a certain state if one is given: the list may return it later (readings G16). */
export async function awaitListed(t: CheckContext, owner: Caller, id: number, state?: string) {
  const isAwaited = ({ value }: Located) => state === undefined || (isObject(value) && value.state === state)
  const isListed = ({ migration, cut }: Awaited<ReturnType<typeof listedMigration>>) => (migration ? isAwaited(migration) : cut)
  return (await soon(t, 'the migration to be listed', () => listedMigration(t, owner, id), isListed)).last
}

/** The control of a count: the list contains a migration that was started, as itself (readings G15). */
export async function requireListed(t: CheckContext, owner: Caller, started: Started): Promise<void> {
  const { migration } = await awaitListed(t, owner, idOf(t, started))
  if (!migration) t.untested('the list does not contain a migration that was started, so it need not contain a further one')
  // A server without storage may assign the same id again in the same second.
  if (!sameGuid(started.answer.json, migration?.value))
    t.untested('the list contains another migration under the id of the started one')
}

/** A migration as the list returns it now, the pages that were read, and whether there are more (readings G14). */
export async function listedMigration(t: CheckContext, owner: Caller, id: number) {
  if (!Number.isSafeInteger(id)) t.untested(`the id ${id} is beyond 2^53, where numbers of JSON are not read exactly`)
  const isIt = ({ value }: Located) => isObject(value) && value.id === id
  const enough = (page: Exchange) => itemsOf(page).some(isIt)
  const list = new Listing(t, { endpoint: endpoints.listMigrations, as: owner })
  const { items, pages, cut } = await list.walk({ fresh: true, enough })
  return { migration: items.find(isIt), pages, cut }
}

/** Ends the check as deviating if the list and the single migration return different states for good: the list may be late (readings G16). */
export async function expectSameState(t: CheckContext, owner: Caller, id: number): Promise<void> {
  const read = async () => {
    const { state, answer } = await stateOf(t, owner, id)
    if (state === undefined) t.untested(`the migration ${id} could not be read (${answer.status})`)
    const { migration } = await awaitListed(t, owner, id)
    const { exchange, value } = migration ?? t.untested('the list does not contain the migration')
    return { state, answer, exchange, listed: isObject(value) ? value.state : undefined }
  }
  const { last, met } = await soon(t, 'the states to agree', read, ({ state, listed }) => listed === state)
  t.expect(last.exchange, last.answer).satisfy(last.state, met, JSON.stringify(last.listed))
}

import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing, type Walk } from '../../../src/suite/listing.ts'
import { isObject, type Located } from '../../../src/suite/located.ts'
import { everyTime, policies, settled } from '../../../src/suite/observe.ts'

/** Flags that no other request of the suite combines: they identify a migration that a rejected request started. */
export const marked = { exclude_attachments: true, exclude_releases: true, exclude_owner_projects: true }

/**
 * Ends the check as deviating when rejected requests start migrations. Other programs may start some meanwhile, such as another
 * run. A new migration counts at once if it has the flags of the request; any other one counts if each repetition starts one and
 * the list stays unchanged without requests.
 */
export async function expectNoneStarted(
  t: CheckContext,
  owner: Caller,
  attempt: () => Promise<readonly Exchange[]>,
): Promise<void> {
  const list = new Listing(t, { endpoint: endpoints.listMigrations, as: owner })
  const read = () => list.walk({ fresh: true })
  let before = await read()
  const last = await everyTime(policies.repeat, async () => {
    const rejected = await attempt()
    const after = await read()
    const made = newIn(after, before)
    const expected = `${before.ids.length} migrations as before`
    const finding = { expected, actual: `${after.ids.length} migrations`, exchanges: rejected }
    if (made.some(({ value }) => isMarked(value))) t.deviation(finding)
    if (made.length === 0) return undefined
    const rest = await settled(t, 'the list of migrations to come to rest', read, (a, b) => newIn(b, a).length === 0)
    before = rest ?? t.untested('another program starts migrations meanwhile')
    return finding
  })
  if (last) t.deviation(last)
  t.examined(1)
}

function newIn(after: Walk, before: Walk): Located[] {
  const known = new Set(before.ids)
  return after.items.filter((_, index) => !known.has(after.ids[index] ?? ''))
}

function isMarked(migration: unknown): boolean {
  return isObject(migration) && Object.keys(marked).every((flag) => migration[flag] === true)
}

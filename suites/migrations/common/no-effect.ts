import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing, type Walk } from '../../../src/suite/listing.ts'
import { isObject, type Located } from '../../../src/suite/located.ts'

/** Flags that no other request of the suite combines: a migration that has them all was started by the rejected request. */
export const marked = { exclude_attachments: true, exclude_releases: true, exclude_owner_projects: true }

/** How often a rejected request must be followed by a new migration that does not have its flags. */
const repetitions = 3

/**
 * Ends the check as deviating when rejected requests start migrations. Somebody else may start some meanwhile, such as another
 * run: a new one counts at once where it has the flags of the request, and otherwise where one comes with each repetition and
 * none comes while nothing is sent.
 */
export async function startsNothing(t: CheckContext, owner: Caller, attempt: () => Promise<readonly Exchange[]>): Promise<void> {
  const list = new Listing(t, { endpoint: endpoints.listMigrations, as: owner })
  let before = await list.walk({ fresh: true })
  for (let times = 0; times < repetitions; times += 1) {
    const rejected = await attempt()
    const after = await list.walk({ fresh: true })
    const made = newIn(after, before)
    if (made.length === 0) return t.examined(1)
    if (made.some(({ value }) => isMarked(value)) || times === repetitions - 1) {
      const expected = `${before.items.length} migrations as before`
      return t.deviation({ expected, actual: `${after.items.length} migrations`, exchanges: rejected })
    }
    before = await restingWalk(t, list, after, rejected.length)
  }
}

/** The list as it is after as many readings as there were requests; ends the check when it grows by itself. */
async function restingWalk(t: CheckContext, list: Listing, before: Walk, readings: number): Promise<Walk> {
  await t.wait(1, 'the list of migrations to come to rest')
  let last = before
  for (let reading = 0; reading <= readings; reading += 1) last = await list.walk({ fresh: true })
  if (newIn(last, before).length > 0) t.untested('somebody else starts migrations meanwhile')
  return last
}

function newIn(after: Walk, before: Walk): Located[] {
  const known = new Set(before.ids)
  return after.items.filter((_, index) => !known.has(after.ids[index] ?? ''))
}

function isMarked(migration: unknown): boolean {
  return isObject(migration) && Object.keys(marked).every((flag) => migration[flag] === true)
}

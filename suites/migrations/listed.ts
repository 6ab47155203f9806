import type { Caller } from '../../src/http/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Listing } from '../../src/suite/listing.ts'
import { isObject } from '../../src/suite/located.ts'

/** A migration as the list returns it now, the pages that were read, and whether there were more (readings G14). */
export async function listedMigration(t: CheckContext, owner: Caller, id: number, version?: string) {
  const address = { endpoint: endpoints.listMigrations, as: owner, ...(version === undefined ? {} : { version }) }
  const { items, pages, cut } = await new Listing(t, address).walk({ fresh: true })
  return { found: items.find(({ value }) => isObject(value) && value.id === id), pages, cut }
}

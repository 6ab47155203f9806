import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type ListAddress, Listing } from '../../../src/suite/listing.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, optional, type Resolved } from '../../../src/suite/needs.ts'
import { pagingChecks } from '../../common/paging.ts'
import { exportedMigration } from '../../common/recorded.ts'
import { embeddedRemovals, topLevelOf } from '../../common/removable-objects.ts'
import { removedFieldChecks } from '../../common/removed-fields.ts'
import { servedChecks } from '../../common/served.ts'
import { accessChecks, expectNotServed } from '../common/access.ts'
import { bodyOf, expectNoStrangers, expectRepositories } from '../common/forms.ts'
import { exported, idOf, type MigrationNeeds, needs, plain, progress } from '../common/migration-state.ts'
import { unknownMigration } from '../common/unknown.ts'

const id = 'migrations.repositories'
const endpoint = endpoints.listMigrationRepositories
const manyNeeds = { owner: needs.owner, many: need('many-repositories') }

function address(owner: Caller, migration: number): ListAddress {
  return { endpoint, params: { migration_id: migration }, as: owner, identify }
}

function request(as: Caller, migration: number): RequestSpec {
  return { endpoint, params: { migration_id: migration }, as }
}

const at = ({ owner, many }: { owner: Caller; many: { migration_id: number } }) => address(owner, many.migration_id)

/** A migration of many repositories decides more; any that is listed will do for most claims. */
const anyNeeds = { owner: needs.owner, many: optional(manyNeeds.many) }

async function anywhere({ owner, many }: Resolved<typeof anyNeeds>, t: CheckContext): Promise<ListAddress> {
  if (many) return at({ owner, many })
  const { items } = await new Listing(t, { endpoint: endpoints.listMigrations, as: owner }).walk()
  const found = exportedMigration(items)
  if (!found) return t.untested('the list contains no migration', 'many-repositories')
  return address(owner, Number(found.id))
}

/** Which fields a repository keeps is open: it is told apart by any that names it (readings E11). */
function identify(item: unknown): string {
  if (!isObject(item)) return JSON.stringify(item)
  const { id, full_name, name } = item
  return JSON.stringify((Number.isSafeInteger(id) ? id : undefined) ?? full_name ?? name ?? item)
}

export default suite({
  area: 'migrations',
  endpoint,
  checks: [
    ...servedChecks({ id, needs: anyNeeds, requirement: 'migrations.repositories.status', at: anywhere }),
    check({
      id: `${id}.shape`,
      requirement: 'migrations.repositories.shape',
      level: 'must',
      title: 'returns every repository as an object',
      needs: anyNeeds,
      run: async (t, resolved) => {
        const { items } = await new Listing(t, await anywhere(resolved, t)).walk()
        t.expectAll(items, 'repository').match('migration-repository')
      },
    }),
    check({
      id: `${id}.migrated`,
      requirement: 'migrations.repositories.migrated',
      level: 'must',
      title: 'lists exactly the migrated repository once it is exported',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const started = await plain(t, resolved)
        const list = new Listing(t, address(resolved.owner, idOf(t, started)))
        expectNoStrangers(t, bodyOf(await list.page()), started.repositories)
        await exported(t, resolved.owner, started)
        expectRepositories(t, bodyOf(await list.freshPage()), started.repositories)
      },
    }),
    ...pagingChecks({ id, paging: endpoint.paging, needs: manyNeeds, at }),
    unknownMigration({
      id,
      requirement: 'migrations.repositories.unknown',
      needs,
      request,
      served: async (t, resolved) => (await ownOf(t, resolved)).ok,
    }),
    check({
      id: `${id}.foreign`,
      requirement: 'migrations.access.own',
      level: 'must',
      title: "rejects a request for another user's migration",
      conclusive: true,
      needs: { ...needs, foreign: need('foreign-migration') },
      writes: true,
      run: async (t, { foreign, ...resolved }) => {
        const { ok, status } = await ownOf(t, resolved)
        if (!ok) t.untested(`the request fails for the caller's own migration as well (${status})`)
        expectNotServed(t, await t.read(request(resolved.owner, foreign.migration_id)))
      },
    }),
    ...accessChecks({
      id,
      needs,
      requirement: 'migrations.repositories.unauthenticated',
      listed401: false,
      ofOneMigration: true,
      request: async (t, resolved) => {
        const { ok, status } = await ownOf(t, resolved)
        if (!ok) t.untested(`the request fails for the owner as well (${status})`)
        const wanted = idOf(t, await plain(t, resolved))
        return (as) => request(as, wanted)
      },
    }),
    ...removedFieldChecks({
      id,
      endpoint,
      needs,
      fields: [embeddedRemovals.squashTitle, embeddedRemovals.hasDownloads],
      also: topLevelOf,
      read: ownOf,
    }),
  ],
})

/** The repositories of the caller's own migration, by the same request (readings G15); before the export there may be none (readings E25). */
async function ownOf(t: CheckContext, { owner, ...resolved }: MigrationNeeds): Promise<Exchange> {
  const wanted = idOf(t, await plain(t, { owner, ...resolved }))
  await progress(t, owner, wanted)
  return t.shared('repositories after the export', (shared) => shared.send(request(owner, wanted)))
}

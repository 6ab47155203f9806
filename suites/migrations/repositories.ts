import type { Caller } from '../../src/http/caller.ts'
import type { RequestSpec } from '../../src/http/client.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { check, suite } from '../../src/suite/check.ts'
import { type ListAddress, Listing } from '../../src/suite/listing.ts'
import { isObject } from '../../src/suite/located.ts'
import { need } from '../../src/suite/needs.ts'
import { pagingChecks } from '../common/paging.ts'
import { embeddedRemovals, removedFieldChecks, topLevelOf } from '../common/removed-fields.ts'
import { servedChecks } from '../common/served.ts'
import { accessChecks, expectNotServed } from './access.ts'
import { bodyOf, expectRepositories } from './forms.ts'
import { repositoryFieldsCheck } from './repository-fields.ts'
import { idOf, needs, plain } from './started.ts'
import { unknownMigration } from './unknown.ts'

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

/** Which fields a repository keeps is open: it is told apart by any that names it (readings E11). */
function identify(item: unknown): string {
  if (!isObject(item)) return JSON.stringify(item)
  return JSON.stringify(item.id ?? item.full_name ?? item.name ?? item)
}

export default suite({
  area: 'migrations',
  endpoint,
  checks: [
    ...servedChecks({ id, needs: manyNeeds, requirement: 'migrations.repositories.status', at }),
    check({
      id: `${id}.shape`,
      requirement: 'migrations.repositories.shape',
      level: 'must',
      title: 'returns every repository as an object',
      needs: manyNeeds,
      run: async (t, resolved) => {
        const { items } = await new Listing(t, at(resolved)).walk()
        t.expectAll(items, 'repository').match('migration-repository')
      },
    }),
    check({
      id: `${id}.migrated`,
      requirement: 'migrations.repositories.migrated',
      level: 'must',
      title: 'lists exactly the migrated repository',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const started = await plain(t, resolved)
        const list = new Listing(t, address(resolved.owner, idOf(t, started)))
        expectRepositories(t, bodyOf(await list.page()), started.repositories)
      },
    }),
    ...pagingChecks({ id, paging: endpoint.paging, needs: manyNeeds, at }),
    unknownMigration({
      id,
      requirement: 'migrations.repositories.unknown',
      request,
    }),
    check({
      id: `${id}.foreign`,
      requirement: 'migrations.access.own',
      level: 'must',
      title: "rejects a request for another user's migration",
      conclusive: true,
      needs: { owner: needs.owner, foreign: need('foreign-migration') },
      run: async (t, { owner, foreign }) => expectNotServed(t, await t.read(request(owner, foreign.migration_id))),
    }),
    ...accessChecks({
      id,
      needs,
      requirement: 'migrations.repositories.unauthenticated',
      listed401: false,
      ofOneMigration: true,
      request: async (t, resolved) => {
        const wanted = idOf(t, await plain(t, resolved))
        await new Listing(t, address(resolved.owner, wanted)).page()
        return (as) => request(as, wanted)
      },
    }),
    repositoryFieldsCheck({
      id,
      read: async (t, resolved, version) => {
        const spec = request(resolved.owner, idOf(t, await plain(t, resolved)))
        return (await t.read({ ...spec, ...(version === undefined ? {} : { version }) })).json
      },
    }),
    ...removedFieldChecks({
      id,
      endpoint,
      needs,
      fields: [embeddedRemovals.squashTitle, embeddedRemovals.hasDownloads],
      also: topLevelOf,
      read: async (t, resolved) => t.read(request(resolved.owner, idOf(t, await plain(t, resolved)))),
    }),
  ],
})

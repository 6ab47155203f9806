import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange, SentRequest } from '../../../src/http/exchange/exchange.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, optional, type Resolved } from '../../../src/suite/needs.ts'
import { briefly, sendUntil } from '../../../src/suite/observe.ts'
import { expectNoServerError } from '../../common/access.ts'
import { pagingChecks } from '../../common/paging.ts'
import { unlessUntested } from '../../common/proof.ts'
import { embeddedRemovals, removedFieldChecks, topLevelOf } from '../../common/removed-fields.ts'
import { exportedMigration, servedChecks } from '../../common/served.ts'
import { accessChecks, foreignMigration, unknownMigration } from '../common/access.ts'
import { bodyOf, expectNoStrangers, expectRepositories, membersOf } from '../common/forms.ts'
import { migrationsOfTwo } from '../common/lock-state.ts'
import * as migrated from '../common/migration-state.ts'
import { requestOf, type Started } from '../common/start-request.ts'
import * as made from '../common/started-migrations.ts'

const endpoint = endpoints.listMigrationRepositories
const repositories = made.onMigrations('repositories', endpoint, made.needs)
const many = need('many-repositories')

/** A migration of many repositories decides more; any listed one suffices for most claims. */
const anyNeeds = { owner: made.needs.owner, many: optional(many) }
const any = repositories.with({ needs: anyNeeds, writes: false })

const request = requestOf(endpoint)
const address = (as: Caller, migration_id: number) => ({
  ...request(as, migration_id),
  identify,
})

async function anywhere({ owner, many: given }: Resolved<typeof anyNeeds>, t: CheckContext) {
  if (given) return address(owner, given.migration_id)
  const { items } = await new Listing(t, { endpoint: endpoints.listMigrations, as: owner }).walk()
  const migration =
    exportedMigration(items) ?? t.untested('the list contains no migration', 'many-repositories')
  return address(owner, Number(migration.id))
}

/** Identifies a repository by its id or its full name, else by all its fields: two owners may have one name (readings E11). */
function identify(item: unknown) {
  if (!isObject(item)) return JSON.stringify(item)
  const { id, full_name } = item
  return JSON.stringify((Number.isSafeInteger(id) ? id : undefined) ?? full_name ?? item)
}

export default repositories.suite([
  ...servedChecks(any, { requirement: 'migrations.repositories.status', at: anywhere }),
  any.check('shape', 'returns every repository as an object', async (t, resolved) => {
    const { items } = await new Listing(t, await anywhere(resolved, t)).walk()
    t.expectAll(items, 'repository').match('migration-repository')
  }),
  repositories.check(
    'migrated',
    'lists exactly the migrated repositories once exported, even after an unlock',
    {
      also: {
        ...made.mayBeTwo,
        many: optional(many),
        ...made.endedMigrations,
      },
      schedule: 'afterwards',
    },
    async (t, resolved, { second, many: given, expired, failed }) => {
      const several = await migrationsOfTwo(t, resolved, second)
      const started = [await made.plain(t, resolved), ...several]
      for (const each of started) await expectMigrated(t, resolved.owner, each)
      const further = [
        await made.metadataOnly(t, resolved.owner),
        await made.flagged(t, resolved, 'exclude_git_data'),
      ]
      for (const each of further)
        if (each.id !== started[0]?.id)
          await unlessUntested(expectMigrated(t, resolved.owner, each))
      for (const each of [given, expired])
        if (each) await unlessUntested(expectAllContained(t, resolved.owner, each.migration_id))
      if (failed) expectNoServerError(t, await t.send(request(resolved.owner, failed.migration_id)))
    },
  ),
  ...pagingChecks(any.with({ needs: { owner: made.needs.owner, many } }), {
    paging: endpoint.paging,
    at: (resolved) => address(resolved.owner, resolved.many.migration_id),
  }),
  unknownMigration(repositories, { request, readOwn }),
  foreignMigration(repositories, { request, readOwn }),
  ...accessChecks(repositories, async (t, resolved) => {
    const { ok, status } = await readOwn(t, resolved)
    if (!ok) t.untested(`the request fails for the owner as well (${status})`)
    const wanted = await made.plainId(t, resolved)
    return (as) => request(as, wanted)
  }),
  ...removedFieldChecks(repositories.with({ writes: false }), {
    fields: [embeddedRemovals.squashTitle, embeddedRemovals.hasDownloads],
    also: topLevelOf,
    read: readOwn,
  }),
])

async function expectMigrated(t: CheckContext, owner: Caller, started: Started) {
  const reading = request(owner, made.idOf(t, started))
  const early = await sendUntil(t, reading)
  expectNoServerError(t, early)
  if (early.status !== 200) t.untested(`the response was ${early.status}`)
  // In any state, also in that of an earlier request (readings E25).
  const isSame = ({ as, url }: SentRequest) =>
    as === owner.label && url.startsWith(early.request.url)
  const lists = t
    .recorded(endpoint)
    .filter(({ status, request }) => status === 200 && isSame(request))
  for (const response of lists) expectNoStrangers(t, bodyOf(response), started.repositories)
  await migrated.exported(t, owner, started)
  const isWhole = (response: Exchange) => response.count === started.repositories.length
  expectRepositories(t, bodyOf(await sendUntil(t, reading, isWhole)), started.repositories)
}

/** An exported migration contains as many repositories as its list. */
async function expectAllContained(t: CheckContext, owner: Caller, id: number) {
  const { state, response } = await migrated.stateOf(t, owner, id)
  const { ids, pages, end, cut } = await new Listing(t, address(owner, id)).walk()
  const { migration } = await migrated.awaitListed(t, owner, id)
  for (const { value } of membersOf(
    [bodyOf(response), ...(migration ? [migration] : [])],
    'repositories',
  )) {
    if (state !== 'exported' || cut || !Array.isArray(value)) continue
    t.expect(response, ...pages, ...end).satisfy(
      'as many repositories in the migration as in GET …/repositories',
      value.length === ids.length,
      `${value.length} and ${ids.length}`,
    )
  }
}

/** Reads the repositories of the caller's own migration (readings G15), after its export, since there may be none before (readings E25). */
async function readOwn(t: CheckContext, { owner, ...resolved }: made.MigrationNeeds) {
  const wanted = made.idOf(t, await made.plain(t, { owner, ...resolved }))
  await migrated.progress(t, owner, wanted)
  const isFilled = (response: Exchange) => response.count > 0
  return t.shared('repositories after the export', (shared) =>
    sendUntil(shared, request(owner, wanted), isFilled, briefly),
  )
}

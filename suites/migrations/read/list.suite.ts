import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { isObject } from '../../../src/suite/located.ts'
import { need, optional, role } from '../../../src/suite/needs.ts'
import type { Touch } from '../../../src/suite/touch.ts'
import { pagingChecks } from '../../common/paging.ts'
import { embeddedRemovals, removedFieldChecks } from '../../common/removed-fields.ts'
import { recordedItems, servedChecks } from '../../common/served.ts'
import { accessChecks } from '../common/access.ts'
import { flagsCheck, identityCheck, migrationChecks } from '../common/every-migration.ts'
import { bodyOf, membersOf, migratedRepositories } from '../common/forms.ts'
import { migrationsOfTwo } from '../common/lock-state.ts'
import {
  awaitListed,
  expectSameState,
  isAnother,
  listedMigration,
  progress,
  stateOf,
} from '../common/migration-state.ts'
import { firstStarts, idIn } from '../common/start-request.ts'
import {
  endedMigrations,
  flagged,
  idOf,
  idsOfEnded,
  mayBeTwo,
  metadataOnly,
  needs,
  onMigrations,
  plain,
  plainId,
} from '../common/started-migrations.ts'

const endpoint = endpoints.listMigrations
const { owner } = needs
const list = onMigrations('list', endpoint, needs)
const readOnly = list.with({ needs: { owner }, writes: false })
const recorded = list.with({
  needs: { owner, repository: optional(needs.repository) },
  schedule: 'afterwards',
})
/** The list contains a migration that has ended for as long as the migration can be read, with or without its archive. */
const ended = readOnly.with({ requirement: 'migrations.list.ended' })
const states = list.with({ requirement: 'migrations.list.state' })
const held = list.with({ requirement: 'migrations.list.own', schedule: 'afterwards' })
const at = ({ owner: as }: { owner: Caller }) => ({ endpoint, as })

/** Only these checks use the list in this way: they run beside each other, while no other check starts a migration. */
const restingList: readonly Touch[] = [{ what: 'migrations', how: 'changes-part' }]
const paged = readOnly.with({
  needs: { owner, many: need('many-migrations') },
  schedule: 'alone',
  touches: restingList,
})

export default list.suite([
  ...servedChecks(readOnly, { requirement: 'migrations.list.status', at }),
  ...migrationChecks(recorded, async (t, { owner, repository }) => {
    const { id: started } = repository ? await plain(t, { owner, repository }) : {}
    if (started !== undefined) await progress(t, owner, started)
    await t.shared('listed migrations', (shared) =>
      new Listing(shared, at({ owner })).walk({ fresh: true }),
    )
    return recordedItems(t, endpoint)
  }),
  held.check('holds-started', 'includes every migration that was started', async (t, resolved) => {
    const wanted = await plainId(t, resolved)
    const other = idOf(t, await flagged(t, resolved, 'exclude_releases'))
    if (wanted === other) t.untested('two different migrations were started under one id')
    await metadataOnly(t, resolved.owner)
    const { items } = await new Listing(t, at(resolved)).walk({ fresh: true })
    const listed = new Set(items.map(({ value }) => isObject(value) && value.id))
    for (const { response } of await firstStarts(t)) {
      const id = idIn(response)
      if (id === undefined || listed.has(id)) t.examined(1)
      else await expectListed(t, resolved.owner, id)
    }
  }),
  ...(['failed', 'expired'] as const).map((name) =>
    ended
      .with({
        needs: { owner, migration: need(`${name}-migration`) },
        level: name === 'failed' ? 'must' : 'should',
      })
      .check(`holds-${name}`, `includes a migration that has ${name}`, (t, needs) =>
        expectListed(t, needs.owner, needs.migration.migration_id),
      ),
  ),
  ended
    .with({ needs: { owner, ...endedMigrations } })
    .check(
      'state-agrees-once-ended',
      'returns the same state as for the single migration once it has ended',
      'migrations.list.state',
      async (t, needs) => {
        const ids = idsOfEnded(needs)
        if (ids.length === 0) t.untested('no migration is known that has ended', 'failed-migration')
        for (const id of ids) await expectSameState(t, needs.owner, id)
      },
    ),
  identityCheck(list, endpoint),
  flagsCheck(list, endpoint),
  states.check(
    'state-agrees',
    'returns the same state in the list as for the single migration, of each kind',
    { also: mayBeTwo },
    async (t, resolved, { second }) => {
      const { owner } = resolved
      const several = await migrationsOfTwo(t, resolved, second)
      const starts = [await plain(t, resolved), await metadataOnly(t, owner), ...several]
      for (const id of starts.flatMap(({ id }) => id ?? [])) {
        await progress(t, owner, id)
        await expectSameState(t, owner, id)
      }
    },
  ),
  held.check(
    'own-only',
    'omits migrations of other users',
    { also: { outsider: role('outsider') } },
    async (t, resolved, { outsider }) => {
      const first = await plain(t, resolved)
      const started = idOf(t, first)
      const { migration: leak, pages } = await listedMigration(t, outsider, started)
      // Ids may be unique for each user only.
      if (leak && !isAnother(first.response.json, leak.value))
        t.expect(leak.exchange).satisfy(
          'only migrations of the caller',
          false,
          `the migration ${started}`,
        )
      t.examined(pages.length)
      await new Listing(t, at(resolved)).page({ per_page: endpoint.paging.max })
      const mine = recordedItems(t, endpoint).filter(
        ({ exchange }) => exchange.request.as === resolved.owner.label,
      )
      const owners = membersOf(mine, 'owner')
      const self = membersOf([bodyOf(first.response)], 'owner')[0]?.value
      const named = (owner: unknown) => `the owner ${namesOf(owner).join(' ')}`
      const isSelf = (owner: unknown) =>
        namesOf(owner).some((name, index) => name === namesOf(self)[index])
      if (isObject(self) && owners.length > 0)
        t.expectAll(owners, 'owner').satisfy(named(self), isSelf, named)
    },
  ),
  ...pagingChecks(paged, { paging: endpoint.paging, at }),
  ...accessChecks(readOnly, async (t, { owner }) => {
    await new Listing(t, at({ owner })).page()
    return (as) => ({ endpoint, as })
  }),
  ...removedFieldChecks(list.with({ writes: false }), {
    fields: [embeddedRemovals.squashTitle, embeddedRemovals.hasDownloads],
    also: migratedRepositories,
    read: async (t, resolved) => {
      await plain(t, resolved)
      await new Listing(t, at(resolved)).freshPage()
    },
  }),
])

/** The login of a user in lower case, and the id: older migrations may have a former login. */
const namesOf = (user: unknown) =>
  isObject(user) ? [String(user.login).toLowerCase(), user.id] : []

/** A migration that can be read is in the list as well. */
async function expectListed(t: CheckContext, owner: Caller, id: number) {
  const { state, response } = await stateOf(t, owner, id)
  if (state === undefined) t.untested(`the migration ${id} could not be read (${response.status})`)
  const { migration, pages, cut } = await awaitListed(t, owner, id)
  if (!migration && cut) t.untested('the list has more pages than a check reads')
  t.expect(response, ...pages).satisfy(
    `the migration ${id}, which is ${state}`,
    migration !== undefined,
    'only other migrations',
  )
}

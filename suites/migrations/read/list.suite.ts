import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { type Check, check, suite } from '../../../src/suite/check.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { need, optional, role } from '../../../src/suite/needs.ts'
import type { Touch } from '../../../src/suite/touch.ts'
import { pagingChecks } from '../../common/paging.ts'
import { recordedItems } from '../../common/recorded.ts'
import { embeddedRemovals } from '../../common/removable-objects.ts'
import { removedFieldChecks } from '../../common/removed-fields.ts'
import { servedChecks } from '../../common/served.ts'
import { accessChecks } from '../common/access.ts'
import { endedChecks, expectListed } from '../common/ended.ts'
import { identityCheck, migrationChecks } from '../common/every-migration.ts'
import { expectFlag, harmless, sentFlags } from '../common/flags.ts'
import { listedMigration, stateAgrees } from '../common/list-contents.ts'
import { migratedRepositories } from '../common/migrated-repositories.ts'
import { flagged, idOf, isAnother, metadataOnly, needs, plain, progress } from '../common/migration-state.ts'

const id = 'migrations.list'
const endpoint = endpoints.listMigrations
const at = ({ owner }: { owner: Caller }) => ({ endpoint, as: owner })

/** Of all checks, these alone treat the list so: they run beside each other, while none starts a migration. */
const restingList: readonly Touch[] = [{ what: 'migrations', how: 'changes-part' }]

export default suite({
  area: 'migrations',
  endpoint,
  checks: [
    ...servedChecks({ id, needs: { owner: needs.owner }, requirement: 'migrations.list.status', at }),
    ...migrationChecks({
      id,
      needs: { owner: needs.owner, repository: optional(needs.repository) },
      read: async (t, { owner, repository }) => {
        const { id: started } = repository ? await plain(t, { owner, repository }) : {}
        if (started !== undefined) await progress(t, owner, started)
        await t.shared('listed migrations', (shared) => new Listing(shared, at({ owner })).walk({ fresh: true }))
        return recordedItems(t, endpoint)
      },
      schedule: 'afterwards',
    }),
    check({
      id: `${id}.holds-started`,
      requirement: 'migrations.list.own',
      level: 'must',
      title: 'includes a migration that was started',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const { owner } = resolved
        const started = await plain(t, resolved)
        const wanted = idOf(t, started)
        const other = idOf(t, await flagged(t, resolved, 'exclude_releases'))
        if (wanted === other) t.untested('two different migrations were started under one id')
        const { found, pages, cut } = await listedMigration(t, owner, wanted)
        if (!found && cut) t.untested('the list is longer than the most pages that are read')
        if (!found) t.deviation({ expected: `the migration ${wanted}`, actual: 'only other migrations', exchanges: pages })
        if (isAnother(started.answer.json, found?.value)) t.untested(`the migration ${wanted} in the list is another one`)
        const { id: bare } = await metadataOnly(t, owner)
        if (bare !== undefined) await expectListed(t, owner, bare)
        t.examined(1)
      },
    }),
    ...endedChecks(id),
    identityCheck({
      id,
      read: async (t, resolved) => {
        const wanted = idOf(t, await plain(t, resolved))
        const early = await listedMigration(t, resolved.owner, wanted)
        await progress(t, resolved.owner, wanted)
        return [early, await listedMigration(t, resolved.owner, wanted)].flatMap(({ found }) => found ?? [])
      },
    }),
    check({
      id: `${id}.keeps-flags`,
      requirement: 'migrations.start.echo',
      level: 'must',
      title: 'keeps the flags as they were sent',
      needs,
      writes: true,
      run: async (t, resolved) => {
        for (const sent of sentFlags) {
          const wanted = idOf(t, await flagged(t, resolved, ...sent))
          const early = await listedMigration(t, resolved.owner, wanted)
          await progress(t, resolved.owner, wanted)
          const shown = [early, await listedMigration(t, resolved.owner, wanted)].flatMap(({ found }) => found ?? [])
          for (const flag of harmless) for (const found of shown) expectFlag(t, found, flag, sent.includes(flag))
        }
      },
    }),
    check({
      id: `${id}.state-agrees`,
      requirement: 'migrations.list.state',
      level: 'must',
      title: 'returns the same state in the list as for the single migration',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const started = idOf(t, await plain(t, resolved))
        await progress(t, resolved.owner, started)
        await stateAgrees(t, resolved.owner, started)
      },
    }),
    check({
      id: `${id}.own-only`,
      requirement: 'migrations.list.own',
      level: 'must',
      title: 'omits migrations of other users',
      needs: { ...needs, outsider: role('outsider') },
      writes: true,
      run: async (t, { outsider, ...resolved }) => {
        const started = idOf(t, await plain(t, resolved))
        const { found: leaked, pages } = await listedMigration(t, outsider, started)
        if (leaked)
          t.deviation({
            expected: 'only migrations of the caller',
            actual: `the migration ${started}`,
            exchanges: [leaked.exchange],
          })
        t.examined(pages.length)
      },
    }),
    ...pagingChecks({
      id,
      paging: endpoint.paging,
      needs: { owner: needs.owner, many: need('many-migrations') },
      at,
    }).map((paged): Check => ({ ...paged, schedule: 'alone', touches: restingList })),
    ...accessChecks({
      id,
      needs: { owner: needs.owner },
      requirement: 'migrations.list.unauthenticated',
      listed401: true,
      ofOneMigration: false,
      writes: false,
      request: async (t, { owner }) => {
        await new Listing(t, at({ owner })).page()
        return (as) => ({ endpoint, as })
      },
    }),
    ...removedFieldChecks({
      id,
      endpoint,
      needs,
      fields: [embeddedRemovals.squashTitle, embeddedRemovals.hasDownloads],
      also: migratedRepositories,
      read: async (t, resolved) => {
        await plain(t, resolved)
        await new Listing(t, at(resolved)).freshPage()
      },
    }),
  ],
})

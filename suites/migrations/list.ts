import type { Caller } from '../../src/http/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { type Check, check, suite } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Listing } from '../../src/suite/listing.ts'
import { isObject, type Located } from '../../src/suite/located.ts'
import { need, role } from '../../src/suite/needs.ts'
import { pagingChecks } from '../common/paging.ts'
import { embeddedRemovals } from '../common/removable-objects.ts'
import { removedFieldChecks } from '../common/removed-fields.ts'
import { servedChecks } from '../common/served.ts'
import { accessChecks } from './access.ts'
import { migrationChecks } from './every-migration.ts'
import { migratedRepositories, repositoryFieldsCheck } from './repository-fields.ts'
import { idOf, needs, plain, progress, stateOf } from './started.ts'

const id = 'migrations.list'
const endpoint = endpoints.listMigrations
const at = ({ owner }: { owner: Caller }) => ({ endpoint, as: owner })

export default suite({
  area: 'migrations',
  endpoint,
  checks: [
    ...servedChecks({ id, needs: { owner: needs.owner }, requirement: 'migrations.list.status', at }),
    ...migrationChecks({
      id,
      read: async (t, { owner, repository }) => {
        await plain(t, { owner, repository })
        const walk = await t.shared('listed migrations', (shared) => new Listing(shared, at({ owner })).walk({ fresh: true }))
        return walk.items
      },
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
        const started = idOf(t, await plain(t, resolved))
        const { found, pages } = await listed(t, owner, started)
        if (!found) t.deviation({ expected: `the migration ${started}`, actual: 'only other migrations', exchanges: pages })
        t.examined(1)
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
        const { items, pages } = await new Listing(t, at({ owner: outsider })).walk()
        const leaked = items.find(({ value }) => isObject(value) && value.id === started)
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
    }).map((paged): Check => ({ ...paged, schedule: 'alone' })),
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
    repositoryFieldsCheck({
      id,
      read: async (t, resolved, version) => {
        const started = idOf(t, await plain(t, resolved))
        return repositoriesOf((await listed(t, resolved.owner, started, version)).found)
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

function repositoriesOf(found: Located | undefined): unknown {
  return isObject(found?.value) ? found.value.repositories : undefined
}

/** The migration as the list shows it, and the pages that were read. */
async function listed(t: CheckContext, owner: Caller, id: number, version?: string) {
  const list = new Listing(t, { ...at({ owner }), ...(version === undefined ? {} : { version }) })
  const { items, pages } = await list.walk({ fresh: true })
  return { found: items.find(({ value }) => isObject(value) && value.id === id), pages }
}

/** Reads the single migration before and after the list, since it may move on in between (readings G6). */
async function stateAgrees(t: CheckContext, owner: Caller, id: number): Promise<void> {
  for (let tried = 0; tried < 3; tried += 1) {
    const before = await stateOf(t, owner, id)
    const { found } = await listed(t, owner, id)
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

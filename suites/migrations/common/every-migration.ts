import { endpoints } from '../../../src/spec/endpoints.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../../src/suite/needs.ts'
import { show } from '../../../src/text/show.ts'
import { endsWith } from '../../common/names.ts'
import { hasNumericOffset, isState, isUuid, membersOf, observeState } from './forms.ts'
import { idOf, needs, plain } from './migration-state.ts'

/** Where migrations are answered, and how the checks get at them. */
export interface MigrationSource<Needs extends NeedMap> {
  /** The `area.operation` that the checks' ids begin with. */
  readonly id: string
  readonly needs: Needs
  readonly read: (t: CheckContext, resolved: Resolved<Needs>) => Promise<readonly Located[]>
  /** Where they are what the whole run has read. */
  readonly schedule?: 'afterwards'
}

/** What the document asks of every migration, wherever it is answered. */
export function migrationChecks<const Needs extends NeedMap>({ id, needs, read, schedule }: MigrationSource<Needs>): Check[] {
  const common = { needs, writes: true, ...(schedule ? { schedule } : {}) }
  return [
    check({
      id: `${id}.shape`,
      requirement: 'migrations.migration.shape',
      level: 'must',
      title: 'returns migrations with the documented fields and types',
      ...common,
      run: async (t, resolved) => void t.expectAll(await read(t, resolved), 'migration').match('migration'),
    }),
    check({
      id: `${id}.guid`,
      requirement: 'migrations.migration.guid',
      level: 'must',
      title: 'returns a UUID as guid',
      ...common,
      run: async (t, resolved) => {
        const guids = membersOf(await read(t, resolved), 'guid')
        t.expectAll(guids, 'guid').satisfy('a UUID', isUuid)
      },
    }),
    check({
      id: `${id}.url`,
      requirement: 'migrations.migration.url',
      level: 'should',
      title: 'returns the URL of the migration as url',
      ...common,
      run: async (t, resolved) => {
        const migrations = (await read(t, resolved)).filter(({ value }) => isObject(value) && 'url' in value && isExact(value.id))
        t.expectAll(migrations, 'migration').satisfy(
          'an address that ends with the path of the migration',
          leadsToItself(t),
          urlOf,
        )
      },
    }),
    check({
      id: `${id}.timestamps`,
      requirement: 'migrations.migration.timestamps',
      level: 'must',
      title: 'returns timestamps with a numeric offset from UTC',
      ...common,
      run: async (t, resolved) => {
        const migrations = await read(t, resolved)
        const instants = ['created_at', 'updated_at'].flatMap((name) => membersOf(migrations, name))
        t.expectAll(instants, 'timestamp').satisfy('an ISO 8601 timestamp with a numeric UTC offset', hasNumericOffset)
      },
    }),
    check({
      id: `${id}.state`,
      requirement: 'migrations.migration.state',
      level: 'must',
      title: 'returns each documented state in its documented spelling',
      ...common,
      run: async (t, resolved) => {
        const states = membersOf(await read(t, resolved), 'state')
        for (const { value } of states) observeState(t, value)
        t.expectAll(states, 'state').satisfy('pending, exporting, exported, failed, or an undocumented state', isState)
      },
    }),
  ]
}

function leadsToItself(t: CheckContext): (migration: unknown) => boolean {
  const path = t.spelled(endpoints.getMigration.path)
  return (migration) => isObject(migration) && endsWith(migration.url, path.replace('{migration_id}', String(migration.id)))
}

/** Text, or a number that JSON holds exactly: beyond 2^53 its last digits are lost. */
function isExact(id: unknown): boolean {
  return id !== undefined && (typeof id !== 'number' || Number.isSafeInteger(id))
}

function urlOf(migration: unknown): string {
  return isObject(migration) ? `${String(migration.url)} for the migration ${String(migration.id)}` : show(migration)
}

/** What identifies a migration is the same in its 201 and whenever it is read (readings E26). */
export function identityCheck({ id, read }: Omit<MigrationSource<typeof needs>, 'needs'>): Check {
  return check({
    id: `${id}.identity`,
    requirement: 'migrations.migration.identity',
    level: 'must',
    title: 'keeps the guid, the creation time and the owner of a started migration',
    needs,
    writes: true,
    run: async (t, resolved) => {
      const started = await plain(t, resolved)
      const wanted = idOf(t, started)
      const first = identityOf(started.answer.json)
      const later = (await read(t, resolved)).filter(({ value }) => isObject(value) && value.id === wanted)
      t.expectAll(later, 'later answer with the migration').satisfy(first, (value) => identityOf(value) === first, identityOf)
    },
  })
}

/** The instant is compared to the second, in whatever offset it is written. */
function identityOf(migration: unknown): string {
  const { guid, created_at, owner } = isObject(migration) ? migration : ({} as JsonObject)
  const created = Math.floor(Date.parse(String(created_at)) / 1000)
  const login = isObject(owner) ? String(owner.login).toLowerCase() : undefined
  return `guid ${String(guid).toLowerCase()}, created ${Number.isNaN(created) ? String(created_at) : created}, owner ${login}`
}

import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Located } from '../../src/suite/located.ts'
import { hasNumericOffset, isState, isUuid, membersOf, observeState } from './forms.ts'
import { type MigrationNeeds, needs } from './started.ts'

/** Where migrations are answered, and how the checks get at them. */
export interface MigrationSource {
  /** The `area.operation` that the checks' ids begin with. */
  readonly id: string
  readonly read: (t: CheckContext, resolved: MigrationNeeds) => Promise<readonly Located[]>
}

/** What the document asks of every migration, wherever it is answered. */
export function migrationChecks({ id, read }: MigrationSource): Check[] {
  return [
    check({
      id: `${id}.shape`,
      requirement: 'migrations.migration.shape',
      level: 'must',
      title: 'returns migrations with the documented fields and types',
      needs,
      writes: true,
      run: async (t, resolved) => void t.expectAll(await read(t, resolved), 'migration').match('migration'),
    }),
    check({
      id: `${id}.guid`,
      requirement: 'migrations.migration.guid',
      level: 'must',
      title: 'returns a UUID as guid',
      needs,
      writes: true,
      run: async (t, resolved) => {
        const guids = membersOf(await read(t, resolved), 'guid')
        t.expectAll(guids, 'guid').satisfy('a UUID', isUuid)
      },
    }),
    check({
      id: `${id}.timestamps`,
      requirement: 'migrations.migration.timestamps',
      level: 'must',
      title: 'returns timestamps with a numeric offset from UTC',
      needs,
      writes: true,
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
      needs,
      writes: true,
      run: async (t, resolved) => {
        const states = membersOf(await read(t, resolved), 'state')
        for (const { value } of states) observeState(t, value)
        t.expectAll(states, 'state').satisfy('pending, exporting, exported, failed, or an undocumented state', isState)
      },
    }),
  ]
}

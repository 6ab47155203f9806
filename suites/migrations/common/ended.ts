import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import { type Check, operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, optional, role } from '../../../src/suite/needs.ts'
import { awaitListed, expectSameState } from './list-contents.ts'
import { stateOf } from './migration-state.ts'

const owner = role('owner')
const failedNeeds = { owner, ended: need('failed-migration') }
const list = operation({ id: 'migrations.list', endpoint: endpoints.listMigrations, needs: failedNeeds, level: 'must' })

/** The list contains a migration that has ended for as long as the migration can be read, with or without its archive. */
export function endedChecks(): Check[] {
  const listed = list.with({ requirement: 'migrations.list.ended' })
  const expired = { owner, ended: need('expired-migration') }
  const either = { owner, failed: optional(need('failed-migration')), expired: optional(need('expired-migration')) }
  return [
    listed.check('holds-failed', 'includes a migration that has failed', (t, needs) =>
      expectListed(t, needs.owner, needs.ended.migration_id),
    ),
    listed
      .with({ needs: expired, level: 'should' })
      .check('holds-expired', 'includes a migration whose archive has expired', (t, needs) =>
        expectListed(t, needs.owner, needs.ended.migration_id),
      ),
    list
      .with({ needs: either })
      .check(
        'state-agrees-once-ended',
        'returns the same state as for the single migration once it has ended',
        'migrations.list.state',
        async (t, needs) => {
          const ids = [needs.failed, needs.expired].flatMap((migration) => migration?.migration_id ?? [])
          if (ids.length === 0) t.untested('no migration is known that has ended', 'failed-migration')
          for (const id of ids) await expectSameState(t, needs.owner, id)
        },
      ),
  ]
}

/** A migration that can be read is in the list as well. */
export async function expectListed(t: CheckContext, owner: Caller, id: number): Promise<void> {
  const { state, answer } = await stateOf(t, owner, id)
  if (state === undefined) t.untested(`the migration ${id} could not be read (${answer.status})`)
  const { migration, pages, cut } = await awaitListed(t, owner, id)
  if (!migration && cut) t.untested('the list has more pages than a check reads')
  const expected = `the migration ${id}, which is ${state}`
  t.expect(answer, ...pages).satisfy(expected, migration !== undefined, 'only other migrations')
}

import type { Caller } from '../../../src/http/exchange/caller.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, optional, role } from '../../../src/suite/needs.ts'
import { listedMigration, stateAgrees } from './list-contents.ts'
import { stateOf } from './migration-state.ts'

/** A migration that has ended is one of the caller's as long as it can be read, whatever became of its archive. */
export function endedChecks(id: string): Check[] {
  const owner = role('owner')
  const common = { requirement: 'migrations.list.ended' } as const
  return [
    check({
      ...common,
      id: `${id}.holds-failed`,
      level: 'must',
      title: 'includes a migration that has failed',
      needs: { owner, ended: need('failed-migration') },
      run: (t, { owner, ended }) => expectListed(t, owner, ended.migration_id),
    }),
    check({
      ...common,
      id: `${id}.holds-expired`,
      level: 'should',
      title: 'includes a migration whose archive has expired',
      needs: { owner, ended: need('expired-migration') },
      run: (t, { owner, ended }) => expectListed(t, owner, ended.migration_id),
    }),
    check({
      id: `${id}.state-agrees-once-ended`,
      requirement: 'migrations.list.state',
      level: 'must',
      title: 'returns the same state as for the single migration once it has ended',
      needs: { owner, failed: optional(need('failed-migration')), expired: optional(need('expired-migration')) },
      run: async (t, { owner, failed, expired }) => {
        const ended = [failed, expired].flatMap((given) => given?.migration_id ?? [])
        if (ended.length === 0) t.untested('no migration is known that has ended', 'failed-migration')
        for (const each of ended) await stateAgrees(t, owner, each)
      },
    }),
  ]
}

/** A migration that can be read is in the list as well. */
export async function expectListed(t: CheckContext, owner: Caller, id: number): Promise<void> {
  const { state, answer } = await stateOf(t, owner, id)
  if (state === undefined) t.untested(`the migration ${id} could not be read (${answer.status})`)
  const { found, pages, cut } = await listedMigration(t, owner, id)
  if (!found && cut) t.untested('the list is longer than the most pages that are read')
  if (!found)
    t.deviation({
      expected: `the migration ${id}, which is ${state}`,
      actual: 'only other migrations',
      exchanges: [answer, ...pages],
    })
  t.examined(1)
}

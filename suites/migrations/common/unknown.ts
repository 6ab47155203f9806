import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import type { Check, Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type NeedMap, need, type Resolved, role } from '../../../src/suite/needs.ts'
import { expectRefused } from '../../common/access.ts'
import { migrationSecret } from './access.ts'
import { listedMigration } from './list-contents.ts'
import type { needs } from './migration-state.ts'

/** A valid 32-bit id that is unlikely to exist. */
export const unknownId = 2_147_480_007

/** The request of an endpoint for a migration by its id. */
interface OneMigration<Needs extends NeedMap> {
  readonly request: (as: Caller, id: number) => RequestSpec
  /** The control: the response for a migration of the caller's own (readings G15). */
  readonly readOwn: (t: CheckContext, needs: Resolved<Needs>) => Promise<Exchange>
}

/** The response for an unknown id is 404 (document: Endpoints, User migrations; Errors). */
export function unknownMigration<Needs extends NeedMap>(operation: Operation<Needs>, one: OneMigration<Needs>): Check {
  const { request, readOwn } = one
  const own = { requirement: `${operation.id}.unknown`, also: { owner: role('owner') } }
  return operation.check('unknown-id', 'returns 404 for a migration that does not exist', own, async (t, needs, { owner }) => {
    if (!(await readOwn(t, needs)).ok) t.untested('the request fails for a migration that exists as well')
    t.expect(await t.send(request(owner, unknownId))).status(404)
  })
}

/** A migration of another user is refused. */
export function foreignMigration(operation: Operation<typeof needs>, { request, readOwn }: OneMigration<typeof needs>): Check {
  const claim = { requirement: 'migrations.access.own', also: { foreign: need('foreign-migration') }, conclusive: true } as const
  return operation.check('foreign', "rejects a request for another user's migration", claim, async (t, needs, { foreign }) => {
    const { ok, status } = await readOwn(t, needs)
    if (!ok) t.untested(`the request fails for the caller's own migration as well (${status})`)
    await expectForeign(t, needs.owner, foreign.migration_id, await t.read(request(needs.owner, foreign.migration_id)))
  })
}

/** The response for another user's migration is a refusal. The control: the caller's own list does not contain it (readings G17). */
export async function expectForeign(t: CheckContext, owner: Caller, id: number, answer: Exchange): Promise<void> {
  if (answer.status < 400 && (await listedMigration(t, owner, id)).migration)
    t.untested("the migration is in the caller's own list", 'foreign-migration')
  expectRefused(t, answer, migrationSecret)
}

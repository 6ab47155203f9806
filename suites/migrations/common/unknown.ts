import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import type { Check, Operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type NeedMap, type Resolved, role } from '../../../src/suite/needs.ts'

/** A valid 32-bit id that is unlikely to exist. */
const unknownId = 2_147_480_007

/** The request of an endpoint for a migration that does not exist. */
export interface UnknownMigration<Needs extends NeedMap> {
  readonly requirement: string
  readonly request: (as: Caller, unknown: number) => RequestSpec
  /** The control: true if the endpoint serves a migration that does exist (readings G15). */
  readonly served: (t: CheckContext, needs: Resolved<Needs>) => Promise<boolean>
}

/** The response for an unknown id is 404 (document: Endpoints, User migrations; Errors). */
export function unknownMigration<Needs extends NeedMap>(operation: Operation<Needs>, unknown: UnknownMigration<Needs>): Check {
  const { requirement, request, served } = unknown
  const own = { requirement, also: { owner: role('owner') } }
  return operation.check('unknown-id', 'returns 404 for a migration that does not exist', own, async (t, needs, { owner }) => {
    if (!(await served(t, needs))) t.untested('the request fails for a migration that exists as well')
    t.expect(await t.send(request(owner, unknownId))).status(404)
  })
}

import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { type Check, check, type Schedule } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type NeedMap, type Resolved, role } from '../../../src/suite/needs.ts'

/** An id that no target has given out: near the end of what 32 bits hold. */
const unknownId = 2_147_480_007

/** The request of an endpoint for a migration that does not exist. */
export interface UnknownMigration<Needs extends NeedMap> {
  readonly id: string
  readonly requirement: string
  /** What the control needs. */
  readonly needs: Needs
  readonly request: (as: Caller, unknown: number) => RequestSpec
  /** The control: the endpoint serves a migration that does exist (readings G15). */
  readonly served: (t: CheckContext, resolved: Resolved<Needs>) => Promise<boolean>
  readonly schedule?: Schedule
}

/** An id that is not there is answered 404 (document: Endpoints, User migrations; Errors). */
export function unknownMigration<const Needs extends NeedMap>(unknown: UnknownMigration<Needs>): Check {
  const { id, requirement, needs, request, served, schedule } = unknown
  return check({
    id: `${id}.unknown-id`,
    requirement,
    level: 'must',
    title: 'returns 404 for a migration that does not exist',
    needs: { owner: role('owner') },
    also: needs,
    writes: true,
    ...(schedule ? { schedule } : {}),
    run: async (t, { owner }, resolved) => {
      if (!(await served(t, resolved))) t.untested('the request fails for a migration that exists as well')
      t.expect(await t.send(request(owner, unknownId))).status(404)
    },
  })
}

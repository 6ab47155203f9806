import type { Caller } from '../../src/http/caller.ts'
import type { RequestSpec } from '../../src/http/client.ts'
import { type Check, check } from '../../src/suite/check.ts'
import { needs } from './started.ts'

/** An id that no target has given out: near the end of what 32 bits hold. */
const unknownId = 2_147_480_007

/** The request of an endpoint for a migration that does not exist. */
export interface UnknownMigration {
  readonly id: string
  readonly requirement: string
  readonly request: (as: Caller, unknown: number) => RequestSpec
  readonly writes?: boolean
}

/** An id that is not there is answered 404 (document: Endpoints, User migrations; Errors). */
export function unknownMigration({ id, requirement, request, writes = false }: UnknownMigration): Check {
  return check({
    id: `${id}.unknown-id`,
    requirement,
    level: 'must',
    title: 'returns 404 for a migration that does not exist',
    needs: { owner: needs.owner },
    ...(writes ? { writes } : {}),
    run: async (t, { owner }) => void t.expect(await t.send(request(owner, unknownId))).status(404),
  })
}

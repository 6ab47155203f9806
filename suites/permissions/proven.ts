import { bearer, type Caller } from '../../src/http/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { type PermissionRow, permissionRows } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { classify } from './attempt.ts'
import type { RowProbe } from './row-probe.ts'

/** A token that no target has given out. */
export const invalidToken: Caller = bearer('conformance-no-such-token-51f0e2a7', 'invalid')

/**
 * True when the target tells a token apart from an invalid one (readings G4): by the status of this very row,
 * by a feed that asks for no permission, or by a row that the token is entitled to.
 */
export async function isProven(t: CheckContext, caller: Caller, probe: RowProbe): Promise<boolean> {
  const own = await probe.attempt(t, caller)
  if (own.answer.status !== 401) {
    const invalid = await probe.attempt(t, invalidToken)
    if (own.answer.status !== invalid.answer.status) return true
  }
  return (await isServedFeed(t, caller)) || (await isServedSomewhere(t, caller))
}

/** The feed of everything public refuses an invalid token on many servers, and serves valid ones on all. */
async function isServedFeed(t: CheckContext, caller: Caller): Promise<boolean> {
  const read = (as: Caller) => t.read({ endpoint: endpoints.publicEvents, query: { per_page: 1 }, as })
  const [own, invalid] = [await read(caller), await read(invalidToken)]
  return classify(own) === 'served' && classify(invalid) !== 'served'
}

/** Rows that need nothing but a user, read with what the token holds. */
const plainReads: readonly PermissionRow[] = permissionRows.filter(
  ({ access, path }) => access === 'read' && path.startsWith('/user/') && !path.includes('{'),
)

async function isServedSomewhere(t: CheckContext, caller: Caller): Promise<boolean> {
  const held = plainReads.find(({ category }) => caller.permissions?.[category.owner]?.[category.slug] !== undefined)
  if (!held) return false
  const own = await t.read({ endpoint: held.endpoint, as: caller })
  const invalid = await t.read({ endpoint: held.endpoint, as: invalidToken })
  return classify(own) === 'served' && classify(invalid) !== 'served'
}

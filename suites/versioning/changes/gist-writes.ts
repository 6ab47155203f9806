import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import { changeEndpoints } from '../../../src/spec/change-endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { isServed, sendOffered } from '../common/offered.ts'

const content = { description: 'made by a conformance run', public: false, files: { 'conformance.txt': { content: 'Hello' } } }

/** A secret gist that is created for all checks, and removed in the end. */
export function createGist(t: CheckContext, owner: Caller): Promise<Exchange> {
  return t.shared('a gist of the owner', async (once) =>
    removedLater(once, owner, await sendOffered(once, { endpoint: changeEndpoints.createGist, body: content, as: owner })),
  )
}

/** Changes the gist that was created. */
export async function updateGist(t: CheckContext, owner: Caller): Promise<Exchange> {
  const gist_id = idOf(await createGist(t, owner)) ?? t.untested('the new gist has no id')
  const body = { description: 'changed by a conformance run' }
  return sendOffered(t, { endpoint: changeEndpoints.updateGist, params: { gist_id }, body, as: owner })
}

/** Stars the gist that was created; false where the target does not let it. */
export async function starGist(t: CheckContext, owner: Caller): Promise<boolean> {
  const gist_id = idOf(await createGist(t, owner)) ?? t.untested('the new gist has no id')
  const endpoint = { method: 'PUT', path: '/gists/{gist_id}/star' } as const
  return isServed(await t.send({ endpoint, params: { gist_id }, as: owner }))
}

/** A fork of a gist by another user, made for all checks and removed in the end. */
export function forkGist(t: CheckContext, other: Caller, gist_id: string): Promise<Exchange> {
  return t.shared('a fork of a gist', async (once) => {
    const made = await sendOffered(once, { endpoint: changeEndpoints.forkGist, params: { gist_id }, as: other })
    return removedLater(once, other, made, gist_id)
  })
}

function removedLater(t: CheckContext, owner: Caller, made: Exchange, spared?: string): Exchange {
  const gist_id = idOf(made)
  // An id alone could be that of a gist which was there before.
  if (gist_id === undefined || gist_id === spared) t.leavesBehind(`a gist of ${owner.login ?? owner.label}`)
  else t.cleanUp(`the gist ${gist_id}`, () => removeGist(t, owner, gist_id))
  return made
}

async function removeGist(t: CheckContext, owner: Caller, gist_id: string): Promise<void> {
  const gone = await t.send({ endpoint: { method: 'DELETE', path: '/gists/{gist_id}' }, params: { gist_id }, as: owner })
  if (!isServed(gone)) throw new Error(`answered ${gone.status}`)
}

function idOf({ json }: Exchange): string | undefined {
  return isObject(json) && typeof json.id === 'string' ? json.id : undefined
}

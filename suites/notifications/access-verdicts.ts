import { bearer, type Caller } from '../../src/http/caller.ts'
import type { RequestSpec } from '../../src/http/client.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { refusals } from '../../src/suite/expectations.ts'
import { noServerError } from './threads.ts'

/** What a request would change: facts that hold, and whether a change would show in them. Facts that others add are no effect. */
export interface Effect {
  readonly facts: readonly string[]
  readonly shows: boolean
}

/** A request that must be refused. */
export interface Refusal {
  readonly request: RequestSpec
  /** Who the same request is meant for. */
  readonly entitled: Caller
  readonly resource: string
  readonly effect: (() => Promise<Effect>) | undefined
  /** The one status that the document lists for it. */
  readonly exactly: number | undefined
}

/** Refused, without data and without effect, while the caller's token works elsewhere (readings G3, G4, D14, D15). */
export async function judgeRefusal(t: CheckContext, { request, entitled, resource, effect, exactly }: Refusal): Promise<void> {
  if (request.endpoint.method === 'GET') await servedTo(t, { ...request, as: entitled })
  const before = await effect?.()
  const answer = await t.send(request)
  const after = await effect?.()
  if (exactly !== undefined) t.expect(answer).status(exactly)
  t.expect(answer).refused(resource)
  if (before?.facts.some((fact) => !after?.facts.includes(fact))) {
    t.deviation({
      expected: 'no change by a rejected request',
      actual: `${answer.status}, but the request took effect`,
      exchanges: [answer],
    })
  }
  await provenValid(t, request.as)
  if (before && !before.shows) t.untested('an effect of the rejected request could not have been observed', 'shared-thread')
}

/** Not refused; a refusal counts only when the token works elsewhere (readings G4, D16). */
export async function judgeGrant(t: CheckContext, request: RequestSpec): Promise<void> {
  const answer = await t.send(request)
  if (refusals.includes(answer.status)) {
    await provenValid(t, request.as)
    t.deviation({ expected: 'a successful response', actual: String(answer.status), exchanges: [answer] })
  }
  noServerError(t, answer)
  const served = answer.status === 304 || (answer.status >= 200 && answer.status < 300)
  if (!served) t.untested(`the response was ${answer.status}, which neither grants nor refuses access`)
  t.examined(1)
}

async function servedTo(t: CheckContext, request: RequestSpec): Promise<void> {
  const answer = await t.send(request)
  noServerError(t, answer)
  if (answer.status !== 200) t.untested(`the request fails for the authorised user as well (${answer.status})`)
}

/** A secret that no target ever issued. */
export const inventedToken = bearer('service-conformance-invented-token', 'invented')

/**
 * Ends the check unless the token is told from one that was never issued: by the public feed or, where that is served
 * to any token, by a private repository's.
 */
async function provenValid(t: CheckContext, caller: Caller): Promise<void> {
  if (caller.secret === undefined) return
  const feed = (as: Caller) => t.read({ endpoint: endpoints.publicEvents, as })
  const { status } = await feed(caller)
  if (status !== 200)
    t.untested(`GET /events returns ${status} for ${caller.label}, so its rejection here proves nothing`, 'token')
  if ((await feed(inventedToken)).status !== 200) return
  const params = await t.ask('private-repository', {})
  const own = await t.read({
    endpoint: endpoints.repositoryEvents,
    params: { owner: params.owner, repo: params.repo },
    as: caller,
  })
  if (own.status !== 200)
    t.untested(`the token ${caller.label} could not be proven valid: GET /events accepts any token`, 'token')
}

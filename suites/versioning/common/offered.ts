import { anonymous, type Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { changeEndpoints } from '../../../src/spec/changes/changes.ts'
import { endpointLabel } from '../../../src/spec/endpoints.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { expectNoServerError } from '../../common/access.ts'
import { unlessUntested } from '../../common/proof.ts'

/** A served response that other checks may share; a target may lack endpoints of the table of changes. */
export async function readOffered(t: CheckContext, spec: RequestSpec): Promise<Exchange> {
  const [own] = await readByAnybody(t, spec)
  return expectOffered(t, spec, own)
}

/**
 * The response, and those to the same request with an app's token, without Accept, right after one of the other version, for which a
 * cache may have stored it, and under the newer version without a token. In all of them, removed members are looked for.
 */
export async function readByAnybody(t: CheckContext, spec: RequestSpec): Promise<[own: Exchange, ...others: Exchange[]]> {
  const extra = { ...spec, extra: true }
  const app = await unlessUntested(t.tokenFor({ kind: 'app-user', of: 'owner', permissions: {} }))
  const forms = [{ as: anonymous }, { accept: null }, ...(app ? [{ as: app }] : [])].slice(t.apiVersion === firstVersion ? 1 : 0)
  const others = forms.map((form) => unlessUntested(t.read({ ...extra, ...form })))
  const [own, ...answers] = await Promise.all([t.read(spec), ...others])
  const version = own.request.version === firstVersion ? latestVersion : firstVersion
  const again = t.shared(`${own.request.url} after ${version}, as ${spec.as.label}`, async (once) => {
    await once.send({ ...extra, version })
    return once.send(extra)
  })
  return [own, ...[...answers, await unlessUntested(again)].filter((answer) => answer !== undefined)]
}

/** A served answer to a request of the check's own. */
export async function sendOffered(t: CheckContext, spec: RequestSpec): Promise<Exchange> {
  return expectOffered(t, spec, await t.send(spec))
}

/** The answer when it is 2xx; otherwise the check ends: failed for a broken endpoint, untested for one that is not offered. */
export function expectOffered(t: CheckContext, { endpoint, as }: RequestSpec, answer: Exchange): Exchange {
  if (answer.ok) return answer
  const { status } = answer
  // Absent, not broken: an endpoint that a target does not offer may answer 501 (readings G3).
  if (status !== 501) expectNoServerError(t, answer)
  const label = endpointLabel(endpoint)
  const how = `let ${as.label} use ${label}, or list it under claims.except when the target does not offer it`
  return t.untested(`${label} returned ${status}: the target does not offer it to ${as.label}`, [
    { need: `endpoint ${label}`, how },
  ])
}

/** The results of those probes that got an answer; throws the first failure where none did. */
export async function answered<Result>(probes: readonly Promise<Result>[]): Promise<Result[]> {
  const settled = await Promise.allSettled(probes)
  const results = settled.filter((probe) => probe.status === 'fulfilled').map(({ value }) => value)
  const failure = settled.find((probe) => probe.status === 'rejected')
  if (results.length === 0 && failure) throw failure.reason
  return results
}

/** A directory of a repository, as in the need `submodule-listing`. */
interface Directory {
  readonly reader: Caller
  readonly listing: { readonly owner: string; readonly repo: string; readonly path: string }
}

/** The request for a directory listing. The slashes of a nested path stay slashes. */
export function listingSpec({ reader, listing }: Directory): RequestSpec {
  const { owner, repo, path } = listing
  const segments = ['repos', owner, repo, 'contents', ...path.split('/').filter((segment) => segment !== '')]
  return {
    endpoint: changeEndpoints.contents,
    path: `/${segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/')}`,
    as: reader,
  }
}

import { anonymous, type Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { changeEndpoints, partOf, removableNames } from '../../../src/spec/changes/changes.ts'
import { endpointLabel } from '../../../src/spec/endpoints.ts'
import {
  type ApiVersion,
  firstVersion,
  isLatest,
  latestVersion,
} from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'
import { expectOnce } from '../../../src/suite/observe.ts'
import { escapeStep } from '../../../src/text/data.ts'
import { expectNoServerError } from '../../common/access.ts'
import { unlessUntested } from '../../common/proof.ts'

/** The second page of a list with pages of one, if it is served. */
export async function secondPage(t: CheckContext, spec: RequestSpec, first: Exchange) {
  if (first.count < 2 || !isPaged(spec)) return []
  const page = await unlessUntested(
    t.read({
      ...spec,
      query: { ...spec.query, per_page: 1, page: 2 },
      extra: 'with per_page=1, page=2',
    }),
  )
  return page?.ok ? [page] : []
}

/** The document calls no directory listing a paged one. */
const isPaged = ({ endpoint }: RequestSpec) => endpoint !== changeEndpoints.contents

/** The response to a request, and those to the same request in other forms. */
type Responses = [own: Exchange, ...others: Exchange[]]

/** A served response, and the served ones among those to {@link readByAnybody}. A target may lack endpoints of the table of changes. */
export async function readByEachOffered(t: CheckContext, spec: RequestSpec): Promise<Responses> {
  const [own, ...others] = await readByAnybody(t, spec)
  return [expectOffered(t, spec, own), ...others.filter(({ ok }) => ok)]
}

/**
 * The response, and those to the same request in other forms: without a token and Accept, with an app's token for a large page of any
 * JSON, right after one of the older version with a fine-grained token, and for page 2. Members are looked for in all of them.
 */
export async function readByAnybody(t: CheckContext, spec: RequestSpec): Promise<Responses> {
  const app = await bareApp(t)
  const query = isPaged(spec) ? { query: { per_page: 100, ...spec.query } } : {}
  const forms = [
    { accept: null, ...spec, as: anonymous, extra: 'without a token' },
    {
      accept: 'application/json',
      ...spec,
      ...query,
      as: app ?? spec.as,
      extra: 'for JSON',
    },
  ]
  const others = forms.map((form) => unlessUntested(t.read(form)))
  const [own, ...responses] = await Promise.all([t.read(spec), ...others])
  // A cache that takes one version for the other is seen in the newer one.
  const again = isLatest(t) ? await afterOtherToo(t, spec) : undefined
  const later = await secondPage(t, spec, own)
  return [own, ...[...responses, again?.own, ...later].filter((response) => response !== undefined)]
}

/** A token of the owner without permissions, of an app unless stated; undefined if none is supplied. */
export const bareApp = (t: CheckContext, kind: 'app-user' | 'fine-grained' = 'app-user') =>
  unlessUntested(t.tokenFor({ kind, of: 'owner', permissions: {} }))

/** {@link afterOther} for a fine-grained token, or for the caller of the request if that token is not served. */
async function afterOtherToo(t: CheckContext, spec: RequestSpec) {
  const as = (await bareApp(t, 'fine-grained')) ?? spec.as
  const both = await unlessUntested(afterOther(t, { ...spec, as }))
  return both?.own.ok ? both : unlessUntested(afterOther(t, spec))
}

/** The response of the older version, and the one to the same request right after it. */
export function afterOther(t: CheckContext, spec: RequestSpec) {
  const { as, endpoint, ...address } = spec
  // Several changes name one address.
  return t.shared(
    `${JSON.stringify({ path: endpoint.path, ...address })} after ${firstVersion}, as ${as.label}`,
    async (once) => {
      const former = { ...spec, version: firstVersion, extra: `for ${firstVersion}` }
      const other = await once.send(former)
      const own = await once.send({ ...spec, extra: `right after one for ${firstVersion}` })
      return { other, own }
    },
  )
}

/** A served response to a request of the check's own. */
export async function sendOffered(t: CheckContext, spec: RequestSpec) {
  return expectOffered(t, spec, await sendInBoth(t, spec))
}

/** Sends a request at the end of the check, or of the version. The report lists `made` as left behind unless it is served. */
export function undoLater(t: CheckContext, made: string, undo: RequestSpec) {
  t.cleanUp(made, async () => {
    const { ok, status } = await t.send(undo)
    if (!ok) throw new Error(`the response was ${status}`)
  })
}

/** The members of a body that the newer version may reject (readings V13). */
const rejectable: ReadonlySet<string> = new Set([
  ...removableNames,
  partOf(2, 'request').field,
  partOf(18, 'request').field,
])

/**
 * The response to a write. A write that the other version alone accepts, twice, was removed, added, or given a new rule without being
 * listed (document: Versioning, rules 3 and 4). A deletion that the other version accepts leaves nothing for a further one. A name that
 * is taken is no evidence: `anew` makes the same request with another name.
 */
export async function sendInBoth(t: CheckContext, spec: RequestSpec, anew = () => spec) {
  const first = await t.send(spec)
  const { endpoint, body } = spec
  const isComparable =
    endpoint.method !== 'DELETE' && !Object.keys(Object(body)).some((name) => rejectable.has(name))
  if (!isLost(first) || !isComparable) return first
  const version = (spec.version ?? t.apiVersion) === firstVersion ? latestVersion : firstVersion
  const other = await t.send({ ...anew(), version })
  if (!other.ok) return first
  if (endpoint.method === 'POST')
    t.leavesBehind(`the object of ${endpointLabel(endpoint)} under ${version}`)
  const again = await t.send(anew())
  const isRejected = isLost(again) && (await t.send({ ...anew(), version })).ok
  if (isRejected)
    t.expect(again, other).satisfy(
      `a successful response, as under ${version} (${other.status})`,
      false,
    )
  return again
}

const isLost = ({ status }: Exchange) => [404, 405, 410, 422].includes(status)

/** The response when it is 2xx; otherwise the check ends: failed for a broken endpoint, untested for one that is not offered. */
export function expectOffered(
  t: CheckContext,
  { endpoint, as }: RequestSpec,
  response: Exchange,
): Exchange {
  if (response.ok) return response
  const { status } = response
  // Absent, not broken: an endpoint that a target does not offer may return 501 (readings G3).
  if (status !== 501) expectNoServerError(t, response)
  const label = endpointLabel(endpoint)
  return t.untested(`${label} returned ${status} to ${as.label}`, [
    {
      need: `a successful response of ${label}`,
      how: `let ${as.label} use ${label}, or list it under claims.except when the target does not offer it`,
    },
  ])
}

/** The request for the directory of the need `submodule-listing`. The slashes of a nested path stay slashes. */
export function listingSpec(
  as: Caller,
  { owner, repo, path }: Readonly<Record<'owner' | 'repo' | 'path', string>>,
): RequestSpec {
  const segments = ['repos', owner, repo, 'contents', ...path.split('/').filter(Boolean)]
  return {
    endpoint: changeEndpoints.contents,
    path: `/${segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/')}`,
    as,
  }
}

type Fits = (object: JsonObject, listed: boolean) => boolean

/** The outermost objects of a located value that fit, itself included. `listed`: the object is an item of a list. */
export function outermost(
  { value, exchange, pointer }: Located,
  fits: Fits,
  listed = false,
): Located<JsonObject>[] {
  if (isObject(value) && fits(value, listed)) return [{ value, exchange, pointer }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    outermost(
      { value: member, exchange, pointer: `${pointer}/${escapeStep(key)}` },
      fits,
      Array.isArray(value),
    ),
  )
}

/** The response to a request with a member that the newer version removes, and the sign of an effect. */
interface Attempt {
  readonly response: Exchange
  readonly hasEffect: boolean
  readonly exchanges: readonly Exchange[]
}

/** Sends the member under a version. */
type Attempting = (version: ApiVersion) => Promise<Attempt>

/** The newer version may refuse or ignore the member (readings V13). The control: it has an effect under the older version. */
export async function expectNoEffect(t: CheckContext, member: string, attempt: Attempting) {
  const control = await attempt(firstVersion)
  if (!control.hasEffect) t.untested(`${member} has no effect under ${firstVersion} either`)
  await expectOnce(t, async () => {
    const { response, hasEffect, exchanges } = await attempt(latestVersion)
    expectNoServerError(t, response)
    return hasEffect
      ? {
          expected: `no effect of ${member}`,
          actual: `an effect of ${response.request.body}`,
          exchanges,
        }
      : undefined
  })
  t.examined(1)
}

/** The older version applies the member, once it accepts it. */
export async function expectEffect(t: CheckContext, member: string, attempt: Attempting) {
  const { response, hasEffect, exchanges } = await attempt(firstVersion)
  if (!response.ok) t.untested(`${member} was not accepted (${response.status})`)
  if (!hasEffect) t.deviation({ expected: `an effect of ${member}`, actual: 'none', exchanges })
  t.examined(1)
}

/** The older version accepts a request with the member, as it accepted one without it. */
export function expectAccepted(
  t: CheckContext,
  member: string,
  response: Exchange,
  control: Exchange,
) {
  t.expect(response, control).satisfy(`${member} to be accepted`, response.ok)
}

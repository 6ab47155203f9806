import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import type { Difference } from '../../../src/record/run-record.ts'
import { partsOn } from '../../../src/spec/changes/changes.ts'
import { type Endpoint, endpointLabel } from '../../../src/spec/endpoints.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import { kindWithin, membersOf, objectKinds } from '../../../src/spec/words/object-kinds.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { sameIdSet } from '../../../src/suite/listing.ts'
import { isObject, itemsOf } from '../../../src/suite/located.ts'
import { bracketed } from '../../../src/suite/observe.ts'
import { looksLike } from '../../common/removed-fields.ts'
import { type ComparedPlace, changeNaming, isReplacement } from './named-differences.ts'
import { compareShapes, pointerOf, type ShapeDifference } from './response-shape.ts'

/** The responses of two versions to the same request. */
export interface VersionComparison {
  readonly spec: RequestSpec
  readonly older: Exchange
  readonly newer: Exchange
  readonly differences: readonly Difference[]
}

/** Reads a resource under the older, the newer and again the older version. All checks that compare it share the result. */
export async function compared(t: CheckContext, endpoint: Endpoint, spec: RequestSpec) {
  const first = await t.read({ ...spec, version: firstVersion })
  const { as, method, url } = first.request
  return t.shared(`versions of ${method} ${url} as ${as}`, (shared) =>
    compareVersions(shared, endpoint, spec, first),
  )
}

async function compareVersions(
  t: CheckContext,
  endpoint: Endpoint,
  spec: RequestSpec,
  first: Exchange,
) {
  const readings = [first]
  const look = await bracketed(t, {
    read: async () => readings.pop() ?? t.send({ ...spec, version: firstVersion }),
    probe: () => t.send({ ...spec, version: latestVersion }),
    same: isSteady,
    comparable: (older, newer) => haveSameItems(older, newer) || isEmptied(older, newer),
    // The nodes of a target may differ for a while: an unlisted difference counts only if every reading has it.
    expected: (older, newer) =>
      older.ok === newer.ok &&
      haveSameItems(older, newer) &&
      differencesOf(endpoint, older, newer).every(({ change }) => change !== undefined),
  })
  const { frame: older, result: newer } =
    look ?? t.untested('the compared data changed during each comparison')
  const differences = differencesOf(endpoint, older, newer)
  for (const difference of differences) t.difference(difference)
  return { spec, older, newer, differences }
}

/** True if only the older version's list has items. */
export function isEmptied(older: Exchange, newer: Exchange) {
  return older.count > 0 && newer.isList && newer.count === 0
}

function isSteady(older: Exchange, again: Exchange) {
  return (
    older.status === again.status &&
    haveSameItems(older, again) &&
    compareShapes(older.json, again.json).length === 0
  )
}

/** True for two lists whose items have the same ids, and for all other bodies. */
function haveSameItems(a: Exchange, b: Exchange) {
  if (!a.ok || !b.ok || !a.isList || !b.isList) return true
  const ids = (list: Exchange) =>
    itemsOf(list).map(({ value }) =>
      isObject(value) ? JSON.stringify(value.id ?? value.url ?? null) : '',
    )
  return sameIdSet(ids(a), ids(b))
}

function differencesOf(endpoint: Endpoint, older: Exchange, newer: Exchange): Difference[] {
  if (!older.ok || !newer.ok) return []
  const place = { endpoint, request: labelOf(endpoint, older) }
  const shapes = compareShapes(older.json, newer.json).map((shape) => shapeDifference(place, shape))
  return [...shapes, ...namedDifferences(place, older, newer)]
}

/** The name of the resource in the table of differences: for a family, the address that was requested, also after a redirect. */
function labelOf(endpoint: Endpoint, { request: { method, url, redirectedFrom = url } }: Exchange) {
  return endpoint.path?.startsWith('/')
    ? endpointLabel(endpoint)
    : `${method} ${new URL(redirectedFrom).pathname.replace(/\/+$/, '')}`
}

function shapeDifference(place: ComparedPlace, shape: ShapeDifference) {
  const { kind, steps, older, newer } = shape
  const change = changeNaming(shape, place)
  return {
    endpoint: place.request,
    at: pointerOf(steps),
    kind,
    older,
    newer,
    documented: isDescribed(place, shape),
    ...(change === undefined ? {} : { change }),
  }
}

/** The members of a repository that the document describes without a schema. */
const repositoryMembers = ['id', 'name', 'full_name', 'owner']

/** True when the document describes the member: in the endpoint's resource, in a repository, or as the replacement of a removed one. */
function isDescribed(place: ComparedPlace, shape: ShapeDifference) {
  const { steps, holder } = shape
  if (isDocumented(place.endpoint.success[200] ?? '', steps)) return true
  if (looksLike.repository(holder) && repositoryMembers.includes(steps.at(-1) ?? '')) return true
  return isReplacement(shape, place)
}

/** True when the schema of a resource (`thread`, or `thread[]` for a list) describes the member at the steps. */
export function isDocumented(resource: string, steps: readonly string[]) {
  const isList = resource.endsWith('[]')
  let kind: string | undefined = resource.replace('[]', '')
  if (!objectKinds.includes(kind) || (isList && (steps[0] ?? '*') !== '*')) return false
  for (const step of steps.filter((each) => each !== '*')) {
    if (kind === undefined || !membersOf(kind).includes(step)) return false
    kind = kindWithin(kind, step, undefined)
  }
  return true
}

/**
 * Media types and values are compared only if a change names them: any JSON type is permitted, and other values depend on the data
 * (readings H4, V20).
 */
function namedDifferences(
  { endpoint, request }: ComparedPlace,
  older: Exchange,
  newer: Exchange,
): Difference[] {
  const shared = { endpoint: request, documented: true }
  const types = partsOn(endpoint, 'media-type').map(({ change }) => ({
    ...shared,
    change,
    at: 'media type',
    kind: 'media-type' as const,
    older: mediaTypeOf(older),
    newer: mediaTypeOf(newer),
  }))
  const values = partsOn(endpoint, 'value').map(({ change, part: { at } }) => ({
    ...shared,
    change,
    at,
    kind: 'value' as const,
    older: wordsAt(at, older),
    newer: wordsAt(at, newer),
  }))
  return [...types, ...values].filter((found) => found.older !== found.newer)
}

function mediaTypeOf(response: Exchange) {
  return (response.header('content-type') ?? 'none').split(';')[0]?.trim().toLowerCase() ?? ''
}

/** The distinct values at a JSON pointer in which `*` is any item, as `file, submodule`. */
function wordsAt(pointer: string, { json }: Exchange) {
  const values = pointer.split('/').slice(1).reduce(stepInto, [json])
  const words = values.flat().filter((value) => value !== undefined)
  return [...new Set(words.map(String))].sort().join(', ')
}

function stepInto(values: unknown[], step: string) {
  if (step === '*') return values.flatMap((value) => (Array.isArray(value) ? value : []))
  return values.map((value) => (isObject(value) ? value[step] : undefined))
}

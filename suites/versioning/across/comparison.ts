import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import type { Difference } from '../../../src/record/run-record.ts'
import { type ChangeNumber, partsOn } from '../../../src/spec/changes/changes.ts'
import { type Endpoint, endpointLabel } from '../../../src/spec/endpoints.ts'
import { firstVersion, latestVersion } from '../../../src/spec/versions.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject } from '../../../src/suite/located.ts'
import { bracketed } from '../../../src/suite/observe.ts'
import { looksLike } from '../../common/removed-fields.ts'
import { isDocumented } from './documented-fields.ts'
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
export async function compared(t: CheckContext, endpoint: Endpoint, spec: RequestSpec): Promise<VersionComparison> {
  const first = await t.read({ ...spec, version: firstVersion })
  const { as, method, url } = first.request
  return t.shared(`versions of ${method} ${url} as ${as}`, (shared) => compareVersions(shared, endpoint, spec, first))
}

async function compareVersions(
  t: CheckContext,
  endpoint: Endpoint,
  spec: RequestSpec,
  first: Exchange,
): Promise<VersionComparison> {
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
  const { frame: older, result: newer } = look ?? t.untested('the compared data changed during each comparison')
  const differences = differencesOf(endpoint, older, newer)
  for (const difference of differences) t.difference(difference)
  return { spec, older, newer, differences }
}

/** True if only the older version's list has items. */
export function isEmptied({ json: older }: Exchange, { json: newer }: Exchange): boolean {
  return Array.isArray(older) && Array.isArray(newer) && older.length > 0 && newer.length === 0
}

function isSteady(older: Exchange, again: Exchange): boolean {
  return older.status === again.status && haveSameItems(older, again) && compareShapes(older.json, again.json).length === 0
}

/** True for two lists whose items have the same ids, and for all other bodies. */
function haveSameItems(a: Exchange, b: Exchange): boolean {
  if (!a.ok || !b.ok || !Array.isArray(a.json) || !Array.isArray(b.json)) return true
  const ids = (items: unknown[]) =>
    items.map((item) => (isObject(item) ? JSON.stringify(item.id ?? item.url ?? null) : '')).sort()
  return JSON.stringify(ids(a.json)) === JSON.stringify(ids(b.json))
}

function differencesOf(endpoint: Endpoint, older: Exchange, newer: Exchange): Difference[] {
  if (!older.ok || !newer.ok) return []
  const place = { endpoint, request: labelOf(endpoint, older) }
  const shapes = compareShapes(older.json, newer.json).map((shape) => shapeDifference(place, shape))
  return [...shapes, ...mediaTypeDifferences(place, older, newer), ...valueDifferences(place, older, newer)]
}

/** The name of the resource in the table of differences: for a family, the address that was requested, also after a redirect. */
function labelOf(endpoint: Endpoint, { request: { method, url, redirectedFrom = url } }: Exchange): string {
  return endpoint.path?.startsWith('/')
    ? endpointLabel(endpoint)
    : `${method} ${new URL(redirectedFrom).pathname.replace(/\/+$/, '')}`
}

function shapeDifference(place: ComparedPlace, shape: ShapeDifference): Difference {
  const { kind, steps, older, newer } = shape
  const change = changeNaming(shape, place)
  const documented = isDescribed(place, shape)
  const found = { endpoint: place.request, at: pointerOf(steps), kind, older, newer, documented }
  return change === undefined ? found : { ...found, change }
}

/** The members of a repository that the document describes without a schema. */
const repositoryMembers = ['id', 'name', 'full_name', 'owner']

/** True when the document describes the member: in the endpoint's resource, in a repository, or as the replacement of a removed one. */
function isDescribed(place: ComparedPlace, shape: ShapeDifference): boolean {
  const { steps, holder } = shape
  if (isDocumented(place.endpoint.success[200] ?? '', steps)) return true
  if (looksLike.repository(holder) && repositoryMembers.includes(steps.at(-1) ?? '')) return true
  return isReplacement(shape, place)
}

/** Media types are compared only if a change names them: any JSON type is permitted (readings H4). */
function mediaTypeDifferences(place: ComparedPlace, older: Exchange, newer: Exchange): Difference[] {
  return partsOn(place.endpoint, 'media-type').flatMap(({ change }) =>
    namedDifference(place, change, { at: 'media type', kind: 'media-type' }, mediaTypeOf(older), mediaTypeOf(newer)),
  )
}

function mediaTypeOf(response: Exchange): string {
  return (response.header('content-type') ?? 'none').split(';')[0]?.trim().toLowerCase() ?? ''
}

/** Values that a change names. The values of other members depend on the data (readings V20). */
function valueDifferences(place: ComparedPlace, older: Exchange, newer: Exchange): Difference[] {
  return partsOn(place.endpoint, 'value').flatMap(({ change, part: { at } }) =>
    namedDifference(place, change, { at, kind: 'value' }, wordsAt(at, older.json), wordsAt(at, newer.json)),
  )
}

/** The difference at a place that a change states; none if both versions have the same value. */
function namedDifference(
  { request }: ComparedPlace,
  change: ChangeNumber,
  place: Pick<Difference, 'at' | 'kind'>,
  older: string,
  newer: string,
): Difference[] {
  return older === newer ? [] : [{ ...place, endpoint: request, older, newer, change, documented: true }]
}

/** The distinct values at a JSON pointer in which `*` is any item, as `file, submodule`. */
function wordsAt(pointer: string, body: unknown): string {
  const values = pointer.split('/').slice(1).reduce(stepInto, [body])
  const words = values.flat().filter((value) => value !== undefined)
  return [...new Set(words.map(String))].sort().join(', ')
}

function stepInto(values: unknown[], step: string): unknown[] {
  if (step === '*') return values.flatMap((value) => (Array.isArray(value) ? value : []))
  return values.map((value) => (isObject(value) ? value[step] : undefined))
}

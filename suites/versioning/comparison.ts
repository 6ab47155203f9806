import type { RequestSpec } from '../../src/http/client.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import type { Difference } from '../../src/record/run-record.ts'
import { type Endpoint, endpointLabel } from '../../src/spec/endpoint.ts'
import { firstVersion, latestVersion } from '../../src/spec/versions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { isObject, type JsonObject } from '../../src/suite/located.ts'
import { objectKinds } from '../common/removed-fields.ts'
import { compareShapes, pointerOf, type ShapeDifference } from './answer-shape.ts'
import { isDocumented } from './documented-fields.ts'
import { changeNaming } from './listed.ts'
import { isServed } from './offered.ts'
import type { Resource } from './resources.ts'

/** What two versions answer to the same request. */
export interface Comparison {
  readonly spec: RequestSpec
  readonly older: Exchange
  readonly newer: Exchange
  readonly differences: readonly Difference[]
}

type Compared = Pick<Resource, 'endpoint' | 'change' | 'values'>

/** How often a resource is read while it moves (readings G6). */
const tries = 3

const known = new WeakMap<Exchange, Promise<Comparison>>()

/** Reads a resource under the older, the newer and again the older version; every check that compares it shares the result. */
export async function compared(t: CheckContext, resource: Compared, spec: RequestSpec): Promise<Comparison> {
  const first = await t.read({ ...spec, version: firstVersion })
  const comparison = known.get(first) ?? compareVersions(t, resource, spec, first)
  known.set(first, comparison)
  return comparison
}

async function compareVersions(t: CheckContext, resource: Compared, spec: RequestSpec, first: Exchange): Promise<Comparison> {
  let older = first
  for (let tried = 0; tried < tries; tried += 1) {
    const newer = await t.send({ ...spec, version: latestVersion })
    const again = await t.send({ ...spec, version: firstVersion })
    if (isSteady(older, again) && showSame(older, newer)) {
      const differences = await confirmed(t, resource, spec, differencesOf(resource, older, newer), older)
      for (const difference of differences) t.difference(difference)
      return { spec, older, newer, differences }
    }
    older = again
  }
  return t.untested(`what is compared moved during each of ${tries} readings`)
}

/** What no change names counts only when a second reading shows it too. */
async function confirmed(t: CheckContext, resource: Compared, spec: RequestSpec, found: readonly Difference[], older: Exchange) {
  if (found.every(({ change }) => change !== undefined)) return found
  const again = differencesOf(resource, older, await t.send({ ...spec, version: latestVersion })).map((each) =>
    JSON.stringify(each),
  )
  return found.filter((difference) => again.includes(JSON.stringify(difference)))
}

function isSteady(older: Exchange, again: Exchange): boolean {
  return older.status === again.status && showSame(older, again) && compareShapes(older.json, again.json).length === 0
}

/** Two answers are about the same things when their items have the same ids, whatever else they say. */
function showSame(a: Exchange, b: Exchange): boolean {
  if (!isServed(a) || !isServed(b) || !Array.isArray(a.json) || !Array.isArray(b.json)) return true
  const ids = (items: unknown[]) =>
    items.map((item) => (isObject(item) ? JSON.stringify(item.id ?? item.url ?? null) : '')).sort()
  return JSON.stringify(ids(a.json)) === JSON.stringify(ids(b.json))
}

function differencesOf(resource: Compared, older: Exchange, newer: Exchange): Difference[] {
  if (!isServed(older) || !isServed(newer)) return []
  const shapes = compareShapes(older.json, newer.json).map((shape) => shapeDifference(resource, shape, older))
  return [...shapes, ...mediaTypeDifference(resource, older, newer), ...valueDifferences(resource, older, newer)]
}

/** How the table names what was read: a family's addresses by themselves. */
function labelOf(endpoint: Endpoint, { request }: Exchange): string {
  return endpoint.path?.startsWith('/') ? endpointLabel(endpoint) : `${request.method} ${new URL(request.url).pathname}`
}

function shapeDifference({ endpoint, change }: Compared, shape: ShapeDifference, read: Exchange): Difference {
  const { kind, steps, older, newer } = shape
  const named = changeNaming(shape, endpoint, change, labelOf(endpoint, read))
  const documented = describes(endpoint.success[200] ?? '', shape)
  const place = { endpoint: labelOf(endpoint, read), at: pointerOf(steps), kind, older, newer, documented }
  return named === undefined ? place : { ...place, change: named }
}

/** Members that a change names as the place to look in instead. */
const successors: Readonly<Record<string, (holder: JsonObject) => boolean>> = {
  resources: (holder) => 'resources' in holder,
  core: (holder) => isObject(holder.core),
  squash_merge_commit_title: objectKinds.repository,
  default_branch: objectKinds.repository,
  owner: (holder) => 'files' in holder,
  bundle_url: () => true,
  assignees: (holder) => objectKinds.issue(holder) || objectKinds['pull request'](holder),
}

/** True when the document describes the member: as part of the endpoint's resource, of a repository, or as what replaces a removed one. */
function describes(resource: string, { steps, holder }: ShapeDifference): boolean {
  const key = steps.at(-1) ?? ''
  if (isDocumented(resource, steps)) return true
  if (objectKinds.repository(holder) && ['id', 'name', 'full_name', 'owner'].includes(key)) return true
  return successors[key]?.(holder) ?? false
}

/** Media types are compared only where a change names them: any JSON type is as good as another (readings H4). */
function mediaTypeDifference({ endpoint, change }: Compared, older: Exchange, newer: Exchange): Difference[] {
  const typeOf = (answer: Exchange) => (answer.header('content-type') ?? 'none').split(';')[0]?.trim().toLowerCase() ?? ''
  const found = { endpoint: labelOf(endpoint, older), at: 'media type', kind: 'media-type', documented: true } as const
  const [before, after] = [typeOf(older), typeOf(newer)]
  return change !== 4 || before === after ? [] : [{ ...found, older: before, newer: after, change }]
}

/** Values that a change names; those of other members move with the data (readings V20). */
function valueDifferences({ endpoint, values = [] }: Compared, older: Exchange, newer: Exchange): Difference[] {
  return values.flatMap(({ change, at, of }) => {
    const [before, after] = [of(older.json), of(newer.json)]
    if (before === after) return []
    return [
      { endpoint: labelOf(endpoint, older), at, kind: 'value', older: before, newer: after, change, documented: true } as const,
    ]
  })
}

import { createHash } from 'node:crypto'
import { Exchange } from '../../src/http/exchange/exchange.ts'
import {
  type PlacedKind,
  type RemovedField,
  removableNames,
  removedFields,
  type ShapedKind,
} from '../../src/spec/changes/changes.ts'
import type { Endpoint } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { distinctBodies, isObject, itemsOf, type JsonObject, type Located, objectsWithin } from '../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../src/suite/needs.ts'
import { remembered } from '../../src/text/data.ts'

/** True for an object of a kind, by its members, anywhere in a body (readings G12). */
export const looksLike = {
  repository: (object) => typeof object.full_name === 'string' && isObject(object.owner),
  'pull request': (object) => isObject(object.head) && isObject(object.base),
  issue: (object) => Number.isInteger(object.number) && typeof object.title === 'string' && !('head' in object),
  gist: (object) => 'files' in object,
} as const satisfies Readonly<Record<ShapedKind, (object: JsonObject) => boolean>>

const shapedKinds = Object.keys(looksLike) as ShapedKind[]

/** True when an object looks like one of some kinds. */
export function looksLikeAny(kinds: readonly ShapedKind[], object: JsonObject): boolean {
  return kinds.some((kind) => looksLike[kind](object))
}

/** The removals that concern objects embedded in many endpoints' bodies. */
export const embeddedRemovals = {
  squashTitle: removedFields(5)[0],
  hasDownloads: removedFields(12)[0],
  mergeCommit: removedFields(17)[0],
  assignee: removedFields(19)[0],
} as const satisfies Readonly<Record<string, RemovedField>>

/** The removed fields of an endpoint. */
export interface RemovalSubject<Needs extends NeedMap> {
  readonly fields: readonly RemovedField[]
  /** Other checks judge whether the older version still has the fields. */
  readonly keptJudgedApart?: true
  /** The endpoints whose objects are compared with these; all endpoints of the changes when absent. */
  readonly peers?: readonly Endpoint[]
  /** Objects that are of the kind by their place in the body, with any members. */
  readonly also?: (exchange: Exchange) => readonly Located<JsonObject>[]
  /** Reads the endpoint, in case no other check does. The exchanges that it returns are examined too. */
  readonly read: (t: CheckContext, needs: Resolved<Needs>) => Promise<unknown>
}

/** True when an object is of a kind that has the field; objects known by their place always are. */
export function canHave({ in: kinds }: Pick<RemovedField, 'in'>, object: JsonObject): boolean {
  return typeof kinds === 'string' || looksLikeAny(kinds, object)
}

/** Members that an object in the right place must have, before its lack of a field is judged. */
const members: Partial<Record<PlacedKind, (key: string) => boolean>> = {
  quota: (key) => key === 'resources' || key === 'rate',
  'API root': (key) => key.endsWith('_url'),
  'base gist': (key) => ['files', 'forks_url', 'commits_url'].includes(key),
  organization: (key) => key === 'login',
}

/** The top-level objects that have the field, or are of the kind by their other members. */
function placed(exchange: Exchange, kind: PlacedKind, field: string): Located<JsonObject>[] {
  const isKnown = members[kind] ?? (() => true)
  return topLevelOf(exchange).filter(({ value }) => Object.hasOwn(value, field) || Object.keys(value).some(isKnown))
}

/** The objects of some kinds, and others that are known by their place, each once. */
function embedded(exchange: Exchange, kinds: readonly ShapedKind[], also: RemovalSubject<NeedMap>['also']) {
  const all = remembered(outlines, exchange, () => objectsOf(exchange, shapedKinds).map(outlined))
  const byShape = all.filter(({ of }) => of.some((kind) => kinds.includes(kind)))
  return [...new Map([...byShape, ...(also?.(exchange) ?? []).map(outlined)].map((item) => [item.pointer, item])).values()]
}

/** The objects of every kind in a body. The checks of all removed fields examine the same bodies, whose values are large. */
const outlines = new WeakMap<Exchange, readonly ReturnType<typeof outlined>[]>()

/** An object with the members that a version removes, and a digest of the names of the others. */
function outlined({ value, exchange, pointer }: Located<JsonObject>) {
  const names = Object.keys(value)
  const others = names.filter((name) => !removableNames.has(name)).sort()
  const form = createHash('sha256').update(JSON.stringify(others)).digest('base64')
  const removable = names.filter((name) => removableNames.has(name)).map((name) => [name, value[name]] as const)
  const of = shapedKinds.filter((kind) => looksLike[kind](value))
  return { value: Object.fromEntries([[form, true], ...removable]) as JsonObject, exchange, pointer, of }
}

/**
 * The objects that can have a removed field: in the recorded responses of the subject's endpoint, and in the exchanges just read,
 * which may be recorded under another endpoint with the same address.
 */
export function relevantObjects(
  t: CheckContext,
  { endpoint, also }: { readonly endpoint?: Endpoint } & Pick<RemovalSubject<NeedMap>, 'also'>,
  { in: kinds, field }: RemovedField,
  read: unknown,
): Located<JsonObject>[] {
  const answers = [read].flat().filter((answer) => answer instanceof Exchange)
  return distinctBodies([...(endpoint ? t.recorded(endpoint) : []), ...answers]).flatMap((exchange) =>
    typeof kinds === 'string' ? placed(exchange, kinds, field) : embedded(exchange, kinds, also),
  )
}

/** The object that a served body is, or the objects that it lists. */
export function topLevelOf(exchange: Exchange): Located<JsonObject>[] {
  if (!exchange.ok) return []
  const all = Array.isArray(exchange.json) ? itemsOf(exchange) : [{ value: exchange.json, exchange, pointer: '' }]
  return all.filter((item): item is Located<JsonObject> => isObject(item.value))
}

/** The objects of some kinds in a served body, at any depth. */
export function objectsOf(exchange: Exchange, kinds: readonly ShapedKind[]): Located<JsonObject>[] {
  return exchange.ok ? objectsWithin(exchange, (object) => looksLikeAny(kinds, object)) : []
}

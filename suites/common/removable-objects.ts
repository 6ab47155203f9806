import { Exchange } from '../../src/http/exchange/exchange.ts'
import type { PlacedKind, ShapedKind } from '../../src/spec/change-table.ts'
import { type RemovedField, removedFields } from '../../src/spec/changes.ts'
import type { Endpoint } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { distinctBodies, isObject, itemsOf, type JsonObject, type Located, objectsWithin } from '../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../src/suite/needs.ts'
import { looksLikeAny } from './object-kinds.ts'

/** The removals that concern objects embedded in many endpoints' bodies. */
export const embeddedRemovals = {
  squashTitle: removedFields(5)[0],
  hasDownloads: removedFields(12)[0],
  mergeCommit: removedFields(17)[0],
  assignee: removedFields(19)[0],
} as const satisfies Readonly<Record<string, RemovedField>>

/** An endpoint whose answers must not hold removed fields. */
export interface RemovalSubject<Needs extends NeedMap> {
  /** The `area.operation` that the checks' ids begin with. */
  readonly id: string
  readonly endpoint: Endpoint
  readonly needs: Needs
  readonly fields: readonly RemovedField[]
  /** Reading the endpoint sends something else than GET. */
  readonly writes?: boolean
  /** Other checks judge whether the older version still has the fields. */
  readonly keptJudgedApart?: true
  /** Objects that stand where the endpoint shows objects of the kind, whatever their members. */
  readonly also?: (exchange: Exchange) => readonly Located<JsonObject>[]
  /** Reads the endpoint, so that there is something to examine when no other check ran; answers that it returns are examined too. */
  readonly read: (t: CheckContext, needs: Resolved<Needs>) => Promise<unknown>
}

/** True when an object is of a kind that has the field; objects known by their place always are. */
export function canHave({ in: kinds }: Pick<RemovedField, 'in'>, object: JsonObject): boolean {
  return typeof kinds === 'string' || looksLikeAny(kinds, object)
}

/** What an object that stands in the right place must have, too, before its lack of a field says anything. */
const members: Partial<Record<PlacedKind, (key: string) => boolean>> = {
  quota: (key) => key === 'resources' || key === 'rate',
  'API root': (key) => key.endsWith('_url'),
  'base gist': (key) => ['files', 'forks_url', 'commits_url'].includes(key),
  organisation: (key) => key === 'login',
}

/** The top-level objects that have the field, or whose other members show of which kind they are. */
function placed(exchange: Exchange, kind: PlacedKind, field: string): Located<JsonObject>[] {
  const isKnown = members[kind] ?? (() => true)
  return topLevelOf(exchange).filter(({ value }) => Object.hasOwn(value, field) || Object.keys(value).some(isKnown))
}

/** The objects of some kinds, and others that are known by their place, each once. */
function embedded(
  exchange: Exchange,
  kinds: readonly ShapedKind[],
  also: RemovalSubject<NeedMap>['also'] = () => [],
): Located<JsonObject>[] {
  const byShape = objectsOf(exchange, kinds)
  const known = new Set(byShape.map(({ value }) => value))
  return [...byShape, ...also(exchange).filter(({ value }) => !known.has(value))]
}

/**
 * The objects that can have a removed field: in what was recorded of the subject's endpoint, and in the answers just read, which
 * may have been recorded under another endpoint that shares their address.
 */
export function relevantObjects(
  t: CheckContext,
  { endpoint, also }: Partial<Pick<RemovalSubject<NeedMap>, 'endpoint' | 'also'>>,
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
  if (!exchange.ok) return []
  return objectsWithin(exchange).filter(({ value }) => looksLikeAny(kinds, value))
}

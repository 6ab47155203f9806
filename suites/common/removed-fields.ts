import { Exchange } from '../../src/http/exchange.ts'
import type { ShapedKind } from '../../src/spec/change.ts'
import { type RemovedField, removedFields } from '../../src/spec/changes.ts'
import type { Endpoint } from '../../src/spec/endpoint.ts'
import { latestVersion } from '../../src/spec/versions.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { distinctBodies, isObject, itemsOf, type JsonObject, type Located, objectsWithin } from '../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../src/suite/needs.ts'
import { show } from '../../src/text/show.ts'
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
  /** Objects that stand where the endpoint shows objects of the kind, whatever their members. */
  readonly also?: (exchange: Exchange) => readonly Located<JsonObject>[]
  /** Reads the endpoint, so that there is something to examine when no other check ran; answers that it returns are examined too. */
  readonly read: (t: CheckContext, needs: Resolved<Needs>) => Promise<unknown>
}

/** What the objects that have a removed field are called. Those known by their place are the top level of a body (readings V10). */
function holderOf({ in: kinds }: RemovedField): string {
  return typeof kinds === 'string' ? kinds : `${kinds.join(' or ')} object`
}

/** True when an object is of a kind that has the field; objects known by their place always are. */
export function canHave({ in: kinds }: Pick<RemovedField, 'in'>, object: JsonObject): boolean {
  return typeof kinds === 'string' || looksLikeAny(kinds, object)
}

/** One check a removed field, over every recorded answer of the endpoint under the newer version. */
export function removedFieldChecks<const Needs extends NeedMap>(subject: RemovalSubject<Needs>): Check[] {
  return subject.fields.map((removal) => {
    const { change, field, in: kinds } = removal
    const holder = holderOf(removal)
    return check({
      id: `${subject.id}.removed-${field.replaceAll('_', '-')}`,
      requirement: `versioning.change-${change}`,
      level: 'must',
      title: `omits ${field} from each ${holder}`,
      needs: subject.needs,
      endpoint: subject.endpoint,
      versions: [latestVersion],
      schedule: 'afterwards',
      ...(subject.writes ? { writes: true } : {}),
      run: async (t, needs) => {
        const answers = answersOf(t, subject.endpoint, await subject.read(t, needs))
        const objects = answers.flatMap((exchange) =>
          typeof kinds === 'string' ? topLevelOf(exchange) : embedded(exchange, kinds, subject.also),
        )
        t.expectAll(objects, holder).satisfy(
          `no member ${field}`,
          (object) => !Object.hasOwn(object, field),
          (object) => `${field}: ${show(object[field])}`,
        )
      },
    })
  })
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

/** What was recorded of an endpoint, and the answers just read, which may have been recorded under another endpoint that shares their address. */
function answersOf(t: CheckContext, endpoint: Endpoint, read: unknown): Exchange[] {
  const answers = [read].flat().filter((answer) => answer instanceof Exchange)
  return [...distinctBodies([...t.recorded(endpoint), ...answers])]
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

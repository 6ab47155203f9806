import { Exchange } from '../../src/http/exchange.ts'
import type { Endpoint } from '../../src/spec/endpoint.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { distinctBodies, isObject, itemsOf, type JsonObject, type Located, objectsWithin } from '../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../src/suite/needs.ts'
import { show } from '../../src/text/show.ts'

/** Kinds of objects, told apart by their shape wherever they stand in a body (readings G12). */
export const objectKinds = {
  repository: (object: JsonObject) => typeof object.full_name === 'string' && isObject(object.owner),
  'pull request': (object: JsonObject) => isObject(object.head) && isObject(object.base),
  issue: (object: JsonObject) => Number.isInteger(object.number) && typeof object.title === 'string' && !('head' in object),
} as const

export type ObjectKind = keyof typeof objectKinds

/** A member that version 2026-03-10 removes from objects of some kinds (document: Changes in version 2026-03-10). */
export interface RemovedField {
  readonly change: number
  readonly field: string
  readonly from: readonly ObjectKind[]
  /** In place of kinds: what the endpoint's own bodies or items are; only their top level is looked at (readings V10). */
  readonly of?: string
}

/** The removals that concern objects embedded in many endpoints' bodies. */
export const embeddedRemovals = {
  squashTitle: { change: 5, field: 'use_squash_pr_title_as_default', from: ['repository'] },
  hasDownloads: { change: 12, field: 'has_downloads', from: ['repository'] },
  mergeCommit: { change: 17, field: 'merge_commit_sha', from: ['pull request'] },
  assignee: { change: 19, field: 'assignee', from: ['issue', 'pull request'] },
} as const satisfies Record<string, RemovedField>

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

/** One check a removed field, over every recorded answer of the endpoint under version 2026-03-10. */
export function removedFieldChecks<const Needs extends NeedMap>(subject: RemovalSubject<Needs>): Check[] {
  return subject.fields.map(({ change, field, from, of }) => {
    const holder = of ?? `${from.join(' or ')} object`
    return check({
      id: `${subject.id}.removed-${field.replaceAll('_', '-')}`,
      requirement: `versioning.change-${change}`,
      level: 'must',
      title: `no ${holder} holds ${field}`,
      needs: subject.needs,
      endpoint: subject.endpoint,
      versions: ['2026-03-10'],
      schedule: 'afterwards',
      ...(subject.writes ? { writes: true } : {}),
      run: async (t, needs) => {
        const answers = answersOf(t, subject.endpoint, await subject.read(t, needs))
        const objects = answers.flatMap((exchange) => (of ? topLevelOf(exchange) : embedded(exchange, from, subject.also)))
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
  from: readonly ObjectKind[],
  also: RemovalSubject<NeedMap>['also'] = () => [],
): Located<JsonObject>[] {
  const byShape = objectsOf(exchange, from)
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
export function objectsOf(exchange: Exchange, kinds: readonly ObjectKind[]): Located<JsonObject>[] {
  if (!exchange.ok) return []
  return objectsWithin(exchange).filter(({ value }) => kinds.some((kind) => objectKinds[kind](value)))
}

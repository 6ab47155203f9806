import { createHash } from 'node:crypto'
import { anonymous, type Caller } from '../../src/http/exchange/caller.ts'
import { Exchange } from '../../src/http/exchange/exchange.ts'
import {
  type ChangeNumber,
  changes,
  familyOf,
  type PlacedKind,
  type RemovedField,
  removableNames,
  removedFields,
  replacementOf,
  type ShapedKind,
} from '../../src/spec/changes/changes.ts'
import { type Endpoint, endpoints } from '../../src/spec/endpoints.ts'
import { firstVersion, latestVersion } from '../../src/spec/versions.ts'
import type { Operation } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import {
  distinctBodies,
  isObject,
  itemsOf,
  type JsonObject,
  type Located,
  objectsWithin,
} from '../../src/suite/located.ts'
import { type NeedMap, need, optional, type Resolved, role } from '../../src/suite/needs.ts'
import { remembered } from '../../src/text/data.ts'
import { show } from '../../src/text/format.ts'

/** True for an object of a kind, by its members, anywhere in a body (readings G12). */
export const looksLike: Readonly<Record<ShapedKind, (object: JsonObject) => boolean>> = {
  repository: (object) => typeof object.full_name === 'string' && isObject(object.owner),
  'pull request': (object) => isObject(object.head) && isObject(object.base),
  issue: (object) =>
    Number.isInteger(object.number) && typeof object.title === 'string' && !('head' in object),
  gist: (object) => 'files' in object,
}

const shapedKinds = Object.keys(looksLike) as ShapedKind[]

/** True when an object looks like one of some kinds. */
export function looksLikeAny(kinds: readonly ShapedKind[], object: JsonObject) {
  return kinds.some((kind) => looksLike[kind](object))
}

/** The removals that concern objects embedded in many endpoints' bodies. */
export const embeddedRemovals = {
  squashTitle: removedFields(5)[0],
  hasDownloads: removedFields(12)[0],
  mergeCommit: removedFields(17)[0],
  assignee: removedFields(19)[0],
}

/** The fields that the newer version removes from the objects of an endpoint. */
export interface RemovalSubject<Needs extends NeedMap> {
  readonly fields: readonly RemovedField[]
  /** Other checks judge whether the older version still has the fields. */
  readonly keptJudgedApart?: boolean
  /** The endpoints whose objects are compared with these; all endpoints of the changes when absent. */
  readonly peers?: readonly Endpoint[]
  /** Further objects that have the field because of their place in the body. */
  readonly also?: (exchange: Exchange) => readonly Located<JsonObject>[]
  /** Reads the endpoint, so that at least one response is recorded. The exchanges that it returns are examined too. */
  readonly read: (t: CheckContext, needs: Resolved<Needs>) => Promise<unknown>
}

/** True if an object may have the field. Objects that are known by their place always may. */
export function canHave({ in: kinds }: RemovedField, object: JsonObject) {
  return typeof kinds === 'string' || looksLikeAny(kinds, object)
}

/** The members by which an object in the right place is recognised, so that its lack of the field can be judged. */
const members: Partial<Record<PlacedKind, (key: string) => boolean>> = {
  quota: (key) => key === 'resources' || key === 'rate',
  'API root': (key) => key.endsWith('_url'),
  'base gist': (key) => ['files', 'forks_url', 'commits_url'].includes(key),
  organization: (key) => key === 'login',
}

/** The top-level objects that have the field, or that their other members identify as the kind. */
function placed(exchange: Exchange, kind: PlacedKind, field: string) {
  const isKnown = members[kind] ?? (() => true)
  return topLevelOf(exchange).filter(
    ({ value }) => Object.hasOwn(value, field) || Object.keys(value).some(isKnown),
  )
}

/** The objects of some kinds in a body, with the further objects of `also`, each once. */
function embedded(
  exchange: Exchange,
  kinds: readonly ShapedKind[],
  also: RemovalSubject<NeedMap>['also'],
) {
  const all = remembered(outlines, exchange, () => objectsOf(exchange, shapedKinds).map(outlined))
  const byShape = all.filter(({ of }) => of.some((kind) => kinds.includes(kind)))
  return [
    ...new Map(
      [...byShape, ...(also?.(exchange) ?? []).map(outlined)].map((item) => [item.pointer, item]),
    ).values(),
  ]
}

/** The objects of all kinds in a body. They are kept, because the checks of all removed fields examine the same large bodies. */
const outlines = new WeakMap<Exchange, readonly ReturnType<typeof outlined>[]>()

/** An object with the members that a version removes or that replace them, and a digest of the names of the others. */
function outlined({ value, exchange, pointer }: Located<JsonObject>) {
  const names = Object.keys(value)
  const isJudged = (name: string) => removableNames.has(name) || name === assignees
  const others = names.filter((name) => !isJudged(name)).sort()
  const form = createHash('sha256').update(JSON.stringify(others)).digest('base64')
  const removable = names.filter(isJudged).map((name) => [name, value[name]] as const)
  const of = shapedKinds.filter((kind) => looksLike[kind](value))
  return {
    value: Object.fromEntries([[form, true], ...removable]) as JsonObject,
    exchange,
    pointer,
    of,
  }
}

/** The objects that can have a removed field, in the responses of the endpoint and in those that `read` returned. */
function relevantObjects(
  t: CheckContext,
  { endpoint, also }: { readonly endpoint?: Endpoint } & Pick<RemovalSubject<NeedMap>, 'also'>,
  { in: kinds, field }: RemovedField,
  read: unknown,
) {
  const responses = [read].flat().filter((response) => response instanceof Exchange)
  // Of equal bodies the first one is shown: that of the plain request, which was read here.
  return distinctBodies([...responses, ...(endpoint ? t.recorded(endpoint) : [])]).flatMap(
    (exchange) =>
      typeof kinds === 'string' ? placed(exchange, kinds, field) : embedded(exchange, kinds, also),
  )
}

/** The object that a served body is, or the objects that it lists. */
export function topLevelOf(exchange: Exchange): Located<JsonObject>[] {
  if (!exchange.ok) return []
  const all = Array.isArray(exchange.json)
    ? itemsOf(exchange)
    : [{ value: exchange.json, exchange, pointer: '' }]
  return all.filter((item): item is Located<JsonObject> => isObject(item.value))
}

/** The objects of some kinds in a served body, at any depth. */
export function objectsOf(exchange: Exchange, kinds: readonly ShapedKind[]): Located<JsonObject>[] {
  return exchange.ok ? objectsWithin(exchange, (object) => looksLikeAny(kinds, object)) : []
}

/** The checks of removed fields: the newer version omits them, and the older version does not omit them yet. */
export function removedFieldChecks<Needs extends NeedMap>(
  operation: Operation<Needs>,
  subject: RemovalSubject<Needs>,
) {
  return [
    ...lateRemovalChecks(operation, subject),
    ...(subject.keptJudgedApart ? [] : earlyRemovalChecks(operation, subject)),
  ]
}

/** One check for each removed field: no recorded response of the endpoint has it under the newer version. */
function lateRemovalChecks<Needs extends NeedMap>(
  operation: Operation<Needs>,
  subject: RemovalSubject<Needs>,
) {
  const recorded = operation.with({
    level: 'must',
    versions: [latestVersion],
    schedule: 'afterwards',
    conclusive: true,
  })
  return subject.fields.map((removal) => {
    const { change, field } = removal
    const holder = holderOf(removal)
    return recorded.check(
      `removed-${field.replaceAll('_', '-')}`,
      `omits ${field} from each ${holder}`,
      `versioning.change-${change}`,
      async (t, resolved) => {
        const objects = relevantObjects(
          t,
          { ...subject, ...operation },
          removal,
          await subject.read(t, resolved),
        )
        t.expectAll(objects, holder).satisfy(
          `no member ${field}`,
          (object) => !Object.hasOwn(object, field),
          (object) => `${field}: ${show(object[field])}`,
        )
      },
    )
  })
}

/** The name of the objects that have a removed field: their kind, or their place in the body (readings V10). */
const holderOf = ({ in: kinds }: RemovedField) =>
  typeof kinds === 'string' ? kinds : `${kinds.join(' or ')} object`

const declaredFor = (change: ChangeNumber) => optional(need('version-request', { change }))

/** Repositories, issues and pull requests embed each other: an address declared for one change also has the fields of the others. */
export const embeddingRequests = {
  change5: declaredFor(5),
  change12: declaredFor(12),
  change17: declaredFor(17),
  change19: declaredFor(19),
}

/** Needs that lead to more objects with the same members. */
const elsewhere = { witness: optional(role('owner')), ...embeddingRequests }
type Elsewhere = Resolved<typeof elsewhere>

/**
 * One check for each removed field: an object lacks it early if another object with the same members has it. Objects without such
 * a counterpart prove nothing (readings V2, V3).
 */
function earlyRemovalChecks<Needs extends NeedMap>(
  operation: Operation<Needs>,
  subject: RemovalSubject<Needs>,
) {
  const recorded = operation.with({
    level: 'should',
    versions: [firstVersion],
    schedule: 'afterwards',
  })
  return subject.fields
    .filter(({ in: kinds }) => typeof kinds !== 'string')
    .map((removal) => {
      const { field, change } = removal
      return recorded.check(
        `kept-${field.replaceAll('_', '-')}`,
        `keeps ${field} in all objects of the same shape`,
        { requirement: `versioning.change-${change}`, also: elsewhere },
        async (t, resolved, others) => {
          const all = relevantObjects(
            t,
            { ...subject, ...operation },
            removal,
            await subject.read(t, resolved),
          )
          // Callers without a token are left out, since a field may depend on the caller's rights (readings V2).
          const objects = all.filter(({ exchange }) => exchange.request.as !== anonymous.label)
          const known = await t.shared(
            `objects with removed fields${subject.peers ? ' of their own form' : ''}`,
            (once) => knownForms(once, others, subject.peers),
          )
          expectKept(t, objects, removal, known)
        },
      )
    })
}

/** Expects the field in each object with the other members of one that has it. Untested without such an object. */
export function expectKept(
  t: CheckContext,
  objects: readonly Located<JsonObject>[],
  { field }: RemovedField,
  known: ReadonlySet<string> = new Set(),
) {
  const full = new Set([...known, ...formsWith(field, objects)])
  const alike = objects.filter(({ value }) => full.has(formOf(value, field)))
  if (objects.length > 0 && alike.length === 0)
    t.untested(`no object of this run with the same members has ${field}`, 'version-request')
  expectMember(t, alike, field, 'object', `${field}, as in other objects with the same members`)
}

const { field: assignees } = replacementOf(19)

/** True for an object in which the successor of a removed field has a value. */
const isSucceeded: Readonly<Record<string, (object: JsonObject) => boolean>> = {
  rate: ({ resources }) => isObject(resources) && isObject(resources.core),
  bundle: (object) => typeof object[replacementOf(21).field] === 'string',
  assignee: (object) => Array.isArray(object[assignees]) && object[assignees].length > 0,
}

/** Expects a field in each object. It is as absent if it is null in all of them, although its successor has a value (readings V2). */
export function expectMember(
  t: CheckContext,
  objects: readonly Located<JsonObject>[],
  field: string,
  holder: string,
  expected = `the member ${field}`,
) {
  const hasSuccessor = objects.some(({ value }) => isSucceeded[field]?.(value))
  const isNull = hasSuccessor && objects.every(({ value }) => value[field] === null)
  t.expectAll(objects, holder).satisfy(
    expected,
    (object) => Object.hasOwn(object, field) && !isNull,
    () => (isNull ? 'null' : `no ${field}`),
  )
}

const everyEmbedded = Object.values(embeddedRemovals)
const removedNames = new Set(everyEmbedded.map(({ field }) => field))

/** The key of an object's form: the removed field, and the object's other members. */
function formOf(object: JsonObject, field: string) {
  const others = Object.keys(object).filter((key) => !removedNames.has(key))
  return [field, ...others.sort()].join(' ')
}

const formsWith = (field: string, objects: readonly Located<JsonObject>[]) =>
  objects
    .filter(({ value }) => Object.hasOwn(value, field))
    .map(({ value }) => formOf(value, field))

/** The endpoints that embed repositories, issues or pull requests. */
const affected = changes
  .filter(({ number }) => everyEmbedded.some(({ change }) => change === number))
  .flatMap(({ affects }) => affects)

/** The forms of all objects that have a removed field, in recorded responses and at declared addresses. */
async function knownForms(t: CheckContext, others: Elsewhere, peers?: readonly Endpoint[]) {
  const read = await readElsewhere(t, peers ? { witness: others.witness } : others)
  const recorded = [...new Set(peers ?? affected)].flatMap((endpoint) => t.recorded(endpoint))
  return new Set(
    everyEmbedded.flatMap((each) =>
      formsWith(each.field, relevantObjects(t, {}, each, [...recorded, ...read])),
    ),
  )
}

/** Reads the inbox, one of its threads and the declared addresses, as far as they are served. */
async function readElsewhere(t: CheckContext, { witness, ...declared }: Partial<Elsewhere>) {
  if (!witness) return []
  const requests = Object.values(declared).flatMap((family) => family?.requests ?? [])
  const inbox = await t.read({ endpoint: endpoints.listNotifications, as: witness })
  const specs = requests
    .filter(({ method, as = 'owner' }) => method === 'GET' && as === 'owner')
    .map(({ path }) => ({ endpoint: familyOf(12), path, as: witness }))
  return [
    inbox,
    ...(await threadOf(t, inbox, witness)),
    ...(await Promise.all(specs.map((spec) => t.read(spec)))),
  ]
}

async function threadOf(t: CheckContext, { json }: Exchange, as: Caller) {
  const [first] = Array.isArray(json) ? json : []
  if (!isObject(first)) return []
  return [
    await t.read({ endpoint: endpoints.getThread, params: { thread_id: String(first.id) }, as }),
  ]
}

import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../src/http/exchange/request-spec.ts'
import { methods, parametersIn, pathParameters } from '../../src/spec/endpoints.ts'
import type { RestoreRequest } from '../../src/spec/needs.ts'
import type { PermissionRow } from '../../src/spec/permissions/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { briefly, shortly, unchanged } from '../../src/suite/observe.ts'
import { Untested } from '../../src/suite/untested.ts'
import { atPointer } from '../../src/text/data.ts'
import { unlessUntested } from '../common/proof.ts'
import { type Attempt, differences } from './evidence.ts'

/** The object of a row's request. Its facts end with it: a record of its own follows for the next object. */
export interface RowObject {
  readonly row: PermissionRow
  readonly owner: Caller
  readonly request: RowRequest
  /** A permitted write was served, whose effect may come late. */
  written: boolean
  /** An entitled write was not served, and may have used up the object. */
  doubtful: boolean
}

/** Reads the object as its owner; undefined if no address returns it. */
export async function read(t: CheckContext, { request: { readBack }, owner }: RowObject) {
  if (!readBack) return undefined
  const { path } = readBack
  return t.send({ endpoint: { method: 'GET', path }, path, as: owner })
}

/** An earlier and a present reading of an object; undefined if no address returns it. */
export async function compared(t: CheckContext, object: RowObject, before?: Exchange) {
  // A rejected write may take effect a moment after the response.
  if (before) await shortly(t, 'an effect of a rejected request')
  return before && (await comparedNow(t, object, before))
}

async function comparedNow(t: CheckContext, object: RowObject, before: Exchange) {
  const after = await read(t, object)
  return after && { before, after, moved: await hasMoved(t, object, before, after) }
}

/** Whether the target performs writes in the background, as far as its responses have shown. */
const backgroundOf = (t: CheckContext) =>
  t.shared('writes in the background', async () => ({ isSeen: false }))

/** Reads an object before a write, if the work behind the write is awaited. */
export async function readBefore(t: CheckContext, object: RowObject) {
  const { isSeen } = await backgroundOf(t)
  return isSeen ? read(t, object) : undefined
}

/** Waits for the work behind a 202: until the object differs from its reading before the write, or is at rest. */
async function awaitWork(
  t: CheckContext,
  object: RowObject,
  { status }: Exchange,
  before?: Exchange,
) {
  if (status !== 202) return
  const background = await backgroundOf(t)
  background.isSeen = true
  const changed =
    before &&
    (await briefly(
      t,
      'the object to change',
      () => comparedNow(t, object, before),
      (look) => look?.moved !== false,
    ))
  if (!changed?.met) await atRest(t, object)
}

/** True when two readings differ, except in places that change by themselves: a third reading identifies these. */
async function hasMoved(t: CheckContext, object: RowObject, before?: Exchange, after?: Exchange) {
  const pointer = object.request.readBack?.pointer
  const places = before && after ? [...differences(before, after, pointer)] : []
  const again = after && places.length > 0 ? await read(t, object) : undefined
  const restless = after && again ? differences(after, again, pointer) : new Set()
  // Another program changes a list that differs as a whole between two readings.
  return places.some((place) => place === (pointer ?? '') || !restless.has(place))
}

/** A reading of the object at rest; undefined if it keeps changing. `look` is `stillUnchanged` for one that was at rest before. */
export async function atRest(t: CheckContext, object: RowObject, look = unchanged) {
  const same = async (before?: Exchange, after?: Exchange) =>
    !(await hasMoved(t, object, before, after))
  return look(t, 'the object to come to rest', () => read(t, object), same)
}

/** Restores the object after a served write. False if it cannot be restored and is thus used up. */
export async function putBack(
  t: CheckContext,
  object: RowObject,
  response: Exchange,
  before?: Exchange,
) {
  const { row, request } = object
  object.written = true
  await awaitWork(t, object, response, before)
  if (await restored(t, object, response)) return true
  if (request.restore.length > 0 || response.status === 201 || request.basis === 'absent')
    t.leavesBehind(
      `the effect of ${row.method} ${request.send.path ?? row.path}, sent by a permission check`,
    )
  return false
}

/** Sends the requests that restore the object; false if there are none or one fails. */
export async function restored(t: CheckContext, object: RowObject, response: Exchange) {
  const { restore } = object.request
  for (const { method, path, body } of restore) {
    const address = filled(path, response.json)
    const known = methods.find((name) => name === method)
    if (address === undefined || known === undefined) return false
    const endpoint = { method: known, path: address }
    const before = await readBefore(t, object)
    const sent = await t
      .send({ endpoint, path: address, body, as: object.owner })
      .catch(() => undefined)
    if (!sent?.ok) return false
    await awaitWork(t, object, sent, before)
  }
  return restore.length > 0
}

/** An address with values of a response in place of the JSON pointers in braces; undefined if the response lacks one. */
function filled(path: string, json: unknown) {
  const pointers = [...path.matchAll(/\{(\/[^}]*)\}/g)].map(([, at = '']) => at)
  if (pointers.some((at) => atPointer(json, at) === undefined)) return undefined
  return path.replace(/\{(\/[^}]*)\}/g, (_, at: string) =>
    encodeURIComponent(String(atPointer(json, at)).toWellFormed()),
  )
}

/**
 * The request that judges a row. `target`: valid, on a disposable object. `fixture`: a read of data of other needs. `absent`: a
 * write to an id that does not exist, which proves only refusals that differ from the owner's response (readings F1, F2).
 */
export interface RowRequest {
  readonly basis: Attempt['basis']
  readonly send: Omit<RequestSpec, 'as'>
  /** The address that returns the object, and the part of it that a write changes. */
  readonly readBack?: { readonly path: string; readonly pointer?: string }
  /** The requests that restore the object. Without them, a served write uses the object up. */
  readonly restore: readonly RestoreRequest[]
  /** The known parameters of the path. */
  readonly params: Readonly<Record<string, string>>
}

/** The request of a row, on its next disposable object if there is one. Throws {@link Untested} if no harmless request is known. */
export async function requestOn(
  t: CheckContext,
  row: PermissionRow,
  owner: Caller,
  isFirst: boolean,
): Promise<RowRequest> {
  const target = await unlessUntested(targetRequest(t, row))
  if (target) return target
  if (!isFirst) return untestedForTarget(row, 'its disposable objects have been used up')
  return (
    (await harmlessRequest(t, row, owner)) ?? untestedForTarget(row, 'no harmless request is known')
  )
}

async function targetRequest(
  t: CheckContext,
  { method, path, endpoint }: PermissionRow,
): Promise<RowRequest> {
  const target = await t.ask('permission-target', { row: { method, path } })
  const params = paramsOf(t.spelled(path), target.path) ?? paramsOf(path, target.path)
  if (!params)
    throw new Untested(`the permission-target ${target.path} does not match ${method} ${path}`)
  const readBack = typeof target.readBack === 'string' ? { path: target.readBack } : target.readBack
  return {
    basis: 'target',
    params,
    send: { endpoint, path: target.path, body: target.body },
    ...(readBack ? { readBack } : {}),
    restore: [target.restore ?? []].flat(),
  }
}

/** The values of a template's parameters in a path, by position: a target may have other words between them. */
function paramsOf(template: string, path: string): Record<string, string> | undefined {
  const [address = ''] = path.split('?')
  const words = address.split('/')
  const parts = template
    .split('/')
    .map((part, index) => (part.startsWith('{') ? part : (words[index] ?? '')))
  return parametersIn(parts.join('/'), address)
}

/** A harmless request on data of other needs, or on an id that does not exist; undefined if the row has none. */
async function harmlessRequest(
  t: CheckContext,
  row: PermissionRow,
  owner: Caller,
): Promise<RowRequest | undefined> {
  const { access, endpoint, method, path } = row
  const params: Record<string, string> = {}
  for (const name of pathParameters(path)) {
    const ofOwner = name === 'username' && path.startsWith('/users/') && owner.login
    const readable = ofOwner || (name === 'ref' ? 'HEAD' : undefined)
    const value = (await knownValue(t, name)) ?? (access === 'write' ? absentId(name) : readable)
    if (value === undefined) return undefined
    params[name] = value
  }
  if (access === 'read')
    return { basis: 'fixture', params, send: { endpoint, params }, restore: [] }
  if (Object.keys(params).every((name) => ['org', 'owner', 'repo'].includes(name))) return undefined
  const body = method === 'DELETE' ? {} : { body: { conformance_probe: true } }
  return { basis: 'absent', params, send: { endpoint, params, ...body }, restore: [] }
}

async function knownValue(t: CheckContext, name: string) {
  if (name === 'org') return (await t.ask('organization', {})).org
  if (name === 'owner' || name === 'repo') return (await t.ask('private-repository', {}))[name]
  return undefined
}

/** A name or an id that is unlikely to exist: for the others, 2^31 − 2, a valid 32-bit number. */
function absentId(name: string) {
  if (name === 'username') return 'conformance-no-such-user-9d41c7'
  return name === 'sha' ? 'f'.repeat(40) : name === 'gist_id' ? 'f'.repeat(32) : '2147483646'
}

/** Throws {@link Untested} for a missing disposable object of the row. */
export function untestedForTarget(row: PermissionRow, reason: string): never {
  const how = `give a permission-target for ${row.method} ${row.path} under needs, or let the provider supply the need`
  throw new Untested(`${reason}; ${how}`, [{ need: 'permission-target', how }])
}

import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { methods } from '../../src/spec/endpoints.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type Policy, policies, settled } from '../../src/suite/observe.ts'
import { atPointer } from '../../src/text/data.ts'
import { differences } from './evidence.ts'
import type { RowRequest } from './row-request.ts'

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
export async function read(t: CheckContext, { request: { readBack }, owner }: RowObject): Promise<Exchange | undefined> {
  if (!readBack) return undefined
  const { path } = readBack
  return t.send({ endpoint: { method: 'GET', path }, path, as: owner })
}

/** An earlier reading of an object beside a present one; undefined if no address returns it. */
export async function compared(t: CheckContext, object: RowObject, before?: Exchange) {
  const after = before && (await read(t, object))
  return after && { before, after, moved: await hasMoved(t, object, before, after) }
}

/** True when two readings differ, except in places that change by themselves: a third reading identifies these. */
async function hasMoved(t: CheckContext, object: RowObject, before?: Exchange, after?: Exchange): Promise<boolean> {
  const pointer = object.request.readBack?.pointer
  const places = before && after ? [...differences(before, after, pointer)] : []
  const again = after && places.length > 0 ? await read(t, object) : undefined
  const restless = after && again ? differences(after, again, pointer) : new Set()
  // Another program changes a list that differs as a whole between two readings.
  return places.some((place) => place === (pointer ?? '') || !restless.has(place))
}

/** A reading of the object at rest; undefined if it keeps changing. */
export async function atRest(t: CheckContext, object: RowObject, policy: Policy = policies.rest): Promise<Exchange | undefined> {
  const { method, path } = object.row
  const same = async (before?: Exchange, after?: Exchange) => !(await hasMoved(t, object, before, after))
  return settled(t, `the object of ${method} ${path} to come to rest`, () => read(t, object), same, policy)
}

/** Restores the object after a served write. False if it cannot be restored and is thus used up. */
export async function putBack(t: CheckContext, object: RowObject, answer: Exchange): Promise<boolean> {
  const { row, request } = object
  object.written = true
  if (answer.status === 202) await atRest(t, object)
  if (await restored(t, object, answer)) return true
  if (request.restore.length > 0 || answer.status === 201 || request.basis === 'absent')
    t.leavesBehind(`the effect of ${row.method} ${request.send.path ?? row.path}, sent by a permission check`)
  return false
}

/** Sends the requests that restore the object; false if there are none or one fails. */
export async function restored(t: CheckContext, object: RowObject, answer: Exchange): Promise<boolean> {
  const { restore } = object.request
  for (const { method, path, body } of restore) {
    const address = filled(path, answer.json)
    const known = methods.find((name) => name === method)
    if (address === undefined || known === undefined) return false
    const spec = { endpoint: { method: known, path: address }, path: address, as: object.owner }
    const response = await t.send({ ...spec, ...(body === undefined ? {} : { body }) }).catch(() => undefined)
    if (!response?.ok) return false
    if (response.status === 202) await atRest(t, object)
  }
  return restore.length > 0
}

/** An address with values of a response in place of the JSON pointers in braces; undefined if the response lacks one. */
function filled(path: string, json: unknown): string | undefined {
  const pointers = [...path.matchAll(/\{(\/[^}]*)\}/g)].map(([, at = '']) => at)
  if (pointers.some((at) => atPointer(json, at) === undefined)) return undefined
  return path.replace(/\{(\/[^}]*)\}/g, (_, at: string) => encodeURIComponent(String(atPointer(json, at)).toWellFormed()))
}

import type { Caller } from '../../src/http/exchange/caller.ts'
import type { RequestSpec } from '../../src/http/exchange/request-spec.ts'
import { parametersIn, pathParameters } from '../../src/spec/endpoint.ts'
import type { RestoreRequest } from '../../src/spec/needs.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Untested } from '../../src/suite/untested.ts'
import { unlessUntested } from '../common/proof.ts'

/**
 * The request that judges a row. `target`: valid, on a disposable object. `fixture`: a read of data of other needs. `absent`: a
 * write to an id that does not exist, which proves only refusals that differ from the owner's response (readings F1, F2).
 */
export interface RowRequest {
  readonly basis: 'target' | 'fixture' | 'absent'
  readonly send: Omit<RequestSpec, 'as'>
  /** The address that returns the object, and the part of it that a write changes. */
  readonly readBack?: { readonly path: string; readonly pointer?: string }
  /** The requests that restore the object. Without them, a served write uses the object up. */
  readonly restore: readonly RestoreRequest[]
  /** The known parameters of the path. */
  readonly params: Readonly<Record<string, string>>
}

/** The request of a row, on its next disposable object if there is one. Throws {@link Untested} if no harmless request is known. */
export async function requestOn(t: CheckContext, row: PermissionRow, owner: Caller, isFirst: boolean): Promise<RowRequest> {
  const target = await unlessUntested(targetRequest(t, row))
  if (target) return target
  if (!isFirst) return untestedForTarget(row, 'its disposable objects have been used up')
  return (await harmlessRequest(t, row, owner)) ?? untestedForTarget(row, 'no harmless request is known')
}

async function targetRequest(t: CheckContext, row: PermissionRow): Promise<RowRequest> {
  const { method, path } = row
  const target = await t.ask('permission-target', { row: { method, path } })
  const params = paramsOf(t.spelled(path), target.path) ?? paramsOf(path, target.path)
  if (!params) throw new Untested(`the permission-target ${target.path} does not match ${method} ${path}`)
  const body = target.body === undefined ? {} : { body: target.body }
  const readBack = typeof target.readBack === 'string' ? { path: target.readBack } : target.readBack
  return {
    basis: 'target',
    params,
    send: { endpoint: row.endpoint, path: target.path, ...body },
    ...(readBack ? { readBack } : {}),
    restore: [target.restore ?? []].flat(),
  }
}

/** A harmless request from other needs; undefined if the row has none. */
async function harmlessRequest(t: CheckContext, row: PermissionRow, owner: Caller): Promise<RowRequest | undefined> {
  const params: Record<string, string> = {}
  for (const name of pathParameters(row.path)) {
    const value = await parameterValue(t, name, row, owner)
    if (value === undefined) return undefined
    params[name] = value
  }
  if (row.access === 'read') return { basis: 'fixture', params, send: { endpoint: row.endpoint, params }, restore: [] }
  if (!Object.keys(params).some((name) => name in absentIds)) return undefined
  const body = row.method === 'DELETE' ? {} : { body: { conformance_probe: true } }
  return { basis: 'absent', params, send: { endpoint: row.endpoint, params, ...body }, restore: [] }
}

/** 2^31 − 2: a valid 32-bit id that is unlikely to exist. */
const unlikelyId = '2147483646'

/** Names and ids that are unlikely to exist, by the parameter. */
const absentIds: Readonly<Record<string, string>> = {
  username: 'conformance-no-such-user-9d41c7',
  sha: 'f'.repeat(40),
  gist_id: 'f'.repeat(32),
  ...Object.fromEntries(
    ['campaign_number', 'issue_type_id', 'pat_request_id', 'pat_id', 'alert_number', 'gpg_key_id', 'comment_id']
      .concat('key_id', 'ssh_signing_key_id')
      .map((name) => [name, unlikelyId]),
  ),
}

async function parameterValue(t: CheckContext, name: string, row: PermissionRow, owner: Caller): Promise<string | undefined> {
  if (name === 'org') return (await t.ask('organization', {})).org
  if (name === 'owner') return (await t.ask('private-repository', {})).owner
  if (name === 'repo') return (await t.ask('private-repository', {})).repo
  if (name === 'username' && row.path.startsWith('/users/')) return owner.login
  if (name === 'ref') return 'HEAD'
  return row.access === 'write' ? absentIds[name] : undefined
}

/** The values of a template's parameters in a path, by position: a target may have words of its own between them. */
function paramsOf(template: string, path: string): Record<string, string> | undefined {
  const [address = ''] = path.split('?')
  const exact = parametersIn(template, address)
  if (exact) return exact
  const [names, values] = [template.split('/'), address.split('/')]
  if (names.length !== values.length) return undefined
  const pairs = names.map((name, index): [string, string] => [name, values[index] ?? ''])
  return Object.fromEntries(
    pairs.filter(([name]) => name.startsWith('{')).map(([name, value]) => [name.slice(1, -1), decodeURIComponent(value)]),
  )
}

/** Throws {@link Untested} for a missing disposable object of the row. */
export function untestedForTarget(row: PermissionRow, reason: string): never {
  const how = `give a permission-target for ${row.method} ${row.path} under needs, or let the provider answer the need`
  throw new Untested(`${reason}; ${how}`, [{ need: 'permission-target', how }])
}

import type { Caller } from '../../src/http/exchange/caller.ts'
import type { RequestSpec } from '../../src/http/exchange/request-spec.ts'
import { parametersIn } from '../../src/spec/endpoints.ts'
import type { RestoreRequest } from '../../src/spec/needs.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Untested } from '../../src/suite/untested.ts'

/**
 * The request that judges a row. `target`: valid, on a disposable object. `fixture`: a read of what other needs name.
 * `absent`: a write to an id that does not exist, which shows refusals only where they differ from the owner's answer (readings F1, F2).
 */
export interface RowRequest {
  readonly basis: 'target' | 'fixture' | 'absent'
  readonly send: Omit<RequestSpec, 'as'>
  /** What shows whether a write happened. */
  readonly readBack?: { readonly path: string; readonly pointer?: string }
  /** What puts the object back; without it, a served write uses the object up. */
  readonly restore: readonly RestoreRequest[]
  /** The path's parameters as far as they are known. */
  readonly params: Readonly<Record<string, string>>
}

/** The next disposable object of a row. Throws {@link Untested} when there is none. */
export async function targetRequest(t: CheckContext, row: PermissionRow): Promise<RowRequest> {
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

/** A request that harms nothing, made from other needs. Throws {@link Untested} where the row has none. */
export async function harmlessRequest(t: CheckContext, row: PermissionRow, owner: Caller): Promise<RowRequest | undefined> {
  const params: Record<string, string> = {}
  for (const [, name] of row.path.matchAll(/\{([^}]+)\}/g)) {
    const value = await parameterValue(t, name as string, row, owner)
    if (value === undefined) return undefined
    params[name as string] = value
  }
  if (row.access === 'read') return { basis: 'fixture', params, send: { endpoint: row.endpoint, params }, restore: [] }
  if (!Object.keys(params).some((name) => name in absentIds)) return undefined
  const body = row.method === 'DELETE' ? {} : { body: { conformance_probe: true } }
  return { basis: 'absent', params, send: { endpoint: row.endpoint, params, ...body }, restore: [] }
}

/** Names and numbers that nothing has. */
const absentIds: Readonly<Record<string, string>> = {
  username: 'conformance-no-such-user-9d41c7',
  campaign_number: '2147483646',
  issue_type_id: '2147483646',
  pat_request_id: '2147483646',
  pat_id: '2147483646',
  sha: 'f'.repeat(40),
  alert_number: '2147483646',
  gpg_key_id: '2147483646',
  gist_id: 'f'.repeat(32),
  comment_id: '2147483646',
  key_id: '2147483646',
  ssh_signing_key_id: '2147483646',
}

async function parameterValue(t: CheckContext, name: string, row: PermissionRow, owner: Caller): Promise<string | undefined> {
  if (name === 'org') return (await t.ask('organization', {})).org
  if (name === 'owner') return (await t.ask('private-repository', {})).owner
  if (name === 'repo') return (await t.ask('private-repository', {})).repo
  if (name === 'username' && row.path.startsWith('/users/')) return owner.login
  if (name === 'ref') return 'HEAD'
  return row.access === 'write' ? absentIds[name] : undefined
}

/** The values of a template's parameters in a path, by position: the words between may be the target's own. */
function paramsOf(template: string, path: string): Record<string, string> | undefined {
  const [address = ''] = path.split('?')
  const exact = parametersIn(template, address)
  if (exact) return exact
  const wanted = template.split('/')
  const given = address.split('/')
  if (wanted.length !== given.length) return undefined
  const pairs = wanted.map((part, index): [string, string] => [part, given[index] as string])
  return Object.fromEntries(
    pairs.filter(([part]) => part.startsWith('{')).map(([part, value]) => [part.slice(1, -1), decodeURIComponent(value)]),
  )
}

/** Throws for want of the row's disposable object. */
export function untestedForTarget(row: PermissionRow, reason: string): never {
  const how = `give a permission-target for ${row.method} ${row.path} under needs, or let the provider answer the need`
  throw new Untested(`${reason}; ${how}`, [{ need: 'permission-target', how }])
}

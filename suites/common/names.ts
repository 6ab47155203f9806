import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import { redirectTarget } from '../../src/http/exchange/redirect.ts'
import type { RequestSpec } from '../../src/http/exchange/request-spec.ts'
import { type Endpoint, endpoints } from '../../src/spec/endpoints.ts'
import { isLatest } from '../../src/spec/versions.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type ListAddress, Listing } from '../../src/suite/listing.ts'
import { isObject } from '../../src/suite/located.ts'
import { entityTag, modificationDate } from '../../src/suite/poll-session.ts'
import { counted } from '../../src/text/format.ts'
import { unlessUntested } from './proof.ts'

/** An unknown name, no longer than logins may commonly be. All checks use the same one, so that they share its response. */
export const unknownName = 'no-such-6f1d0c39-2b7e-4c85'

/** The headers of a conditional read with validators that the target never sent. */
export const neverSent = {
  [entityTag.request]: entityTag.foreign,
  [modificationDate.request]: modificationDate.foreign,
}

/** The same name in other letter case. Only ASCII letters change, since others have no partner or several: `ß` becomes `SS`. */
function swapCase(text: string) {
  const upper = text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
  return upper === text ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : upper
}

/** Reads a list with a value of one path parameter that does not exist. */
export function readRenamed(t: CheckContext, address: ListAddress, parameter: string) {
  const params = { ...address.params, [parameter]: unknownName }
  return t.read(new Listing(t, { ...address, params }).request())
}

/** A form of a request with the same rights: names in other letter case, or `bare`, without its optional parts. */
export type Form = 'renamed' | 'bare'

/** The optional parts of a request, as it is described: `page=2, Accept: none, If-None-Match`. */
function peculiarities({ query = {}, accept, headers = {} }: RequestSpec) {
  const members = Object.entries(query).map((member) => member.join('='))
  return [...members, `Accept: ${accept ?? 'none'}`, ...Object.keys(headers)].join(', ')
}

/** A request in another form; undefined if it has none. The bare one has another Accept and size of its later page in each version. */
export function inForm(t: CheckContext, spec: RequestSpec, form: Form): RequestSpec | undefined {
  const { endpoint, params = {}, query, path, extra } = spec
  if (form === 'bare') {
    const { paging } = endpoint as Endpoint
    const bare = {
      ...spec,
      ...(paging ? { query: { per_page: isLatest(t) ? paging.max : 1, page: 2, ...query } } : {}),
      accept: isLatest(t) ? 'application/json' : null,
    }
    return { ...bare, extra: `with ${peculiarities(bare)}, none of which gives access` }
  }
  const swapped = Object.entries(params).map(([name, value]) => [
    name,
    /^(org|owner|repo.*|username)$/.test(name) ? swapCase(String(value)) : value,
  ])
  const isOther = swapped.some(([name = '', value]) => value !== params[name])
  return isOther && path === undefined
    ? {
        ...spec,
        params: Object.fromEntries(swapped),
        extra: `with names in other letter case${extra ? `, ${extra}` : ''}`,
      }
    : undefined
}

/** True if the target serves an organization's events under a name in other letter case as well. */
export function ignoresCase(t: CheckContext, as: Caller) {
  return t.shared('the letter case of names', async (once) => {
    const params = await unlessUntested(once.ask('organization', {}))
    const request = inForm(
      once,
      { endpoint: endpoints.organizationEvents, params: { ...params }, as },
      'renamed',
    )
    const response = request && (await unlessUntested(once.read(request)))
    return response !== undefined && isServedIn('renamed', response)
  })
}

/** True for a served request. An empty list for a name in other letter case does not count: the name may be unknown (readings C13). */
export function isServedIn(form: Form, { ok, status, json, isList, count }: Exchange) {
  return ok && (form === 'bare' || (isList ? count > 0 : status === 204 || isObject(json)))
}

/** Sends a refused read in other forms. Returns the served responses. */
export async function readOtherwise(
  t: CheckContext,
  spec: RequestSpec,
  forms: readonly Form[] = ['renamed', 'bare'],
) {
  if (spec.endpoint.method !== 'GET') return []
  const responses = forms.map(async (form) => {
    const request = inForm(t, spec, form)
    const response = request && (await unlessUntested(t.read(request)))
    return response && isServedIn(form, response) ? [response] : []
  })
  return (await Promise.all(responses)).flat()
}

/** Letter case in a path parameter makes no difference (readings C15). Returns the list under the other name, unless another host has it. */
export async function expectCaseIgnored(
  t: CheckContext,
  address: ListAddress,
  parameter: string,
): Promise<Listing | undefined> {
  const original = await new Listing(t, address).page()
  const value = String(address.params?.[parameter])
  const swapped = swapCase(value)
  if (swapped === value) t.untested(`the value of {${parameter}} has no letters`)
  const params = { ...address.params, [parameter]: swapped }
  const renamed = new Listing(t, { ...address, params })
  const response = await t.read(renamed.request())
  if (redirectTarget(response)?.sameOrigin === false) return void t.examined(1)
  t.expect(response).status(200).array()
  if (original.count === 0)
    t.untested('the list is empty, so it cannot be distinguished from the list of an unknown name')
  t.expect(response, original).satisfy(
    'the items of the same list',
    response.count > 0,
    'an empty array',
  )
  // The control: where every name has the same items, the letters of a name have no meaning (readings G15).
  const unknown = await readRenamed(t, address, parameter)
  if (unknown.ok && unknown.count > 0) t.untested('a name that does not exist has items as well')
  return renamed
}

/** The list of a name that does not exist is refused, or empty (readings C13). */
export async function expectNoneForUnknown(
  t: CheckContext,
  address: ListAddress,
  parameter: string,
) {
  const original = await new Listing(t, address).page()
  const response = await readRenamed(t, address, parameter)
  if (response.status === 200 && original.count === 0)
    t.untested('the list of the existing name is empty as well')
  const count = response.status === 200 ? response.count : 0
  const failed = response.status >= 500
  t.expect(response).satisfy(
    `no item for an unknown {${parameter}}`,
    count === 0 && !failed,
    failed ? String(response.status) : counted(count, 'item'),
  )
}

/** True when an address ends with a path, or with the path and a slash: hosts and prefixes may differ behind proxies (readings D25). */
export function endsWith(address: unknown, path: string) {
  return typeof address === 'string' && address.replace(/\/?([?#].*)?$/, '').endsWith(path)
}

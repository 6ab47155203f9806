import { anonymous } from '../../src/http/exchange/caller.ts'
import type { Exchange } from '../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../src/http/exchange/request-spec.ts'
import { changeEndpoints } from '../../src/spec/changes/changes.ts'
import { type Endpoint, endpoints } from '../../src/spec/endpoints.ts'
import type { NeedName } from '../../src/spec/needs.ts'
import type { Operation } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type ListAddress, Listing, sameIdSet } from '../../src/suite/listing.ts'
import {
  distinctBodies,
  distinctItems,
  isObject,
  type JsonObject,
  type Located,
} from '../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../src/suite/needs.ts'
import { briefly, sendUntil } from '../../src/suite/observe.ts'
import { countsText } from './paging.ts'
import { unlessUntested } from './proof.ts'

/** Any JSON media type, with parameters (readings H4). */
export const jsonMediaType = {
  name: 'a JSON media type',
  pattern: /^application\/([\w.+-]+\+)?json\s*(;|$)|^text\/json\s*(;|$)/i,
}

/** Reads the items that checks judge, by any endpoint that returns them. */
export type ReadItems<Needs extends NeedMap> = (
  t: CheckContext,
  needs: Resolved<Needs>,
) => Promise<readonly Located[]>

/** A list that checks of an endpoint read. */
export interface ServedList<Needs extends NeedMap> {
  /** The address of the list, which may depend on the data of the target. */
  readonly at: (needs: Resolved<Needs>, t: CheckContext) => ListAddress | Promise<ListAddress>
  /** The requirement of the endpoint's row. */
  readonly requirement: string
  /** Statuses that the row lists without a trigger: they are not judged (readings C14, C23). */
  readonly excuses?: readonly number[]
}

/** The check of the Content-Type of responses. */
export function mediaTypeCheck<Needs extends NeedMap>(
  operation: Operation<Needs>,
  read: (t: CheckContext, needs: Resolved<Needs>) => Promise<readonly Exchange[]>,
) {
  return operation.check(
    'media-type',
    'sends a JSON media type as Content-Type',
    'conventions.json',
    async (t, needs) => {
      for (const response of await read(t, needs))
        t.expect(response).header('content-type', jsonMediaType)
    },
  )
}

/** The checks that a list returns 200 and a JSON array, with and without an Accept header. */
export function servedChecks<Needs extends NeedMap>(
  served: Operation<Needs>,
  list: ServedList<Needs>,
) {
  const { requirement } = list
  const open = async (t: CheckContext, resolved: Resolved<Needs>) =>
    new Listing(t, await list.at(resolved, t))
  return [
    served.check('status', 'returns 200 with a JSON array', requirement, async (t, resolved) => {
      const request = (await open(t, resolved)).request()
      const response = await t.read(request)
      if (list.excuses?.includes(response.status))
        t.untested(
          `the response was ${response.status}, which the document lists without stating when it applies`,
        )
      if (request.as === anonymous && response.refused)
        await t.missing(
          { type: 'role', role: 'owner' },
          'the target rejects requests without a token',
        )
      if (response.refused) await requireGiven(t, request)
      // A late replica may return 404 for new data (readings G16).
      const served =
        response.status === 404 ? await sendUntil(t, request, undefined, briefly) : response
      t.expect(served).status(200).array()
    }),
    mediaTypeCheck(served.with({ schedule: 'afterwards' }), async (t, resolved) => {
      const address = await list.at(resolved, t)
      const pages = [await new Listing(t, address).page(), ...t.recorded(address.endpoint)]
      return pages.filter(({ ok, isList }) => ok && isList)
    }),
    served.check(
      'without-accept',
      'accepts a request without an Accept header',
      'conventions.accept-optional',
      async (t, resolved) => {
        const listing = await open(t, resolved)
        for (const query of [{}, { per_page: 1, page: 1 }]) {
          const send = async () => {
            const response = await t.send({ ...listing.request(query), accept: null })
            t.expect(response).status(200).array()
            return response
          }
          const same = (ids: string[], response: Exchange) => sameIdSet(ids, listing.ids(response))
          await listing.page(query)
          // A list that changes all the time cannot be compared.
          const look = await unlessUntested(listing.sharedBracket(query, send, same))
          if (!look) continue
          t.expect(look.result, look.page).satisfy(
            'the same items as with an Accept header',
            same(look.ids, look.result),
            countsText(look.ids, listing.ids(look.result)),
          )
        }
      },
    ),
  ]
}

/** Ends the check as untested if the token may not read the given data at another address either (readings G17). */
export async function requireGiven(t: CheckContext, request: RequestSpec, given?: NeedName) {
  const { endpoint, params = {}, as } = request
  const { repositoryEvents, networkEvents } = endpoints
  const ofRepository = endpoint.path === repositoryEvents.path ? networkEvents : repositoryEvents
  const controls = [
    ['repo', ofRepository, 'public-repository'],
    ['org', changeEndpoints.organization, 'organization'],
    ['migration_id', endpoints.getMigration, 'many-repositories'],
  ] as const
  const [, control, usual] = controls.find(([parameter]) => parameter in params) ?? []
  if (!control) return
  const response = await t.read({ endpoint: control, params, as })
  const { pathname } = new URL(response.request.url)
  if (response.refused)
    t.untested(
      `the same token may not read ${pathname} either (${response.status})`,
      given ?? usual,
    )
}

/** Every distinct object in the recorded responses of an endpoint. A query may select parts, so such responses are left out. */
export function recordedObjects(t: CheckContext, endpoint: Endpoint): Located<JsonObject>[] {
  const served = t
    .recorded(endpoint)
    .filter(({ status, request }) => status === 200 && !request.url.includes('?'))
  return distinctBodies(served).flatMap((exchange) =>
    isObject(exchange.json) ? [{ value: exchange.json, exchange, pointer: '' }] : [],
  )
}

/** Every distinct item in the recorded responses of an endpoint that returns a list. For checks that run afterwards. */
export function recordedItems(t: CheckContext, endpoint: Endpoint): readonly Located[] {
  return distinctItems(t.recorded(endpoint).filter(({ status }) => status === 200))
}

/** The migration with the most to judge: exported and with repositories, if any. New ones of this run are often pending. */
export function exportedMigration(items: readonly Located[]): JsonObject | undefined {
  const migrations = items.map(({ value }) => value).filter(isObject)
  const exported = migrations.filter(({ state }) => state === 'exported')
  return (
    exported.find(listsRepositories) ??
    migrations.find(listsRepositories) ??
    exported[0] ??
    migrations[0]
  )
}

const listsRepositories = ({ repositories }: JsonObject) =>
  Array.isArray(repositories) && repositories.length > 0

import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { type NeedMap, role, token } from '../../../src/suite/needs.ts'
import { expectAcceptOptional, expectGranted } from '../../common/access.ts'
import { callerChecks } from '../../common/callers.ts'
import { expectSizes } from '../../common/page-sizes.ts'
import { unlessUntested } from '../../common/proof.ts'
import { type Grant, operationOf, type Request, requestTo } from './access-request.ts'
import { everything, privateThread } from './threads.ts'
import { ownThread } from './touches.ts'

const sufficientScopes = ['notifications', 'repo'] as const

/** Each scope alone is enough (document: Authentication, rule 5), and no Accept header is needed. The checks of lists have their own one. */
export function grantChecks<Needs extends NeedMap>(
  access: Request,
  { needs, address, expectDone }: Grant<Needs>,
) {
  const { endpoint, of = 'owner' } = access
  const rows = sufficientScopes.map((scope) => ({
    aspect: `scope-${scope}`,
    whom: `a classic token with the scope ${scope} alone`,
    expects: 'granted' as const,
    own: {
      requirement: 'notifications.access.scopes',
      ...(expectDone && of === 'owner' && { touches: ownThread }),
    },
    token: token({ kind: 'classic', of, scopes: [scope] }),
  }))
  const bare = {
    aspect: 'without-accept',
    whom: 'a request without an Accept header',
    expects: 'granted' as const,
    own: { requirement: 'conventions.accept-optional' },
    token: role(of),
  }
  return callerChecks(
    operationOf(access, needs),
    { entitled: role(of) },
    endpoint.paging ? rows : [...rows, bare],
    async (t, given, { entitled }, { caller, row }) => {
      // Issues and commits need the scope repo, so that it must reach private threads. A new thread disturbs the checks that read beside this one.
      const isTried = row.aspect === 'scope-repo' && endpoint.method !== 'GET'
      const secret = isTried ? await unlessUntested(privateThread(t)) : undefined
      const resolved = { ...given, ...(secret && { thread: secret }) }
      const request = {
        ...(await requestTo(t, endpoint, address(t, resolved, entitled, false))),
        as: caller,
      }
      if (row === bare) return void (await expectAcceptOptional(t, request))
      const response = await expectGranted(t, request, {
        control: { ...request, ...readingOf(endpoint, request), as: entitled },
      })
      const { paging } = endpoint
      if (paging && response.status === 200) {
        await expectSomeThreads(t, { ...request, as: entitled }, response)
        const whole = { ...request, query: everything, endpoint: { ...endpoint, paging } }
        const usual = new Listing(t, { ...whole, as: entitled })
        await unlessUntested(expectSizes(t, new Listing(t, whole), { usual }))
      }
      await expectDone?.(t, resolved, entitled, response, request)
    },
  )
}

/** The request that reads the data of another one: the data may not serve (readings G17). */
function readingOf(
  endpoint: Endpoint,
  { params = {} }: Pick<RequestSpec, 'params'>,
): Pick<RequestSpec, 'endpoint' | 'body'> {
  if (endpoint.method === 'GET') return { endpoint }
  if ('thread_id' in params) return { endpoint: endpoints.getThread, body: undefined }
  return {
    endpoint:
      'repo' in params ? endpoints.listRepositoryNotifications : endpoints.listNotifications,
    body: undefined,
  }
}

/** An empty list is no grant if the user's own token receives threads. */
async function expectSomeThreads(t: CheckContext, entitled: RequestSpec, response: Exchange) {
  if (response.count > 0) return
  const own = await t.send(entitled)
  if (own.count === 0) t.untested('the list is empty', 'unread-thread')
  t.expect(own, response).satisfy('threads of the user', false, 'an empty list')
}

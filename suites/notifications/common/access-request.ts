import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import type { Endpoint } from '../../../src/spec/endpoints.ts'
import { operation } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import type { NeedMap, Resolved } from '../../../src/suite/needs.ts'
import { unlessDeviating } from '../../common/proof.ts'
import { inboxOfRole, sharedSubscription, subscribedThread, wholeInbox } from './touches.ts'

/** The parameters and body of a request, without its caller. */
export type Address = Pick<RequestSpec, 'params' | 'body'>

/** Finds the address of a request; `entitled` is the user whose notifications it is about. */
type FindAddress<Needs extends NeedMap> = (
  t: CheckContext,
  needs: Resolved<Needs>,
  entitled: Caller,
  isPrivate: boolean,
) => Promise<Address>

/** The request of an entitled token. */
export interface Grant<Needs extends NeedMap> {
  readonly needs: Needs
  readonly address: FindAddress<Needs>
  /** Ends the check as failed if the request that was served had no effect. */
  readonly expectDone?: (
    t: CheckContext,
    needs: Resolved<Needs>,
    entitled: Caller,
    response: Exchange,
    request: RequestSpec,
  ) => Promise<void>
}

/** One of the ten endpoints, and the effects of its requests. */
export interface Request {
  readonly id: `notifications.${string}`
  readonly endpoint: Endpoint
  /** The user whose notifications may change: the owner, or a dedicated one if a wrongly accepted request changes many. */
  readonly of?: 'owner' | 'inbox-user'
  /** The resource that a refusal must not contain. */
  readonly resource: 'thread' | 'thread-subscription'
  /** Finding the address changes data. */
  readonly prepares?: boolean
}

/** The operation with its effects on the inbox. */
export function operationOf<Needs extends NeedMap>(
  { id, endpoint, of, resource, prepares }: Request,
  needs: Needs,
) {
  const shared = operation({ id, endpoint, needs, level: 'must' })
  if (endpoint.method === 'GET' && !prepares) return shared
  const changing = shared.with({ schedule: 'alone', writes: true })
  if (of === 'inbox-user') return changing.with({ touches: inboxOfRole })
  if (resource !== 'thread-subscription') return changing.with({ touches: wholeInbox })
  return changing.with({
    touches: endpoint.method === 'GET' ? subscribedThread : sharedSubscription,
  })
}

/** A request to an address. Access is not judged if the list with the address is not served. */
export async function requestTo(t: CheckContext, endpoint: Endpoint, address: Promise<Address>) {
  const found = await unlessDeviating(address)
  return {
    endpoint,
    ...(found ?? t.untested('the subject of the request could not be read', 'unread-thread')),
  }
}

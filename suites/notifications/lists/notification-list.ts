import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Endpoint, Paging } from '../../../src/spec/endpoints.ts'
import type { Operation } from '../../../src/suite/check.ts'
import type { ListAddress } from '../../../src/suite/listing.ts'
import type { JsonObject } from '../../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../../src/suite/needs.ts'

/** One of the two notification lists. Its operation defines its checks. */
export interface NotificationList<Needs extends NeedMap> extends Omit<Operation<Needs>, 'endpoint'> {
  readonly endpoint: Endpoint & { readonly paging: Paging }
  readonly at: (needs: Resolved<Needs>) => ListAddress
  /** The list of the owner that contains a thread. */
  readonly around: (thread: JsonObject, owner: Caller) => ListAddress
}

import type { Endpoint } from '../../spec/endpoints.ts'
import type { Caller } from './caller.ts'

/** The members of an endpoint that its requests need. */
export type EndpointRef = Pick<Endpoint, 'method' | 'path'>
/** The value of a query parameter. A list repeats the parameter. */
export type QueryValue = string | number | boolean | readonly string[]

/** A request in the document's words. */
export interface RequestSpec {
  readonly endpoint: EndpointRef
  readonly params?: Readonly<Record<string, string | number>>
  readonly query?: Readonly<Record<string, QueryValue>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  readonly as: Caller
  /** The response is the control of many checks: the last requests of a small quota are reserved for it (readings H6). */
  readonly control?: boolean
  /** The request only varies an earlier one, in these words: `without a token`. It is not sent if the quota is small (readings H6). */
  readonly extra?: string
  /** A value of Accept in place of the recommended one; null omits the header. */
  readonly accept?: string | null
  /** The name of a version in place of the session's (checks across versions); null omits the version header. */
  readonly version?: string | null
  /** A path template in the target's words in place of the endpoint's: a configured or declared address. */
  readonly path?: string
  /** The whole URL of a redirect that is followed. */
  readonly url?: string
  /** The URL of the request that was redirected here. */
  readonly redirectedFrom?: string
  /** Redirects of this GET to another path are returned and not followed (readings H7). */
  readonly direct?: boolean
}

import type { Endpoint } from '../../spec/endpoints.ts'
import type { Caller } from './caller.ts'

export type EndpointRef = Pick<Endpoint, 'method' | 'path' | 'configuredPath'>
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
  /** Many checks need the response as their control, so that the last requests of a small quota are kept for it (readings H6). */
  readonly control?: boolean
  /** Another form of a request that was sent before: a small quota is kept for the first form of others. */
  readonly extra?: boolean
  /** Another Accept value than the recommended one; null sends none. */
  readonly accept?: string | null
  /** Another version name than the session's (checks across versions); null names no version. */
  readonly version?: string | null
  /** A path template in the wire's words that replaces the endpoint's: a configured or declared address. */
  readonly path?: string
  /** The whole URL of a redirect that is followed. */
  readonly url?: string
  /** The URL of the first request, where a redirect is followed. */
  readonly redirectedFrom?: string
  /** The client returns redirects of this GET and does not follow them: all, or those that lead to another path (readings H7). */
  readonly direct?: boolean | 'to-another-path'
}

import type { Caller } from './caller.ts'
import type { Exchange } from './exchange.ts'
import type { RequestSpec } from './request-spec.ts'

/** Requests that only the user of a token may send. Others may be served in spite of an ended token. */
const ownPath = /^\/(user|notifications)(\/|$)/

/** A request that the target accepted with each token, and the tokens that have ended since (readings G9a). */
export class TokenControls {
  readonly #accepted = new Map<string, RequestSpec>()
  readonly #ended = new Set<string>()

  /** Learns from a response: the first accepted GET of a token is its control, preferably one about its user. */
  see(spec: RequestSpec, { ok }: Exchange): void {
    const { endpoint, as } = spec
    if (!ok || endpoint.method !== 'GET' || as.secret === undefined) return
    const known = this.#accepted.get(as.secret)
    if (!known || (!isOwn(known) && isOwn(spec))) this.#accepted.set(as.secret, spec)
  }

  /** The request to repeat after a 401; undefined for a caller whose requests were never accepted. */
  controlOf({ secret = '' }: Caller): RequestSpec | undefined {
    return this.#accepted.get(secret)
  }

  /** Records that the control of a token is refused. */
  end({ secret = '' }: Caller): void {
    this.#ended.add(secret)
  }

  hasEnded({ secret = '' }: Caller): boolean {
    return this.#ended.has(secret)
  }
}

function isOwn({ endpoint }: RequestSpec): boolean {
  return ownPath.test(endpoint.path ?? '')
}

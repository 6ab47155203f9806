import type { Caller } from '../http/exchange/caller.ts'
import type { Exchange } from '../http/exchange/exchange.ts'
import type { EndpointRef, RequestSpec } from '../http/exchange/request-spec.ts'
import type { Consume } from '../http/transport/transport.ts'
import type { MissingNeed } from '../record/reason.ts'
import type { Difference } from '../record/run-record.ts'
import type { NeedCatalogue, NeedName } from '../spec/needs.ts'
import type { ApiVersion } from '../spec/versions.ts'
import type { Finding } from './deviation.ts'
import type { ItemsExpectation, ResponseExpectation } from './expectations.ts'
import type { Located } from './located.ts'
import type { NeedRef, TokenRequest } from './needs.ts'
import type { PollSession, Validator } from './poll-session.ts'

/** The actions of a running check. All its requests are counted, recorded and attributed to it. */
export interface CheckContext {
  /** The version that is judged. */
  readonly apiVersion: ApiVersion
  /** The most bytes of an archive that may be read (`limits.archiveBytes`). */
  readonly archiveBytes: number
  /** How long {@link eventually} tries (`polling.maxWaitSeconds`). */
  readonly maxWaitSeconds: number

  /** A GET, sent once per version for all checks. Follows redirects within the origin, unless it is `direct` (readings H7). */
  read(spec: RequestSpec): Promise<Exchange>
  /** A request of this check's own, redirected as {@link read} is; `tapped` also counts bytes after the header block of an answer that may have no body. */
  send(spec: RequestSpec, options?: { readonly tapped?: boolean }): Promise<Exchange>
  /** The shared poll session of an address; `unmeasured` if its cost in quota is not judged, `bare` without the foreign validator. */
  poll(spec: RequestSpec, validator: Validator, options?: { unmeasured?: boolean; bare?: boolean }): Promise<PollSession>
  /** One more conditional poll, after the target's poll interval. */
  pollAgain(spec: RequestSpec, validator: Validator, value: string): Promise<Exchange>
  /**
   * Follows a redirect to a file, over http(s) only, never with the caller's token, and hands its body to `consume` while it arrives.
   * `result` is absent where nothing answered 200; `exchange` is the last answer.
   */
  download<Result>(answer: Exchange, consume: Consume<Result>): Promise<{ exchange: Exchange; result?: Result }>
  /** A value that is made once per version for all checks that name it. Its `cleanUp` actions run at the end of the version. */
  shared<Value>(name: string, make: (t: CheckContext) => Promise<Value>): Promise<Value>
  /** A path template of the document in the target's spelling, to compare with addresses that the target sends. */
  spelled(template: string): string
  /** Every exchange of an endpoint that was recorded so far under this version (for checks that run afterwards). */
  recorded(endpoint: EndpointRef): readonly Exchange[]

  /** Test data that is requested while running: an action, or data that depends on an earlier answer. Throws when it is missing. */
  ask<Name extends NeedName>(name: Name, specifics: NeedCatalogue[Name]['with']): Promise<NeedCatalogue[Name]['given']>
  /** A token that depends on other data; the narrowest configured one that fits, else the provider's. */
  tokenFor(request: TokenRequest): Promise<Caller>
  /** Waits by the run's clock; `what` is shown as progress. */
  wait(seconds: number, what: string): Promise<void>
  /** For how many seconds an effect is awaited: `polling.maxWaitSeconds`, and less once the target has missed several (readings G16). */
  patience(): number
  /** Notes that an effect has not come within the {@link patience}. */
  missedEffect(): void
  /** Repeats `attempt` every `every` seconds until it returns something; undefined once `polling.maxWaitSeconds` are over. */
  eventually<Value>(what: string, attempt: () => Promise<Value | undefined>, every?: number): Promise<Value | undefined>

  /** Expectations of one response; each that is met counts it as examined. A deviation also cites `evidence`, earlier exchanges. */
  expect(exchange: Exchange, ...evidence: readonly Exchange[]): ResponseExpectation
  /** Expectations of every item; no item at all is `untested`. */
  expectAll<Value>(items: readonly Located<Value>[], what: string): ItemsExpectation<Value>
  /** Counts subjects that a check examined by its own means. A check that examined none did not pass. */
  examined(subjects: number): void
  /** Ends the check as failed (or warned, by its level). */
  deviation(finding: Finding): never
  /** Ends the check as untested: there was nothing to judge. `need` is the one that would have given it. */
  untested(reason: string, need?: NeedName | readonly MissingNeed[]): never
  /** Undoes something that the check made; runs when the check has ended, however it ended. `made` is named as left behind if that fails. */
  cleanUp(made: string, undo: () => Promise<unknown>): void
  /** Names something that the check made and that the API cannot remove. */
  leavesBehind(what: string): void
  /** Ends the check as untested because of a need that is missing while running; `otherwise` is the reason if the need is met. */
  missing(need: NeedRef, otherwise: string): Promise<never>
  /** Notes a difference between two versions of the same answer (checks across versions). */
  difference(difference: Difference): void
  /** Notes the behaviour of the target on a point that the document leaves open. */
  observe(topic: string, what: string): void
  /** The next of a sequence of numbers from 0 up to 1 that begins anew with each check and follows from the run's seed. */
  random(): number
  /** A name that nothing on the target has: `prefix` and some random characters, the same when the run is replayed. */
  unused(prefix: string): string
}

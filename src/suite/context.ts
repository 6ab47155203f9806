import type { Caller } from '../http/exchange/caller.ts'
import type { Exchange } from '../http/exchange/exchange.ts'
import type { EndpointRef, RequestSpec } from '../http/exchange/request-spec.ts'
import type { Consume } from '../http/transport/connection/receive.ts'
import type { MissingNeed } from '../record/reason.ts'
import type { Difference } from '../record/run-record.ts'
import type { NeedCatalogue, NeedName } from '../spec/needs.ts'
import type { ApiVersion } from '../spec/versions.ts'
import type { Finding } from './deviation.ts'
import type { ItemsExpectation, ResponseExpectation } from './expectations.ts'
import type { Located } from './located.ts'
import type { NeedRef, TokenRequest } from './needs.ts'
import type { PollSession, Validator } from './poll-session.ts'

/**
 * How the engine times a series of looks:
 * - `effect`: the effect of a served request, which must appear within the patience (readings G16)
 * - `glance`: an effect whose absence is no finding
 * - `work`: work in the background, which takes its time
 * - `rest`: a state that comes to rest
 */
export type WatchKind = 'effect' | 'glance' | 'work' | 'rest'

/** A series of looks of one kind of effect. The engine knows how late such effects are, and when to look again. */
export interface Watch {
  /** Notes that the effect has appeared. */
  appeared(): void
  /** Notes that the work has gone on since the look before. */
  moved(): void
  /** Waits until the next look. False when the time for this effect is over. */
  pause(): Promise<boolean>
  /** False for work that went on lately, or that the configured time is too short for (readings D8). */
  isOver(): boolean
}

/** The actions of a running check. Every request of the check is counted and recorded under its id. */
export interface CheckContext {
  /** The version that is judged. */
  readonly apiVersion: ApiVersion
  /** The most bytes of an archive that may be read (`limits.archiveBytes`). */
  readonly archiveBytes: number

  /** Sends a GET once per version for all checks. Follows redirects within the origin unless the request is `direct` (readings H7). */
  read(spec: RequestSpec): Promise<Exchange>
  /** Sends a request for this check only, and follows redirects. `tapped` counts the bytes after a response without a body. */
  send(spec: RequestSpec, options?: { readonly tapped?: boolean }): Promise<Exchange>
  /** The polls of an address, made once for all checks: `unmeasured` without their cost, `bare` without a foreign validator. */
  poll(
    spec: RequestSpec,
    validator: Validator,
    options?: { unmeasured?: boolean; bare?: boolean },
  ): Promise<PollSession>
  /** Sends one more conditional poll, after the target's poll interval. */
  pollAgain(spec: RequestSpec, validator: Validator, value: string): Promise<Exchange>
  /** Follows a redirect to a file without the caller's token. `consume` reads the body of a 200 while it arrives. */
  download<Result>(
    response: Exchange,
    consume: Consume<Result>,
  ): Promise<{ exchange: Exchange; result?: Result }>
  /** A value that the first check to name it makes, for all checks of the version. Its `cleanUp` actions run at the end of the version. */
  shared<Value>(name: string, make: (t: CheckContext) => Promise<Value>): Promise<Value>
  /** A path template of the document in the target's spelling, for comparison with addresses that the target sends. */
  spelled(template: string): string
  /** The exchanges of an endpoint that were recorded so far under this version, for checks that run afterwards. */
  recorded(endpoint: EndpointRef): readonly Exchange[]

  /** Asks for test data while the check runs: for an action, or for data that depends on an earlier response. Throws if it is missing. */
  ask<Name extends NeedName>(
    name: Name,
    specifics: NeedCatalogue[Name]['with'],
  ): Promise<NeedCatalogue[Name]['given']>
  /** A token that depends on other data: the narrowest configured token that fits, else one of the provider. */
  tokenFor(request: TokenRequest): Promise<Caller>
  /** Waits by the run's clock; `what` is shown as progress. */
  wait(seconds: number, what: string): Promise<void>
  /** Begins a series of looks of one kind of effect, named without ids. The functions of `observe.ts` use it. */
  watch(effect: string, kind: WatchKind): Watch
  /** Gives an effect that no response shows its time, once the check is confirmed. Until then, a deviation is a suspicion (readings G16). False if the run has no time for that. */
  settle(effect: string): Promise<boolean>
  /** Leaves a proof that repeats a request for some seconds to the confirmation: false in the first judgement, whose deviation is then a suspicion. */
  mayRepeat(effect: string): boolean
  /** True once an effect was looked for and not seen, so that the check will be judged again with the whole patience (readings G16). */
  isSuspicious(): boolean
  /** True while the run has time to look for shorter examples of its findings. */
  mayShorten(): boolean
  /** Waits a second before a comparison is repeated; longer where the responses may be old, or where one of them shows that it is a copy of a cache (readings G16). False if the run has no time for that. */
  outlastCopies(areOld: boolean): Promise<boolean>

  /** Expectations of one response. Each one that is met counts the response as examined. A deviation cites the earlier exchanges in `evidence` as well. */
  expect(exchange: Exchange, ...evidence: readonly Exchange[]): ResponseExpectation
  /** Expectations of every item. Without items, the check ends as untested. */
  expectAll<Value>(items: readonly Located<Value>[], what: string): ItemsExpectation<Value>
  /** Counts subjects that the check examined without {@link expect}. A check without examined subjects does not pass. */
  examined(subjects: number): void
  /** Ends the check as failed, or as warned if its level is `should`. */
  deviation(finding: Finding): never
  /** Ends the check as untested, since there was nothing to judge. `need` names the test data that was missing. */
  untested(reason: string, need?: NeedName | readonly MissingNeed[]): never
  /** Undoes a change of the check after its end, for every outcome. If that fails, the report lists `made` as left behind. */
  cleanUp(made: string, undo: () => Promise<unknown>): void
  /** Lists an object as left behind: the check made it, and the API cannot remove it. */
  leavesBehind(what: string): void
  /** Ends the check as untested because a need is missing. If the need is met after all, `otherwise` is the reason. */
  missing(need: NeedRef, otherwise: string): Promise<never>
  /** Notes a difference between the responses of two versions to the same request (checks across versions). */
  difference(difference: Difference): void
  /** Notes the behaviour of the target on a point that the document leaves open, and the other choices that the document permits. */
  observe(topic: string, what: string, permits?: string): void
  /** A pseudo-random number from 0 up to 1. Each check has its own sequence, which follows from the seed of the run. */
  random(): number
  /** A name that no object of the target has: `prefix` and random characters. */
  unused(prefix: string): string
}

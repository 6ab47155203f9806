import { isDeepStrictEqual } from 'node:util'
import { sourceOfCaller } from '../package/source.ts'
import type { MatrixCell, ShownChange } from '../record/check-record.ts'
import { type Area, areas, type Endpoint } from '../spec/endpoints.ts'
import type { NeedName } from '../spec/needs.ts'
import type { Level, Requirement } from '../spec/requirements.ts'
import type { ApiVersion } from '../spec/versions.ts'
import { UsageError } from '../text/errors.ts'
import type { CheckContext } from './context.ts'
import type { NeedMap, NeedRef, Resolved } from './needs.ts'
import type { Touch } from './touch.ts'

/**
 * When a check runs:
 * - `shared`: beside other checks
 * - `alone`: while no other check touches the same objects
 * - `afterwards`: after the other checks of all versions, since it judges recorded exchanges or has effects that they must not see
 * - `across`: once for all versions, with requests that state their version
 */
export type Schedule = 'shared' | 'alone' | 'afterwards' | 'across'

/** The type of `also` for a check without further needs. */
type NoNeeds = Readonly<Record<never, never>>

/** One observable claim. Lists, plans and documents read every member except `run`, without a target. */
export interface CheckDefinition<Needs extends NeedMap, Also extends NeedMap = NoNeeds> {
  /** `area.operation.aspect`, the same in every version and for every outcome. */
  readonly id: string
  /** The requirement's id in `src/spec/requirements`. */
  readonly requirement: string
  readonly level: Level
  /** The claim, as a statement of at most 80 characters. */
  readonly title: string
  readonly needs: Needs
  /** Further needs of this check, beside those that it shares with the checks of its operation. */
  readonly also?: Also
  /** The needs that `run` itself requests (`context.ask`), so that lists and plans include them. */
  readonly asks?: readonly NeedName[]
  /** The versions to which the claim applies; both when absent. */
  readonly versions?: readonly ApiVersion[]
  readonly schedule?: Schedule
  /** The objects that the check changes, or that must not change while it runs. By default: all objects of the endpoint's part of the API. */
  readonly touches?: readonly Touch[]
  /** The check waits long for the target, so it starts before the others. */
  readonly slow?: boolean
  /** The endpoint of the claim, if it differs from the suite's. */
  readonly endpoint?: Endpoint
  /** The check sends a request other than GET, or has the provider change data. */
  readonly writes?: boolean
  /** The cell of the permission heat map that the check decides. */
  readonly matrix?: MatrixCell
  /** A documented difference. It is in the report once all checks with this difference have passed, at least one in each version. */
  readonly shows?: ShownChange
  /** The check fails when the version header has no effect. The first sentence of every report then states that. */
  readonly detectsIgnoredVersion?: true
  /** One failure proves the deviation, such as a leak, since timing cannot cause it (readings G13). The check is never reported as flaky. */
  readonly conclusive?: true
  readonly run: (
    context: CheckContext,
    needs: Resolved<Needs>,
    also: Resolved<Also>,
  ) => Promise<void>
}

/** A check with needs of any type: the form in which lists, the judge and the proofs handle it. */
export interface Check extends Omit<CheckDefinition<NeedMap, NeedMap>, 'run'> {
  readonly run: (context: CheckContext, needs: never, also: never) => Promise<void>
  /** Returns the file in which it is defined, from the root: `suites/common/paging.ts`. */
  readonly source?: () => string | undefined
}

/** Defines a check. `run` receives the values of `needs` and `also`. Throws {@link UsageError} for one name in both with different needs. */
export function check<const Needs extends NeedMap, const Also extends NeedMap = NoNeeds>(
  definition: CheckDefinition<Needs, Also>,
): Check {
  needsOf(definition)
  return { ...definition, source: sourceOfCaller(check) }
}

/** The metadata of a check except its id, title and function. */
type Metadata<Needs extends NeedMap, Also extends NeedMap> = Omit<
  CheckDefinition<Needs, Also>,
  'id' | 'title' | 'run'
>

/** The metadata that the checks of one operation share. A check may replace every member except `id` and `needs`. @internal */
export interface OperationMetadata<Needs extends NeedMap>
  extends Omit<Metadata<Needs, NoNeeds>, 'requirement' | 'also'> {
  /** `area.operation`, the beginning of the ids of its checks. */
  readonly id: `${Area}.${string}`
  /** The requirement of those checks that state none. Without it, they judge the requirement with their own id. */
  readonly requirement?: string
}

/** Metadata of one check that differs from its operation's. A string is the id of the requirement. */
type OwnMetadata<Needs extends NeedMap, Also extends NeedMap> =
  | string
  | Partial<Omit<Metadata<Needs, Also>, 'needs'>>

type Run<Needs extends NeedMap, Also extends NeedMap> = CheckDefinition<Needs, Also>['run']

/** An operation of the API, which defines its checks: `operation({ … }).check('status', 'returns 200', async (t) => { … })`. @internal */
export interface Operation<Needs extends NeedMap> extends OperationMetadata<Needs> {
  /** Defines the check `<id>.<aspect>`. Throws {@link UsageError} as {@link needsOf} does. */
  check(aspect: string, title: string, run: Run<Needs, NoNeeds>): Check
  check<const Also extends NeedMap = NoNeeds>(
    aspect: string,
    title: string,
    own: OwnMetadata<Needs, Also>,
    run: Run<Needs, Also>,
  ): Check
  /** The same operation with some metadata replaced. */
  with(changed: Partial<Omit<OperationMetadata<NeedMap>, 'needs'>>): Operation<Needs>
  with<const Other extends NeedMap>(
    changed: Partial<OperationMetadata<Other>> & { readonly needs: Other },
  ): Operation<Other>
  /** The suite of these checks, about the operation's endpoint. Throws {@link UsageError} if it has none. */
  suite(checks: readonly Check[]): Suite
}

/** States the metadata of an operation once, for all checks that its method `check` defines. @internal */
export function operation<const Needs extends NeedMap>(
  shared: OperationMetadata<Needs>,
): Operation<Needs> {
  function define(aspect: string, title: string, ...rest: readonly unknown[]) {
    const [own, run] = (rest.length === 1 ? [{}, ...rest] : rest) as [
      OwnMetadata<Needs, NoNeeds>,
      Run<Needs, NoNeeds>,
    ]
    const id = `${shared.id}.${aspect}`
    const metadata = typeof own === 'string' ? { requirement: own } : own
    const definition = { requirement: id, ...shared, ...metadata, id, title, run }
    needsOf(definition)
    return { ...definition, source: sourceOfCaller(define) }
  }
  function suiteOf(checks: readonly Check[]) {
    const { id, endpoint } = shared
    const area = areas.find((name) => id.startsWith(`${name}.`))
    if (!endpoint || !area)
      throw new UsageError(
        `the operation "${id}" needs an endpoint and the name of an area for its suite`,
      )
    return { area, endpoint, checks, source: sourceOfCaller(suiteOf) }
  }
  const derive = (changed: Partial<OperationMetadata<NeedMap>>) =>
    operation<NeedMap>({ ...shared, ...changed })
  return { ...shared, check: define, with: derive as Operation<Needs>['with'], suite: suiteOf }
}

/** The checks of one endpoint, of one change or of one category of permissions: one file below `suites/`. */
export interface Suite {
  readonly area: Area
  readonly endpoint: Endpoint
  readonly checks: readonly Check[]
  /** The requirements of a suite of your own that are not in the document. */
  readonly requirements?: readonly Requirement[]
  /** Returns the file in which it is defined, from the root: `suites/events/public.ts`. */
  readonly source?: () => string | undefined
}

/** All needs of a check, with those of its endpoint. Throws {@link UsageError} if one name is used for two different needs. @internal */
export function needsOf({ id, needs, also = {} }: Pick<Check, 'id' | 'needs' | 'also'>): NeedMap {
  // A check's own need may replace the shared one of its name if the two are equal, or if only the shared one is optional.
  const mayReplace = (own: NeedRef, shared: NeedRef = own) =>
    isDeepStrictEqual({ ...shared, optional: true }, { ...own, optional: true }) &&
    (!own.optional || shared.optional === true)
  const twice = Object.entries(also).find(
    ([name, own]) => Object.hasOwn(needs, name) && !mayReplace(own, needs[name]),
  )
  if (twice)
    throw new UsageError(
      `the check "${id}" has "${twice[0]}" in needs and something else in also; use another name there`,
    )
  return { ...needs, ...also }
}

/** True for a check that is judged once for all versions instead of once in each. @internal */
export function isAcross(check: Check): boolean {
  return check.schedule === 'across'
}

/** The endpoint that a check is about. @internal */
export function endpointOf(check: Check, suite: Suite): Endpoint {
  return check.endpoint ?? suite.endpoint
}

/** Defines a suite. */
export function suite(definition: Suite): Suite {
  return { ...definition, source: sourceOfCaller(suite) }
}

/** The objects that a check touches: the declared ones, else all objects of its endpoint's part of the API. A check that runs alone changes them. @internal */
export function touchesOf(check: Check, suite: Suite): readonly Touch[] {
  const alone = check.schedule === 'alone' || (check.schedule === 'across' && check.writes === true)
  return check.touches ?? [{ what: wholeOf(check, suite), how: alone ? 'changes' : 'keeps' }]
}

/** The part of the API that an endpoint belongs to. A change in one part has no effect on the others. */
function wholeOf(check: Check, suite: Suite) {
  const { path } = endpointOf(check, suite)
  if (/\/notifications\b/.test(path ?? '')) return 'inbox'
  if (path === null || path.startsWith('/user/migrations')) return 'migrations'
  return suite.area === 'events' ? 'feeds' : 'objects'
}

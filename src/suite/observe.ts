import type { Exchange } from '../http/exchange/exchange.ts'
import type { RequestSpec } from '../http/exchange/request-spec.ts'
import { endpointLabel } from '../spec/endpoints.ts'
import type { CheckContext } from './context.ts'

/** How often and how long a value is observed. Other programs may change it, and replicas may return it late. */
export interface Policy {
  readonly tries: number
  /** The pauses before the second try, the third one and so on; the last one repeats. Without it: no pause. Seconds. */
  readonly pauses?: readonly number[]
  /** Further tries follow the last one until the patience of the context is over. */
  readonly patient?: boolean
  /** How many observations in a row must agree. */
  readonly agreeing?: number
}

/** Every repetition and wait of the suites, by its purpose. All areas use these. */
export const policies = {
  /** Compares two readings of a target that may change (readings G6). A deviation must be seen six times, and outlast its caches. */
  bracket: { tries: 3, agreeing: 6 },
  /** Compares readings around conditional requests, each of which takes a poll interval. */
  polls: { tries: 3 },
  /** Waits for the effect of a served request, for `polling.maxWaitSeconds`: replicas may be late (readings G16). */
  soon: { tries: 3, pauses: [1, 3, 5, 10, 20], patient: true },
  /** Waits a few seconds for an effect that is often missing. Its absence is no finding. */
  briefly: { tries: 3, pauses: [1, 3] },
  /** Looks again for a deviation that was confirmed with all patience. */
  known: { tries: 5, pauses: [1, 3, 5, 6] },
  /** Waits until several readings agree, at least a second apart: the state is at rest and can be compared (readings G16). */
  rest: { tries: 5, pauses: [1], agreeing: 4 },
  /** Confirms once more that a state is at rest. It stays so unless another program changes it. */
  stillAtRest: { tries: 1, pauses: [1], agreeing: 4 },
  /** Repeats a request whose effect may be a coincidence, since other programs may send the same at the same moment. */
  repeat: { tries: 4 },
  /** Repeats a failed attempt with other test data. */
  otherData: { tries: 5 },
  /** Repeats a failed attempt that has waited for minutes for work in the background. */
  otherBulkData: { tries: 1 },
  /** Tries other test data until some is still usable: other programs may have changed it. */
  anotherOne: { tries: 3 },
  /** Tries another archive: each request that must be rejected may have deleted one. */
  anotherArchive: { tries: 8 },
  /** Starts a migration again when the others of the user have ended: a target may limit how many run at the same time. */
  migrationLimit: { tries: 40, agreeing: 2 },
  /** Starts a migration again after a whole series of rejections, when success is unlikely. */
  migrationLimitReached: { tries: 2, agreeing: 2 },
  /** Observes work in the background. It has ended when so many readings are equal. */
  background: { tries: 6, pauses: [5] },
} as const satisfies Readonly<Record<string, Policy>>

/** The time between two events whose dates must differ, since dates have a resolution of one second (readings B9). Seconds. */
export const spacing = 2

/** The least time to wait for work in the background. Without a change by then, the target deviates (readings D8). Seconds. */
export const backgroundPatience = 120

/** A probe, and the functions around it. The frame is the state of the target, which is read before and after the probe. */
interface Bracket<Frame, Result> {
  readonly read: () => Promise<Frame>
  /** A first reading that other checks share. It suffices if the result is as expected. */
  readonly shared?: (() => Promise<Frame>) | undefined
  readonly probe: (frame: Frame) => Promise<Result>
  readonly same: (a: Frame, b: Frame) => boolean
  /** False if the result itself proves that the target changed meanwhile. */
  readonly comparable?: (frame: Frame, result: Result) => boolean
  /** True for a result that conforms; the frame is then not read again. Without this function, one result with a frame at rest decides. */
  readonly expected?: ((frame: Frame, result: Result) => boolean) | undefined
  /** Waits until caches have expired. Without this function there is no pause. */
  readonly wait?: () => Promise<void>
}

/** Reads the frame, probes, and reads the frame again until both agree (readings G6). Undefined if they never do. */
export async function bracketed<Frame, Result>(
  bracket: Bracket<Frame, Result>,
  { tries, agreeing = 1 }: Policy = policies.bracket,
): Promise<{ readonly frame: Frame; readonly result: Result } | undefined> {
  const { read, shared, probe, same, comparable = () => true, expected, wait } = bracket
  if (shared && expected) {
    const frame = await shared()
    const result = await probe(frame)
    if (expected(frame, result)) return { frame, result }
  }
  let frames: Frame[] = []
  for (let moves = 0; moves < tries; ) {
    const frame = await read()
    const result = await probe(frame)
    if (expected?.(frame, result)) return { frame, result }
    // The last reading waits until caches have expired: an older copy proves nothing about the time of the probe.
    if (expected && wait && frames.length + 2 === 2 * agreeing) await wait()
    const all = [...frames, frame, await read()]
    const rests = comparable(frame, result) && all.every((other) => same(other, frame))
    if (!rests) moves += 1
    frames = rests ? all : []
    if (frames.length >= (expected ? 2 * agreeing : 1)) return { frame, result }
    // Two replicas may respond in turn: an extra reading exchanges their turns for the second half of the readings.
    if (expected && wait && frames.length === agreeing) await Promise.all([wait(), read()])
  }
  return undefined
}

/** The last reading, and whether it was the awaited one. */
export interface LastReading<Value> {
  readonly last: Value
  readonly met: boolean
}

/** Reads until `isMet` is true (by default: for a value other than undefined), as long as the policy permits. `what` is shown as progress. */
export async function soon<Value>(
  t: CheckContext,
  what: string,
  read: () => Promise<Value>,
  isMet: (value: Value) => boolean = (value) => value !== undefined,
  policy: Policy = policies.soon,
): Promise<LastReading<Value>> {
  const patience = policy.patient ? t.patience() : 0
  let waited = 0
  for (let time = 1; ; time += 1) {
    const last: Value = await read()
    const met = isMet(last)
    const left = patience - waited
    const isOver = time >= policy.tries && left <= 0
    if (isOver && !met && policy.patient) t.missedEffect()
    if (met || isOver) return { last, met }
    waited += await pause(t, what, policy, time, time < policy.tries ? undefined : left)
  }
}

const isFound = ({ status }: Exchange) => status !== 404

/** Repeats a request until its response is the awaited one (by default: any but 404). Returns the last response. */
export async function sendUntil(t: CheckContext, request: RequestSpec, isAwaited = isFound, policy?: Policy): Promise<Exchange> {
  return (await soon(t, `the effect on ${endpointLabel(request.endpoint)}`, () => t.send(request), isAwaited, policy)).last
}

/** Waits two seconds before a lasting effect is read again. */
export function lastingPause(t: CheckContext, what = 'an effect that must last'): Promise<void> {
  return t.wait(2, what)
}

/** Waits two seconds and reads a value, which must still be the awaited one. */
export async function stays<Value>(t: CheckContext, what: string, read: () => Promise<Value>, isMet?: (value: Value) => boolean) {
  await lastingPause(t)
  return soon(t, what, read, isMet)
}

/** Looks for the effect of work in the background every five seconds. Undefined after `polling.maxWaitSeconds`. */
export function arrives<Value>(t: CheckContext, what: string, attempt: () => Promise<Value | undefined>) {
  return t.eventually(what, attempt, 5)
}

/** A reading that agrees with several later ones; undefined if the target keeps changing. */
export async function settled<Value>(
  t: CheckContext,
  what: string,
  read: () => Promise<Value>,
  same: (before: Value, after: Value) => boolean | Promise<boolean>,
  policy: Policy = policies.rest,
): Promise<Value | undefined> {
  let before: Value = await read()
  for (let time = 1; time <= policy.tries; time += 1) {
    await pause(t, what, policy, time)
    const moved = await firstOf({ tries: policy.agreeing ?? 1 }, async () => {
      const after = await read()
      return (await same(before, after)) ? undefined : { after }
    })
    if (!moved) return before
    before = moved.after
  }
  return undefined
}

/** The last finding, if every attempt has one. Ends at the first attempt without a finding, with undefined. */
export async function everyTime<Found>({ tries }: Policy, attempt: (time: number) => Promise<Found | undefined>) {
  let finding: Found | undefined
  for (let time = 0; time < tries; time += 1) {
    finding = await attempt(time)
    if (finding === undefined) return undefined
  }
  return finding
}

/** The first finding of several attempts. */
export async function firstOf<Found>({ tries }: Policy, attempt: (time: number) => Promise<Found | undefined>) {
  for (let time = 0; time < tries; time += 1) {
    const finding = await attempt(time)
    if (finding !== undefined) return finding
  }
  return undefined
}

/** The pause after a try. Returns its seconds, `most` at the most. */
async function pause(t: CheckContext, what: string, { pauses = [] }: Policy, time: number, most = Number.POSITIVE_INFINITY) {
  const seconds = Math.min(pauses[time - 1] ?? pauses.at(-1) ?? 0, most)
  if (seconds > 0) await t.wait(seconds, what)
  return seconds
}

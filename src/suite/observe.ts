import type { Exchange } from '../http/exchange/exchange.ts'
import type { RequestSpec } from '../http/exchange/request-spec.ts'
import { endpointLabel } from '../spec/endpoints.ts'
import type { CheckContext, Watch } from './context.ts'
import type { Finding } from './deviation.ts'

/** The least time between two events with different dates, since dates have a resolution of one second (readings B9). Seconds. */
export const spacing = 2

/** The least distance of two instants with a third one clearly between them (readings D5, D11). Milliseconds. */
export const clearDistance = 2 * spacing * 1000

/** The time after which a late effect of a refused request shows. Seconds. */
const lateEffect = 0.5

/** The attempts before a finding is no coincidence: other programs may send the same request at the same moment. */
export const attempts = 4

/** The rounds in which a comparison must fail before it counts, and the times that the target may change meanwhile. */
const rounds = { agreeing: 4, moves: 3 }

/** The times that a place may go to another program, each time that it becomes free. */
export const handovers = 100

/** The places that become free and are lost to others in a row, before a rejection has another reason. The other version may take half of them. */
export const lostPlaces = 16

/** The last look, and whether it was the awaited one. */
export interface Look<Value> {
  readonly last: Value
  readonly met: boolean
  /** False if work in the background may still go on, so that its missing end is no finding (readings D8). */
  readonly isOver: boolean
}

/**
 * Reads until `isMet` is true: by default, for a value other than undefined. `effect` names the kind of effect, without ids.
 * `same` is false for two looks between which work in the background went on.
 */
export type Looking = <Value>(
  t: CheckContext,
  effect: string,
  read: () => Promise<Value>,
  isMet?: (value: Value) => boolean,
  same?: (before: Value, after: Value) => boolean,
) => Promise<Look<Value>>

/** Looks for the effect of a served request. A missing effect is a suspicion at first, and a deviation once it is confirmed (readings G16). */
export const eventually: Looking = (t, effect, read, isMet) =>
  lookFor(t.watch(effect, 'effect'), read, isMet)

/** Looks a few seconds for an effect that is often missing. Its absence is no finding. */
export const briefly: Looking = (t, effect, read, isMet) =>
  lookFor(t.watch(effect, 'glance'), read, isMet)

/** Waits until work in the background, such as an export, has ended. */
export const completed: Looking = (t, work, read, isMet, same) =>
  lookFor(t.watch(work, 'work'), read, isMet, same)

/** Waits two seconds and reads a value, which must still be the awaited one. */
export const still: Looking = async (t, effect, read, isMet) => {
  await moment(t, effect)
  return eventually(t, effect, read, isMet)
}

async function lookFor<Value>(
  watch: Watch,
  read: () => Promise<Value>,
  isMet: (value: Value) => boolean = (value) => value !== undefined,
  same: (before: Value, after: Value) => boolean = () => true,
) {
  let before: Value | undefined
  for (;;) {
    const last = await read()
    if (isMet(last)) {
      watch.appeared()
      return { last, met: true, isOver: true }
    }
    if (before !== undefined && !same(before, last)) watch.moved()
    before = last
    if (!(await watch.pause())) return { last, met: false, isOver: watch.isOver() }
  }
}

const isFound = ({ status }: Exchange) => status !== 404

/** Repeats a request until its response is the awaited one: by default, any but 404. Returns the last response. */
export async function sendUntil(
  t: CheckContext,
  request: RequestSpec,
  isAwaited: (exchange: Exchange) => boolean = isFound,
  look: Looking = eventually,
): Promise<Exchange> {
  return (
    await look(
      t,
      `the effect on ${endpointLabel(request.endpoint)}`,
      () => t.send(request),
      isAwaited,
    )
  ).last
}

/** Waits until a late effect of a refused request has had time to show. */
export function shortly(t: CheckContext, what: string): Promise<void> {
  return t.wait(lateEffect, what)
}

/** Waits two seconds: the next event has another date, and a lasting effect has had time to end. */
export function moment(t: CheckContext, what: string): Promise<void> {
  return t.wait(spacing, what)
}

/** Reads until several looks agree, at least a second apart: the state is at rest and can be compared (readings G16). Undefined if it never does. */
export async function unchanged<Value>(
  t: CheckContext,
  what: string,
  read: () => Promise<Value>,
  same: Same<Value>,
): Promise<Value | undefined> {
  const watch = t.watch(what, 'rest')
  let before = await read()
  while (await watch.pause()) {
    const moved = await nextDifferent(before, read, same)
    if (!moved) return before
    before = moved.after
  }
  return undefined
}

/** Confirms once more that a state is at rest. It stays so unless another program changes it. Undefined if it has changed. */
export async function stillUnchanged<Value>(
  t: CheckContext,
  what: string,
  read: () => Promise<Value>,
  same: Same<Value>,
) {
  const before = await read()
  await t.watch(what, 'rest').pause()
  return (await nextDifferent(before, read, same)) ? undefined : before
}

type Same<Value> = (before: Value, after: Value) => boolean | Promise<boolean>

/** The first of several looks that differs from the one before. */
async function nextDifferent<Value>(before: Value, read: () => Promise<Value>, same: Same<Value>) {
  for (let time = 0; time < attempts; time += 1) {
    const after = await read()
    if (!(await same(before, after))) return { after }
  }
  return undefined
}

/** The last finding, if every attempt has one. Ends at the first attempt without a finding. A missed effect is not attempted again. */
export async function everyTime<Found>(
  t: CheckContext,
  attempt: (time: number) => Promise<Found | undefined>,
) {
  let finding: Found | undefined
  for (let time = 0; time < attempts; time += 1) {
    finding = await attempt(time)
    if (finding === undefined) return undefined
    if (t.isSuspicious()) return finding
  }
  return finding
}

/** Expects one attempt without a finding ({@link everyTime}). */
export async function expectOnce(
  t: CheckContext,
  attempt: (time: number) => Promise<Finding | undefined>,
) {
  const finding = await everyTime(t, attempt)
  if (finding) t.deviation(finding)
}

/** The first finding of several attempts. */
export async function firstOf<Found>(
  t: CheckContext,
  attempt: (time: number) => Promise<Found | undefined>,
) {
  for (let time = 0; time < attempts; time += 1) {
    const finding = await attempt(time)
    if (finding !== undefined || t.isSuspicious()) return finding
  }
  return undefined
}

/** A probe, and the functions around it. The frame is the state of the target, which is read before and after the probe. */
interface Bracket<Frame, Result> {
  readonly read: () => Promise<Frame>
  /** A first look that other checks share. It suffices if the result is as expected. */
  readonly shared?: (() => Promise<Frame>) | undefined
  readonly probe: (frame: Frame) => Promise<Result>
  readonly same: (a: Frame, b: Frame) => boolean
  /** False if the result itself proves that the target changed meanwhile. */
  readonly comparable?: (frame: Frame, result: Result) => boolean
  /** True for a surprise that copies from different instants would cause: a cache that no response shows may have kept one of them. */
  readonly mayBeOld?: (frame: Frame, result: Result) => boolean
  /** Each probe costs a poll interval, so one round decides. */
  readonly isCostly?: boolean
  /** True for a result that conforms; the frame is then not read again. Without this function, one result with a frame at rest decides. */
  readonly expected?: ((frame: Frame, result: Result) => boolean) | undefined
}

/** Reads the frame, probes, and reads the frame again until both agree (readings G6). Undefined if they never do. */
export async function bracketed<Frame, Result>(
  t: Pick<CheckContext, 'outlastCopies'>,
  bracket: Bracket<Frame, Result>,
): Promise<{ readonly frame: Frame; readonly result: Result } | undefined> {
  const {
    read,
    shared,
    probe,
    same,
    comparable = () => true,
    mayBeOld = () => false,
    isCostly = false,
    expected,
  } = bracket
  const isExpected = (frame: Frame, result: Result) => expected?.(frame, result) ?? false
  if (shared && expected) {
    const frame = await shared()
    const result = await probe(frame)
    if (expected(frame, result)) return { frame, result }
  }
  const needed = expected && !isCostly ? rounds.agreeing : 1
  const moves = isCostly ? 1 : rounds.moves
  let frames: Frame[] = []
  for (let moved = 0; moved < moves; ) {
    const frame = await read()
    const result = await probe(frame)
    if (isExpected(frame, result)) return { frame, result }
    const all = [...frames, frame, await read()]
    const rests = comparable(frame, result) && all.every((other) => same(other, frame))
    if (!rests) moved += 1
    frames = rests ? all : []
    if (frames.length >= 2 * needed) return { frame, result }
    // Two replicas may respond in turn: an extra look exchanges their turns for the second half of the rounds.
    if (expected && frames.length === needed) {
      const areOld = moved > 0 || mayBeOld(frame, result)
      const [isOutlasted] = await Promise.all([t.outlastCopies(areOld), read()])
      if (!isOutlasted) return undefined
    }
  }
  return undefined
}

/** The response to a request. All checks share that of a GET. */
export function sendOrRead(t: CheckContext, request: RequestSpec) {
  return (request.endpoint.method === 'GET' ? t.read : t.send)(request)
}

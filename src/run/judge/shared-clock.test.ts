import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SharedClock } from './shared-clock.ts'

/** A target's clock, which notes who moved it how far. */
function target() {
  const moves: [who: string, seconds: number][] = []
  const movedBy = (who: string) => async (seconds: number) => {
    moves.push([who, seconds])
    await setImmediate()
    return {}
  }
  return { moves, movedBy, passed: () => moves.reduce((sum, [, seconds]) => sum + seconds, 0) }
}

test('the clock moves when all who may move it wait for it, once for all of them', async () => {
  const { moves, movedBy } = target()
  const clock = new SharedClock(new AbortController().signal)
  clock.expect(2)
  const second = clock.passingFor(1)(60, movedBy('second'))
  clock.begin()
  await setImmediate()
  expect(moves).toEqual([])
  await Promise.all([second, clock.passingFor(0)(60, movedBy('first'))])
  expect(moves).toEqual([['first', 60]])
})

test('nothing moves before the clock begins, and one that has ended is not waited for', async () => {
  const { moves, movedBy } = target()
  const clock = new SharedClock(new AbortController().signal)
  clock.expect(2)
  const passed = clock.passingFor(1)(60, movedBy('second'))
  clock.ended()
  await setImmediate()
  expect(moves).toEqual([])
  clock.begin()
  await passed
  expect(moves).toEqual([['second', 60]])
})

test('each sees as much time pass as it asked for', async () => {
  const { movedBy, passed } = target()
  const clock = new SharedClock(new AbortController().signal)
  clock.expect(2)
  clock.begin()
  const seen: Record<string, number> = {}
  const check = async (who: string, order: number, steps: readonly number[]) => {
    for (const seconds of steps) {
      const before = passed()
      await clock.passingFor(order)(seconds, movedBy(who))
      seen[`${who} ${seconds}`] = passed() - before
    }
    clock.ended()
  }
  await Promise.all([check('long', 0, [600, 30]), check('short', 1, [100, 200, 1])])
  expect(seen).toEqual({ 'long 600': 600, 'long 30': 30, 'short 100': 100, 'short 200': 200, 'short 1': 1 })
})

test('whoever waits is told when the target does not move its clock, or when the run is interrupted', async () => {
  const stop = new AbortController()
  const clock = new SharedClock(stop.signal)
  clock.expect(2)
  const refuse = () => Promise.reject(new Error('not offered'))
  const asked = [clock.passingFor(0)(1, refuse), clock.passingFor(1)(1, refuse)]
  clock.begin()
  expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const waiting = clock.passingFor(0)(1, refuse)
  stop.abort(new Error('interrupted'))
  await expect(waiting).rejects.toThrow('interrupted')
  await expect(clock.passingFor(0)(1, refuse)).rejects.toThrow('interrupted')
})

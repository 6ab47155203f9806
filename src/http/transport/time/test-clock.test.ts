import { expect, test } from 'vitest'
import { VirtualClock } from './test-clock.ts'

test('sleeps that begin together end in the order of their durations, each at its own time', async () => {
  const clock = new VirtualClock(1000)
  const ends: [number, number][] = []
  const sleep = async (milliseconds: number) => {
    await clock.sleep(milliseconds)
    ends.push([milliseconds, clock.now()])
  }
  const often = async () => {
    for (let time = 0; time < 3; time += 1) await sleep(10)
  }
  await Promise.all([sleep(120_000), sleep(25), often(), sleep(-5)])
  expect(ends).toEqual([
    [-5, 1000],
    [10, 1010],
    [10, 1020],
    [25, 1025],
    [10, 1030],
    [120_000, 121_000],
  ])
})

test('a sleep ends with the reason of its signal, and no time passes for it', async () => {
  const clock = new VirtualClock(1000)
  await expect(clock.sleep(10, AbortSignal.abort(new Error('ended')))).rejects.toThrow('ended')
  const run = new AbortController()
  const long = clock.sleep(60_000, run.signal)
  const short = clock.sleep(10).then(() => run.abort(new Error('interrupted')))
  await expect(long).rejects.toThrow('interrupted')
  await short
  expect(clock.now()).toBe(1010)
})

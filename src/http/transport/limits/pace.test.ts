import { setImmediate as settle } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../time/test-clock.ts'
import { Pace } from './pace.ts'

const fast = { concurrency: 3, requestsPerSecond: 1_000_000 }

/** A request that ends when it is told to. */
function held() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  return { end, ended }
}

/** The most of some requests that are in flight at once. */
async function mostAtOnce(pace: Pace, requests: number) {
  let inFlight = 0
  let most = 0
  const request = async () => {
    inFlight += 1
    most = Math.max(most, inFlight)
    await settle()
    inFlight -= 1
  }
  await Promise.all(Array.from({ length: requests }, () => pace.run(request)))
  return most
}

describe('pace', () => {
  test('pacing never admits more requests than the limit', async () => {
    const pace = new Pace(fast, new VirtualClock(0))
    expect(await mostAtOnce(pace, 20)).toBe(3)
  })

  test('pacing spaces requests evenly', async () => {
    const clock = new VirtualClock(0)
    const pace = new Pace({ concurrency: 8, requestsPerSecond: 4 }, clock)
    const starts: number[] = []
    for (let count = 0; count < 4; count += 1) await pace.run(async () => void starts.push(clock.now()))
    expect(starts).toEqual([0, 250, 500, 750])
  })

  test('pacing continues after a request that failed', async () => {
    const pace = new Pace({ concurrency: 1, requestsPerSecond: 1_000_000 }, new VirtualClock(0))
    await expect(pace.run(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
    expect(await pace.run(async () => 'next')).toBe('next')
  })

  test('waiting requests begin in the order of their arrival', async () => {
    const pace = new Pace({ ...fast, concurrency: 1 }, new VirtualClock(0))
    const order: string[] = []
    const first = held()
    const all = [pace.run(() => first.ended)]
    for (const name of ['a', 'b', 'c']) all.push(pace.run(async () => void order.push(name)))
    first.end()
    await Promise.all(all)
    expect(order).toEqual(['a', 'b', 'c'])
  })

  test('pacing stops waiting when the run ends', async () => {
    const pace = new Pace(
      { concurrency: 8, requestsPerSecond: 0.001 },
      new VirtualClock(0),
      AbortSignal.abort(new Error('ended')),
    )
    await pace.run(async () => {})
    await expect(pace.run(async () => {})).rejects.toThrow('ended')
  })
})

test('a target that throttles gets half as many requests at once, and one more after each 10 s', async () => {
  const clock = new VirtualClock(0)
  const pace = new Pace({ ...fast, concurrency: 8 }, clock)
  pace.slowDown()
  pace.slowDown()
  const seen = [await mostAtOnce(pace, 10)]
  for (const seconds of [9, 1, 10, 10, 10, 10]) {
    await clock.sleep(1000 * seconds)
    await pace.run(async () => {})
    seen.push(await mostAtOnce(pace, 10))
  }
  expect(seen).toEqual([4, 4, 5, 6, 7, 8, 8])
})

describe('an exclusive section', () => {
  test('an exclusive section begins when the requests in flight have ended and delays later ones', async () => {
    const pace = new Pace(fast, new VirtualClock(0))
    const order: string[] = []
    const before = held()
    const first = pace.run(() => before.ended.then(() => void order.push('before')))
    const section = pace.exclusively(async () => {
      order.push('section begins')
      await pace.run(async () => void order.push('its own request'), true)
      await settle()
      order.push('section ends')
    })
    const later = pace.run(async () => void order.push('later'))
    await settle()
    before.end()
    await Promise.all([first, section, later])
    expect(order).toEqual(['before', 'section begins', 'its own request', 'section ends', 'later'])
  })

  test('an exclusive section never runs at the same time as another', async () => {
    const pace = new Pace(fast, new VirtualClock(0))
    let inside = 0
    const section = async () => {
      inside += 1
      await settle()
      return inside--
    }
    expect(await Promise.all([1, 2, 3].map(() => pace.exclusively(section)))).toEqual([1, 1, 1])
  })

  test('an exclusive section ends even when it fails', async () => {
    const pace = new Pace(fast, new VirtualClock(0))
    await expect(pace.exclusively(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await pace.run(async () => 'next')).toBe('next')
  })
})

import { describe, expect, test } from 'vitest'
import type { Exchange } from '../http/exchange/exchange.ts'
import type { CheckContext } from './context.ts'
import { bracketed, eventually, everyTime, firstOf, sendUntil, still, unchanged } from './observe.ts'

/** A context that serves values in turn, the last one for ever. Each series of looks has three pauses. */
function observed<Value>(values: readonly Value[]) {
  const log = { waits: [] as string[], watched: [] as string[], appeared: 0, sent: [] as unknown[], reads: 0, suspicious: false }
  const read = async () => values[Math.min(log.reads++, values.length - 1)] as Value
  const watch = (effect: string, kind: string) => {
    let left = 3
    log.watched.push(`${kind}: ${effect}`)
    return {
      appeared: () => {
        log.appeared += 1
      },
      moved: () => {},
      isOver: () => true,
      pause: async () => left-- > 0,
    }
  }
  const context: Partial<CheckContext> = {
    wait: async (_, what) => void log.waits.push(what),
    watch,
    isSuspicious: () => log.suspicious,
    outlastCopies: async () => true,
    send: async (spec) => {
      log.sent.push(spec)
      return (await read()) as Exchange
    },
  }
  return { t: context as CheckContext, read, log }
}

const isNew = (value: string) => value === 'new'
const same = (a: string, b: string) => a === b

describe('an effect', () => {
  test.each([
    ['read once where the first look is the awaited one', ['new'], true, 1],
    ['read again after each pause', ['old', 'old', 'new'], true, 3],
    ['missed when its time is over, with the last look', ['old'], false, 4],
  ])('is %s', async (_, values, met, reads) => {
    const { t, read, log } = observed(values)
    expect(await eventually(t, 'it', read, isNew)).toEqual({ last: values.at(-1), met, isOver: true })
    expect(log).toMatchObject({ reads, appeared: met ? 1 : 0, watched: ['effect: it'] })
  })

  test('that must last is read after a pause', async () => {
    const { t, read, log } = observed(['new'])
    expect((await still(t, 'it', read, isNew)).met).toBe(true)
    expect(log.waits).toEqual(['it'])
  })
})

describe('a request', () => {
  const request = { endpoint: { method: 'GET', path: '/events' }, as: { label: 'anonymous' } } as const

  test('is sent again while its response is 404', async () => {
    const { t, log } = observed([{ status: 404 }, { status: 200 }])
    expect(await sendUntil(t, request)).toEqual({ status: 200 })
    expect(log).toMatchObject({ sent: [request, request], watched: ['effect: the effect on GET /events'] })
  })
})

describe('a state', () => {
  test('is at rest when it agrees with four later looks', async () => {
    const { t, read, log } = observed(['old', 'new'])
    expect(await unchanged(t, 'it', read, same)).toBe('new')
    expect(log).toMatchObject({ reads: 6, watched: ['rest: it'] })
  })

  test('is never at rest where two replicas differ all the time', async () => {
    const { t, read } = observed(Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? 'old' : 'new')))
    expect(await unchanged(t, 'it', read, same)).toBeUndefined()
  })
})

describe('several attempts', () => {
  test('find what every attempt finds', async () => {
    const { t, read, log } = observed(['finding'])
    expect(await everyTime(t, read)).toBe('finding')
    expect(log.reads).toBe(4)
  })

  test('find nothing where one attempt finds nothing', async () => {
    const { t, read } = observed(['finding', undefined, 'finding'])
    expect(await everyTime(t, read)).toBeUndefined()
  })

  test('end at the first finding where one is enough', async () => {
    const { t, read, log } = observed([undefined, 'finding'])
    expect(await firstOf(t, read)).toBe('finding')
    expect(log.reads).toBe(2)
  })

  test('end after a missed effect, since the engine judges the check again', async () => {
    const { t, read, log } = observed(['finding'])
    log.suspicious = true
    expect(await everyTime(t, read)).toBe('finding')
    expect(log.reads).toBe(1)
  })
})

describe('a comparison', () => {
  test('needs several agreeing rounds for a surprise, and one for a result as expected', async () => {
    const { t, read, log } = observed(['frame'])
    const look = (result: string) =>
      bracketed(t, { read, same, probe: async () => result, expected: (_, found) => found === 'expected' })
    expect(await look('expected')).toEqual({ frame: 'frame', result: 'expected' })
    expect(log.reads).toBe(1)
    expect(await look('surprise')).toEqual({ frame: 'frame', result: 'surprise' })
    expect(log.reads).toBe(10)
  })

  test('blames no target whose caches keep frames and results from different instants', async () => {
    const { t } = observed([''])
    const copies = [
      { frame: 'second', result: 'first' },
      { frame: 'third', result: 'third' },
    ]
    let minute = 0
    const outlastCopies = async () => {
      minute += 1
      return true
    }
    const copy = () => copies[Math.min(minute, copies.length - 1)] ?? { frame: '', result: '' }
    const bracket = { read: async () => copy().frame, same, probe: async () => copy().result, expected: same }
    expect(await bracketed({ ...t, outlastCopies }, bracket)).toEqual({ frame: 'third', result: 'third' })
  })

  test('finds nothing where the frame moves each time', async () => {
    const { t, read } = observed(Array.from({ length: 60 }, (_, at) => String(at)))
    expect(await bracketed(t, { read, same, probe: async () => 'surprise', expected: () => false })).toBeUndefined()
  })
})

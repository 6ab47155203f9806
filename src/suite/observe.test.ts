import { describe, expect, test } from 'vitest'
import type { Exchange } from '../http/exchange/exchange.ts'
import type { CheckContext } from './context.ts'
import { bracketed, policies, sendUntil, settled, soon } from './observe.ts'

/** A context that serves values in turn, the last one for ever, and records the waits and the missed effects. */
function observed<Value>(values: readonly Value[], patience = 0) {
  const log = { waits: [] as number[], missed: 0, sent: [] as unknown[], reads: 0 }
  const read = async () => values[Math.min(log.reads++, values.length - 1)] as Value
  const context: Partial<CheckContext> = {
    patience: () => patience,
    wait: async (seconds) => void log.waits.push(seconds),
    missedEffect: () => {
      log.missed += 1
    },
    send: async (spec) => {
      log.sent.push(spec)
      return (await read()) as Exchange
    },
  }
  return { t: context as CheckContext, read, log }
}

describe('soon', () => {
  test('reads once and waits for nothing where the first reading is as awaited', async () => {
    const { t, read, log } = observed(['new'], 60)
    expect(await soon(t, 'it', read, (value) => value === 'new')).toEqual({ last: 'new', met: true })
    expect(log).toMatchObject({ reads: 1, waits: [], missed: 0 })
  })

  test('pauses ever longer until the reading is as awaited', async () => {
    const { t, read, log } = observed(['old', 'old', 'old', 'new'], 60)
    expect(await soon(t, 'it', read, (value) => value === 'new')).toEqual({ last: 'new', met: true })
    expect(log).toMatchObject({ reads: 4, waits: [1, 3, 5], missed: 0 })
  })

  test('waits no longer than the patience of the context, and counts the missed effect', async () => {
    const { t, read, log } = observed(['old'], 12)
    expect(await soon(t, 'it', read, (value) => value === 'new')).toEqual({ last: 'old', met: false })
    expect(log).toMatchObject({ waits: [1, 3, 5, 3], missed: 1 })
  })

  test('makes only its tries, and counts no missed effect, under a policy without patience', async () => {
    const { t, read, log } = observed(['old'], 60)
    expect((await soon(t, 'it', read, (value) => value === 'new', policies.briefly)).met).toBe(false)
    expect(log).toMatchObject({ reads: 3, waits: [1, 3], missed: 0 })
  })
})

describe('sendUntil', () => {
  const request = { endpoint: { method: 'GET', path: '/events' }, as: { label: 'anonymous' } } as const

  test('sends a request again while its response is 404', async () => {
    const { t, log } = observed([{ status: 404 }, { status: 200 }], 60)
    expect(await sendUntil(t, request)).toEqual({ status: 200 })
    expect(log).toMatchObject({ sent: [request, request], waits: [1] })
  })

  test('returns the last response where none is as awaited', async () => {
    const { t, log } = observed([{ status: 500 }, { status: 502 }, { status: 503 }])
    expect(await sendUntil(t, request, ({ status }) => status === 200)).toEqual({ status: 503 })
    expect(log).toMatchObject({ reads: 3, missed: 1 })
  })
})

describe('settled', () => {
  const same = (a: string, b: string) => a === b

  test('returns a reading that agrees with four later ones', async () => {
    const { t, read, log } = observed(['old', 'new'])
    expect(await settled(t, 'it', read, same)).toBe('new')
    expect(log).toMatchObject({ reads: 6, waits: [1, 1] })
  })

  test('returns nothing where two replicas differ all the time', async () => {
    const { t, read } = observed(Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? 'old' : 'new')))
    expect(await settled(t, 'it', read, same)).toBeUndefined()
  })
})

describe('bracketed', () => {
  const same = (a: string, b: string) => a === b

  test('needs several agreeing looks for a surprise, and one for a result as expected', async () => {
    const { read, log } = observed(['frame'])
    const look = (result: string) =>
      bracketed({ read, same, probe: async () => result, expected: (_, found) => found === 'expected' })
    expect(await look('expected')).toEqual({ frame: 'frame', result: 'expected' })
    expect(log.reads).toBe(1)
    expect(await look('surprise')).toEqual({ frame: 'frame', result: 'surprise' })
    expect(log.reads).toBe(13)
  })

  test('blames no target whose caches keep frames and results from different instants', async () => {
    const copies = [
      { frame: 'second', result: 'first' },
      { frame: 'second', result: 'third' },
      { frame: 'third', result: 'third' },
    ]
    let minute = 0
    const wait = async () => {
      minute += 1
    }
    const copy = () => copies[Math.min(minute, copies.length - 1)] ?? { frame: '', result: '' }
    const probe = async () => copy().result
    const look = await bracketed({ read: async () => copy().frame, same, probe, wait, expected: (a, b) => a === b })
    expect(look).toEqual({ frame: 'third', result: 'third' })
  })

  test('finds nothing where the frame moves each time', async () => {
    const { read } = observed(Array.from({ length: 60 }, (_, at) => String(at)))
    expect(await bracketed({ read, same, probe: async () => 'surprise', expected: () => false })).toBeUndefined()
  })
})

import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { ageOf, requestArchive } from './migration-state.ts'

const hour = 3_600_000

/** A response of the target at noon of a day in November 2026. */
function answerOn(day: number, status: number, json?: unknown): Exchange {
  const date = new Date(Date.UTC(2026, 10, day, 12)).toUTCString()
  return { status, json, header: (name: string) => (name === 'date' ? date : undefined) } as unknown as Exchange
}

describe('the age of a migration', () => {
  test.each([
    ['2026-11-02T12:00:00+00:00', 24],
    ['2026-11-02T14:00:00+0200', 24],
    ['2026-11-02T14:00:00+02', 24],
    ['2026-11-02T05:00:00,0-07', 24],
    ['2026-11-02', 36],
  ])('an update at %s is %i hours old', (updated_at, hours) => {
    expect(ageOf(answerOn(3, 200, { updated_at }), answerOn(3, 200)) / hour).toBe(hours)
  })

  test('without a time of its update it has no age', () => expect(ageOf(answerOn(3, 200), answerOn(3, 200))).toBeNaN())
})

describe('a request for an archive that is not served', () => {
  const updated_at = '2026-11-02T12:00:00+00:00'
  const started = { answer: answerOn(2, 201, { updated_at }), id: 7, repositories: [] }

  /** The seconds that a request waits when each response is a 404 of this day. */
  async function waitOn(day: number): Promise<number> {
    let waited = 0
    const t = {
      send: async () => answerOn(day, 404),
      patience: () => 60,
      missedEffect: () => undefined,
      wait: async (seconds: number) => {
        waited += seconds
      },
    } as unknown as CheckContext
    expect((await requestArchive(t, {} as Caller, '/archive/{migration_id}', started)).status).toBe(404)
    return waited
  }

  test('is repeated with all patience during the lifetime of the archive', async () => expect(await waitOn(8)).toBe(60))

  test('is sent once when the archive is older than seven days', async () => expect(await waitOn(10)).toBe(0))
})

import { describe, expect, test, vi } from 'vitest'
import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { ageOf, requestArchive } from './migration-state.ts'

const hour = 3_600_000

/** A response of the target at noon of a day in November 2026. */
function responseOn(day: number, status: number, json?: unknown) {
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
    expect(ageOf(responseOn(3, 200, { updated_at }), responseOn(3, 200)) / hour).toBe(hours)
  })

  test('without a time of its update it has no age', () => expect(ageOf(responseOn(3, 200), responseOn(3, 200))).toBeNaN())
})

describe('a request for an archive that is not served', () => {
  const updated_at = '2026-11-02T12:00:00+00:00'
  const started = { response: responseOn(2, 201, { updated_at }), id: 7, repositories: [] }

  /** The requests until the end of the patience, which permits four pauses, when each response is a 404 of this day. */
  async function requestsOn(day: number) {
    const send = vi.fn(async () => responseOn(day, 404))
    const t = { send, watch: () => ({ appeared() {}, isOver: () => true, pause: async () => send.mock.calls.length <= 4 }) }
    const path = '/archive/{migration_id}'
    expect((await requestArchive(t as unknown as CheckContext, {} as Caller, path, started)).status).toBe(404)
    return send.mock.calls.length
  }

  test.each([
    ['repeated to the end of the patience during the lifetime of the archive', 8, 5],
    ['sent once when the archive is older than seven days', 10, 1],
  ])('is %s', async (_, day, requests) => expect(await requestsOn(day)).toBe(requests))
})

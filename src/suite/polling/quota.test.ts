import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { json, scriptedTarget } from '../../../fixtures/samples/target/scripted-target.ts'
import { anonymous, bearer } from '../../http/exchange/caller.ts'
import { NoResponse } from '../../http/exchange/no-response.ts'
import { openClient } from '../../http/test-client.ts'
import { scriptedStart, VirtualClock } from '../../http/transport/time/test-clock.ts'
import { endpoints } from '../../spec/endpoints.ts'
import { entityTag, type QuotaProbe } from '../poll-session.ts'
import { Poller } from './poller.ts'

const events = { endpoint: endpoints.publicEvents, as: anonymous }

const specs = ['octo-org', 'other-org', 'third-org', 'fourth-org'].map((org) => ({
  endpoint: endpoints.organizationEvents,
  params: { org },
  as: bearer('s3cret', 'owner'),
}))

/** A request for a list or for its quota. It is unchanged if it repeats the current tag of the list. */
interface Asked {
  readonly url: string
  readonly isProbe: boolean
  readonly isUnchanged: boolean
  /** Milliseconds. */
  readonly now: number
}

/** Counts a request and returns the number that the quota states then; undefined after it has written a response of its own. */
type Count = (asked: Asked, response: ServerResponse) => number | undefined

/** A poller that reads a quota, with its own client and clock, and the lists with that quota. */
async function opened(
  count: Count,
  { pointer = '/left', counts = 'down', tag = () => '"a"' }: Partial<QuotaProbe> & { tag?: (isProbe: boolean) => string } = {},
) {
  const clock = new VirtualClock(scriptedStart)
  const { baseUrl, received } = await scriptedTarget(({ url, headers }, response) => {
    const isProbe = url.startsWith('/quota')
    const etag = tag(isProbe)
    const isUnchanged = headers['if-none-match'] === etag
    const left = count({ url, isProbe, isUnchanged, now: clock.now() }, response)
    if (left === undefined) return
    if (isProbe) json(response, 200, { left })
    else response.writeHead(isUnchanged ? 304 : 200, { etag, 'x-poll-interval': '1' }).end()
  })
  const { signal } = new AbortController()
  const client = openClient(baseUrl, { clock })
  const pause = (_: string, seconds: number) => clock.sleep(seconds * 1000)
  const quota = { path: '/quota', pointer, counts }
  const poller = new Poller({ client, clock, signal, obey: true, maxWaitSeconds: 120, pause, quota })
  return { poller, probes: () => received.filter(({ url }) => url === '/quota').length }
}

/** A quota that decreases with each request except a 304; with each one where `counted`. */
function decreasing(counted = false): Count {
  let left = 5000
  return ({ isUnchanged }) => {
    if (!isUnchanged || counted) left -= 1
    return left
  }
}

const free = { alone: [1, 1], around: 1, patient: false }

describe('the quota', () => {
  test.each([
    ['up', false, 1],
    ['down', false, 1],
    ['up', true, 2],
    ['down', true, 2],
  ] as const)(
    'a quota that counts %s (304 counted: %s) changes by 1 for the probe alone and by %i around the poll',
    async (counts, counted, around) => {
      const count = decreasing(counted)
      const { poller } = await opened((...asked) => (counts === 'down' ? 1 : -1) * (count(...asked) ?? 0), { counts })
      expect((await poller.session(events, entityTag)).quota?.at(-1)).toEqual({ alone: [1, 1], around, patient: counted })
    },
  )

  test.for([
    { unserved: [3], requests: 'one probe', polls: 2, measured: true },
    { unserved: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], requests: 'every probe', polls: 3, measured: false },
  ])('a poll is measured again where $requests of it was answered 503', async ({ unserved, polls, measured }) => {
    let probes = 0
    const { poller, probes: received } = await opened(({ isProbe }, response) => {
      if (isProbe) probes += 1
      return isProbe && unserved.includes(probes) ? void json(response, 503, {}) : 5000 - probes
    })
    const { quota, tries, probes: reads } = await poller.session(events, entityTag)
    expect(reads).toHaveLength(4 * polls)
    expect(quota).toEqual(measured ? [free] : undefined)
    expect(tries).toHaveLength(polls)
    expect(received()).toBe(4 * polls)
  })

  test.each([
    { counted: false, delay: 30, around: 1 },
    { counted: false, delay: 400, around: 1 },
    { counted: true, delay: 400, around: 2 },
  ])(
    'a counter that reports each request $delay ms late is measured with pauses (304 counted: $counted)',
    async ({ counted, delay, around }) => {
      const charges: number[] = []
      const { poller } = await opened(({ isUnchanged, now }) => {
        if (!isUnchanged || counted) charges.push(now + delay)
        return 5000 - charges.filter((due) => due <= now).length
      })
      const { quota } = await poller.session(events, entityTag)
      expect(quota?.at(-1)).toEqual({ alone: [1, 1], around, patient: true })
    },
  )

  test('a poll is measured again where one probe was redirected', async () => {
    const count = decreasing()
    let probes = 0
    const { poller } = await opened((asked, response) => {
      const left = count(asked, response)
      probes += asked.url === '/quota' ? 1 : 0
      const isRedirected = asked.url === '/quota' && probes === 3
      return isRedirected ? void response.writeHead(307, { location: '/quota?node=2' }).end() : left
    })
    const { quota, tries } = await poller.session(events, entityTag)
    expect(quota).toEqual([free])
    expect(tries).toHaveLength(2)
  })

  test('a list that changed while it was measured is measured again without pauses', async () => {
    let reads = 0
    const tag = (isProbe: boolean) => {
      reads += isProbe ? 0 : 1
      return reads === 1 ? '"a"' : '"b"'
    }
    const { poller } = await opened(decreasing(), { tag })
    const { quota, tries } = await poller.session(events, entityTag, { confirms: true })
    expect(tries.map(({ response }) => response.status)).toEqual([200, 304])
    expect(quota).toEqual([free])
  })

  test('the quota is not measured when it is not at the configured place', async () => {
    const { poller } = await opened(decreasing(), { pointer: '/core/remaining' })
    const session = await poller.session(events, entityTag)
    expect(session.quota).toBeUndefined()
    expect(session.tries).toHaveLength(1)
  })
})

describe('polls of several addresses at once', () => {
  /** Counts every request except a 304. It also counts a 304 of a `charged` address, and reports it one request later if `late`. */
  async function costsAt({ charged = 'none', late = false }) {
    let [left, pending] = [5000, 0]
    const { poller, probes } = await opened(({ url, isUnchanged }) => {
      left -= isUnchanged ? 0 : 1
      const stated = left
      left -= pending
      pending = isUnchanged && url.includes(charged) ? 1 : 0
      if (!late) [left, pending] = [left - pending, 0]
      return stated
    })
    const sessions = await Promise.all(specs.map((spec) => poller.session(spec, entityTag)))
    return { costs: sessions.map((session) => session.quota), probes: probes() }
  }

  test('free polls that wait at the same time are measured together', async () => {
    const { costs, probes } = await costsAt({})
    expect(costs).toEqual([[free], [free], [free], [free]])
    expect(probes).toBeLessThan(4 * specs.length)
  })

  test('a poll that is charged is measured alone, and twice more with pauses', async () => {
    const charged = { alone: [1, 1], around: 2, patient: false }
    const patient = { ...charged, patient: true }
    const { costs } = await costsAt({ charged: 'third' })
    expect(costs).toEqual([[free], [free], [charged, patient, patient], [free]])
  })

  test('a charge that the quota reports one request late is visible in the probes after the poll', async () => {
    const { costs } = await costsAt({ charged: 'fourth', late: true })
    const shifted = { alone: [1, 2], around: 1, patient: true }
    expect(costs).toEqual([[free], [free], [free], [{ ...shifted, patient: false }, shifted, shifted]])
  })

  test('a poll that is never answered does not affect the others', async () => {
    const { poller } = await opened(({ url, isUnchanged }, response) =>
      isUnchanged && url.includes('third') ? void response.destroy() : 1,
    )
    const sessions = await Promise.allSettled(specs.map((spec) => poller.session(spec, entityTag)))
    const quotas = sessions.map((session) => (session.status === 'fulfilled' ? session.value.quota : session.reason))
    const unchanged = [{ alone: [0, 0, 0], around: 0, patient: false }]
    expect(quotas).toEqual([unchanged, unchanged, expect.any(NoResponse), unchanged])
  })

  test('a probe that falls silent leaves no poll waiting', async () => {
    let probes = 0
    const { poller } = await opened(({ isProbe }, response) => {
      if (isProbe) probes += 1
      return isProbe && probes > 3 ? void response.destroy() : 1
    })
    const sessions = await Promise.allSettled(specs.slice(0, 2).map((spec) => poller.session(spec, entityTag)))
    const lost = { status: 'rejected', reason: expect.any(NoResponse) }
    expect(sessions).toEqual([lost, lost])
  })
})

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

/** A poller that reads the quota, with its own client and clock. */
function openPoller(baseUrl: string, quota: QuotaProbe) {
  const clock = new VirtualClock(scriptedStart)
  const { signal } = new AbortController()
  const client = openClient(baseUrl, { clock })
  const pause = (_: string, seconds: number) => clock.sleep(seconds * 1000)
  return { clock, poller: new Poller({ client, clock, signal, obey: true, maxWaitSeconds: 120, pause, quota }) }
}

describe('the quota', () => {
  /** Counts every request; a 304 too where `counted`. */
  function metered(counted: boolean, counts: 'up' | 'down') {
    let used = 0
    return scriptedTarget(({ url, headers }, response) => {
      const unchanged = headers['if-none-match'] === '"a"'
      if (!unchanged || counted) used += 1
      if (url === '/quota') json(response, 200, { core: { left: counts === 'down' ? 5000 - used : used } })
      else if (unchanged) response.writeHead(304, { 'x-poll-interval': '1' }).end()
      else json(response, 200, [], { etag: '"a"', 'x-poll-interval': '1' })
    })
  }

  test.each([
    ['up', false, 1],
    ['down', false, 1],
    ['up', true, 2],
    ['down', true, 2],
  ] as const)(
    'a quota that counts %s (304 counted: %s) changes by 1 for the probe alone and by %i around the poll',
    async (counts, counted, around) => {
      const { baseUrl } = await metered(counted, counts)
      const { poller } = openPoller(baseUrl, { path: '/quota', pointer: '/core/left', counts })
      expect((await poller.session(events, entityTag)).quota?.at(-1)).toEqual({ alone: [1, 1], around, patient: counted })
    },
  )

  test.for([
    { unserved: [3], requests: 'one probe', polls: 2, measured: true },
    { unserved: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], requests: 'every probe', polls: 3, measured: false },
  ])('a poll is measured again where $requests of it was answered 503', async ({ unserved, polls, measured }) => {
    let probes = 0
    const { baseUrl, received } = await scriptedTarget(({ url, headers }, response) => {
      if (url === '/quota') probes += 1
      if (url === '/quota') json(response, unserved.includes(probes) ? 503 : 200, { left: 5000 - probes })
      else response.writeHead(headers['if-none-match'] === '"a"' ? 304 : 200, { etag: '"a"', 'x-poll-interval': '1' }).end()
    })
    const { poller } = openPoller(baseUrl, { path: '/quota', pointer: '/left', counts: 'down' })
    const { quota, tries, probes: reads } = await poller.session(events, entityTag)
    expect(reads).toHaveLength(4 * polls)
    expect(quota).toEqual(measured ? [{ alone: [1, 1], around: 1, patient: false }] : undefined)
    expect(tries).toHaveLength(polls)
    expect(received.filter(({ url }) => url === '/quota')).toHaveLength(4 * polls)
  })

  test.each([
    { counted: false, delay: 30, around: 1 },
    { counted: false, delay: 400, around: 1 },
    { counted: true, delay: 400, around: 2 },
  ])('a counter that reports each request $delay ms late is measured with pauses (304 counted: $counted)', async (late) => {
    const { quota } = await (await openLatePoller(late)).session(events, entityTag)
    expect(quota?.at(-1)).toEqual({ alone: [1, 1], around: late.around, patient: true })
  })

  /** Counts like `metered`, and reports a request when its delay is over by the clock of the poller. */
  async function openLatePoller({ counted, delay }: { counted: boolean; delay: number }) {
    const charges: number[] = []
    let now = () => 0
    const { baseUrl } = await scriptedTarget(({ url, headers }, response) => {
      const unchanged = headers['if-none-match'] === '"a"'
      if (!unchanged || counted) charges.push(now() + delay)
      const used = charges.filter((due) => due <= now()).length
      if (url === '/quota') json(response, 200, { left: 5000 - used })
      else response.writeHead(unchanged ? 304 : 200, { etag: '"a"', 'x-poll-interval': '1' }).end()
    })
    const opened = openPoller(baseUrl, { path: '/quota', pointer: '/left', counts: 'down' })
    now = () => opened.clock.now()
    return opened.poller
  }

  test('a poll is measured again where one probe was redirected', async () => {
    let [used, probes] = [0, 0]
    const { baseUrl } = await scriptedTarget(({ url, headers }, response) => {
      const unchanged = headers['if-none-match'] === '"a"'
      used += unchanged ? 0 : 1
      probes += url === '/quota' ? 1 : 0
      if (url === '/quota' && probes === 3) response.writeHead(307, { location: '/quota?node=2' }).end()
      else if (url.startsWith('/quota')) json(response, 200, { left: 5000 - used })
      else response.writeHead(unchanged ? 304 : 200, { etag: '"a"', 'x-poll-interval': '1' }).end()
    })
    const { poller } = openPoller(baseUrl, { path: '/quota', pointer: '/left', counts: 'down' })
    const { quota, tries } = await poller.session(events, entityTag)
    expect(quota).toEqual([{ alone: [1, 1], around: 1, patient: false }])
    expect(tries).toHaveLength(2)
  })

  test('a list that changed while it was measured is measured again without pauses', async () => {
    let [used, reads] = [0, 0]
    const { baseUrl } = await scriptedTarget(({ url, headers }, response) => {
      reads += url === '/quota' ? 0 : 1
      const etag = reads === 1 ? '"a"' : '"b"'
      const unchanged = headers['if-none-match'] === etag
      used += unchanged ? 0 : 1
      if (url === '/quota') json(response, 200, { left: 5000 - used })
      else response.writeHead(unchanged ? 304 : 200, { etag, 'x-poll-interval': '1' }).end()
    })
    const { poller } = openPoller(baseUrl, { path: '/quota', pointer: '/left', counts: 'down' })
    const { quota, tries } = await poller.session(events, entityTag, { confirms: true })
    expect(tries.map(({ response }) => response.status)).toEqual([200, 304])
    expect(quota).toEqual([{ alone: [1, 1], around: 1, patient: false }])
  })

  test('the quota is not measured when it is not at the configured place', async () => {
    const { baseUrl } = await metered(false, 'down')
    const { poller } = openPoller(baseUrl, { path: '/quota', pointer: '/core/remaining', counts: 'down' })
    const session = await poller.session(events, entityTag)
    expect(session.quota).toBeUndefined()
    expect(session.tries).toHaveLength(1)
  })
})

describe('polls of several addresses at once', () => {
  const specs = ['octo-org', 'other-org', 'third-org', 'fourth-org'].map((org) => ({
    endpoint: endpoints.organizationEvents,
    params: { org },
    as: bearer('s3cret', 'owner'),
  }))
  const quota = { path: '/quota', pointer: '/left', counts: 'down' } as const

  /** Counts every request except a 304. It also counts a 304 of a `charged` address, and reports it one request later if `late`. */
  function metered({ charged = 'none', late = false }) {
    let [used, pending] = [0, 0]
    return scriptedTarget(({ url, headers }, response) => {
      const unchanged = headers['if-none-match'] === '"a"'
      used += unchanged ? 0 : 1
      const left = 5000 - used
      used += pending
      pending = unchanged && url.includes(charged) ? 1 : 0
      if (!late) [used, pending] = [used + pending, 0]
      if (url === '/quota') json(response, 200, { left })
      else response.writeHead(unchanged ? 304 : 200, { etag: '"a"', 'x-poll-interval': '1' }).end()
    })
  }

  async function costsAt(target: Parameters<typeof metered>[0]) {
    const { baseUrl, received } = await metered(target)
    const { poller } = openPoller(baseUrl, quota)
    const sessions = await Promise.all(specs.map((spec) => poller.session(spec, entityTag)))
    return { costs: sessions.map((session) => session.quota), probes: received.filter(({ url }) => url === '/quota').length }
  }

  const free = { alone: [1, 1], around: 1, patient: false }

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
    const { baseUrl } = await scriptedTarget(({ url, headers }, response) => {
      if (headers['if-none-match'] === '"a"' && url.includes('third')) response.destroy()
      else if (url === '/quota') json(response, 200, { left: 1 })
      else response.writeHead(headers['if-none-match'] === '"a"' ? 304 : 200, { etag: '"a"', 'x-poll-interval': '1' }).end()
    })
    const { poller } = openPoller(baseUrl, quota)
    const sessions = await Promise.allSettled(specs.map((spec) => poller.session(spec, entityTag)))
    const quotas = sessions.map((session) => (session.status === 'fulfilled' ? session.value.quota : session.reason))
    const unchanged = [{ alone: [0, 0, 0], around: 0, patient: false }]
    expect(quotas).toEqual([unchanged, unchanged, expect.any(NoResponse), unchanged])
  })

  test('a probe that falls silent leaves no poll waiting', async () => {
    let probes = 0
    const { baseUrl } = await scriptedTarget(({ url, headers }, response) => {
      if (url === '/quota') probes += 1
      if (url === '/quota' && probes > 3) response.destroy()
      else if (url === '/quota') json(response, 200, { left: 1 })
      else response.writeHead(headers['if-none-match'] === '"a"' ? 304 : 200, { etag: '"a"', 'x-poll-interval': '1' }).end()
    })
    const { poller } = openPoller(baseUrl, quota)
    const sessions = await Promise.allSettled(specs.slice(0, 2).map((spec) => poller.session(spec, entityTag)))
    expect(sessions.map((session) => session.status === 'rejected' && session.reason)).toEqual([
      expect.any(NoResponse),
      expect.any(NoResponse),
    ])
  })
})

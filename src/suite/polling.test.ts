import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { json, type ReceivedRequest, scriptedTarget } from '../../fixtures/samples/target/scripted-target.ts'
import { anonymous, bearer } from '../http/exchange/caller.ts'
import { NoAnswer } from '../http/exchange/no-answer.ts'
import { openClient } from '../http/test-client.ts'
import { scriptedStart, VirtualClock } from '../http/transport/test-clock.ts'
import { endpoints } from '../spec/endpoints.ts'
import { Deviation } from './deviation.ts'
import { entityTag, modificationDate } from './poll-session.ts'
import { Poller, type PollerOptions } from './polling.ts'
import { Untested } from './untested.ts'

const events = { endpoint: endpoints.publicEvents, as: anonymous }

/** A poller with its own client and clock, and the seconds of its waits. */
function openPoller(baseUrl: string, options: Partial<PollerOptions> = {}) {
  const clock = new VirtualClock(scriptedStart)
  const { signal } = new AbortController()
  const client = openClient(baseUrl, { clock })
  const waits: number[] = []
  const onWait = (_: string, seconds: number) => void waits.push(seconds)
  return { clock, waits, poller: new Poller({ client, clock, signal, obey: true, maxWaitSeconds: 120, onWait, ...options }) }
}

/** A list with the entity tag that `tag` returns and a poll interval in seconds. */
function polled({ tag = () => '"a"', interval = '60' }: { tag?: (count: number) => string; interval?: string }) {
  return scriptedTarget((request, response, count) => {
    const etag = tag(count)
    const headers = { etag, 'x-poll-interval': interval }
    if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end()
    else json(response, 200, [{ id: '1' }], headers)
  })
}

const failing = (status: number) => (_: ReceivedRequest, response: ServerResponse) => json(response, status, {})

describe('a poll session', () => {
  test('a poll session sends two conditional requests: first a foreign validator, then the verbatim one', async () => {
    const { baseUrl, received } = await polled({ tag: () => 'W/"a-1"' })
    const { poller } = openPoller(baseUrl)
    const session = await poller.session(events, entityTag)
    expect(received.map(({ headers }) => headers['if-none-match'])).toEqual([entityTag.foreign, 'W/"a-1"'])
    expect([session.first.status, session.tries.map(({ answer }) => answer.status)]).toEqual([200, [304]])
  })

  test('a poll session is shared by all checks that need it', async () => {
    const { baseUrl, received } = await polled({})
    const { poller } = openPoller(baseUrl)
    const [a, b] = await Promise.all([poller.session(events, entityTag), poller.session(events, entityTag)])
    expect(a).toBe(b)
    expect(received).toHaveLength(2)
  })

  test('a poll session of a list that changed once sends the validator of the latest answer', async () => {
    const { baseUrl, received } = await polled({ tag: (count) => (count === 1 ? '"a"' : '"b"') })
    const { tries } = await openPoller(baseUrl).poller.session(events, entityTag)
    expect(received.map(({ headers }) => headers['if-none-match']).slice(1)).toEqual(['"a"', '"b"'])
    expect(tries.map(({ answer }) => answer.status)).toEqual([200, 304])
  })

  test('a poll session ends after three attempts when the validator never matches', async () => {
    const { baseUrl, received } = await polled({ tag: (count) => `"${count}"` })
    const { tries } = await openPoller(baseUrl).poller.session(events, entityTag)
    expect(tries.map(({ answer }) => answer.status)).toEqual([200, 200, 200])
    expect(received).toHaveLength(4)
  })

  test('a poll session makes no attempt when there is no validator', async () => {
    const { baseUrl } = await scriptedTarget((_, response) => json(response, 200, []))
    expect((await openPoller(baseUrl).poller.session(events, modificationDate)).tries).toEqual([])
  })

  test('a poll session reads the list again when a foreign validator is answered 304', async () => {
    const { baseUrl, received } = await scriptedTarget(({ headers }, response) => {
      if (headers['if-none-match']) response.writeHead(304).end()
      else json(response, 200, [], { etag: '"a"' })
    })
    const { first, tries } = await openPoller(baseUrl).poller.session(events, entityTag)
    expect([first.status, tries[0]?.source.status, tries[0]?.answer.status]).toEqual([304, 200, 304])
    expect(received).toHaveLength(3)
  })

  test('a poll follows a redirect (readings H7), and later polls of the session request its destination at once', async () => {
    const { baseUrl, received } = await scriptedTarget(({ url, headers }, response) => {
      if (!url.endsWith('/')) response.writeHead(308, { location: `${url}/` }).end()
      else if (headers['if-none-match'] === '"a"') response.writeHead(304).end()
      else json(response, 200, [], { etag: '"a"' })
    })
    const { first, tries } = await openPoller(baseUrl).poller.session(events, entityTag)
    expect([first.status, tries[0]?.answer.status]).toEqual([200, 304])
    expect(received.map(({ url }) => url)).toEqual(['/events', '/events/', '/events/'])
  })
})

describe('the poll interval', () => {
  test('the poll interval is respected between polls of one path by one caller', async () => {
    const { baseUrl } = await polled({ interval: '60' })
    const { poller, clock, waits } = openPoller(baseUrl)
    await poller.session(events, entityTag)
    await poller.poll(events, entityTag, '"a"')
    expect(clock.now() - scriptedStart).toBe(120_000)
    expect(waits).toEqual([60, 60])
  })

  test('the poll interval is respected by simultaneous polls as well', async () => {
    const { baseUrl } = await polled({ interval: '10' })
    const { poller, clock } = openPoller(baseUrl)
    await Promise.all([1, 2, 3].map(() => poller.poll(events, entityTag, '"a"')))
    expect(clock.now() - scriptedStart).toBe(20_000)
  })

  test('the poll interval of another path or another caller is separate', async () => {
    const { baseUrl } = await polled({ interval: '60' })
    const { poller, clock } = openPoller(baseUrl)
    const network = { endpoint: endpoints.organizationEvents, params: { org: 'octo-org' }, as: anonymous }
    for (const spec of [events, network, { ...events, as: bearer('s3cret', 'owner') }]) await poller.poll(spec, entityTag, '"a"')
    expect(clock.now()).toBe(scriptedStart)
  })

  test('the poll interval may grow from poll to poll', async () => {
    const { baseUrl } = await scriptedTarget((_, response, count) =>
      json(response, 200, [], { 'x-poll-interval': String(count * 10) }),
    )
    const { poller, waits } = openPoller(baseUrl)
    for (let time = 0; time < 3; time += 1) await poller.poll(events, entityTag, '"a"')
    expect(waits).toEqual([10, 20])
  })

  test('a poll interval that is longer than a run may wait leaves the check untested and names the setting', async () => {
    const { baseUrl, received } = await polled({ interval: '3600' })
    const session = openPoller(baseUrl).poller.session(events, entityTag)
    await expect(session).rejects.toThrow(/asks for 3600 s between polls, but polling.maxWaitSeconds allows only 120/)
    expect(received).toHaveLength(1)
  })

  test('the poll interval is ignored when the configuration says so', async () => {
    const { baseUrl } = await polled({ interval: '3600' })
    const { poller, clock } = openPoller(baseUrl, { obey: false })
    await poller.session(events, entityTag)
    expect(clock.now()).toBe(scriptedStart)
  })

  test.each(['soon', '', '-5'])('a poll interval that is not a number (%j) counts as one second', async (interval) => {
    const { baseUrl } = await polled({ interval })
    const { poller, clock } = openPoller(baseUrl)
    await poller.session(events, entityTag)
    expect(clock.now() - scriptedStart).toBe(1000)
  })
})

describe('inconclusive answers', () => {
  test.each([403, 302])('a poll that is answered %i is untested', async (status) => {
    const { baseUrl } = await scriptedTarget(failing(status))
    await expect(openPoller(baseUrl).poller.session(events, entityTag)).rejects.toBeInstanceOf(Untested)
  })

  test('a throttled poll names the status and the caller', async () => {
    const { baseUrl } = await scriptedTarget(failing(429))
    const traits = { status: 429, throttled: { caller: 'anonymous' } }
    await expect(openPoller(baseUrl).poller.session(events, entityTag)).rejects.toMatchObject({ traits })
  })

  test.each([502, 503, 504])('a poll that is always answered %i, once per interval, counts as no answer', async (status) => {
    const { baseUrl, received } = await scriptedTarget(failing(status))
    await expect(openPoller(baseUrl).poller.session(events, entityTag)).rejects.toBeInstanceOf(NoAnswer)
    expect(received).toHaveLength(5)
  })

  test.each([500, 501, 505])('a poll that is answered %i is a deviation', async (status) => {
    const { baseUrl } = await scriptedTarget(failing(status))
    await expect(openPoller(baseUrl).poller.session(events, entityTag)).rejects.toBeInstanceOf(Deviation)
  })
})

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
      const { poller } = openPoller(baseUrl, { quota: { path: '/quota', pointer: '/core/left', counts } })
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
    const { poller } = openPoller(baseUrl, { quota: { path: '/quota', pointer: '/left', counts: 'down' } })
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
  async function openLatePoller({ counted, delay }: { counted: boolean; delay: number }): Promise<Poller> {
    const charges: number[] = []
    let now = () => 0
    const { baseUrl } = await scriptedTarget(({ url, headers }, response) => {
      const unchanged = headers['if-none-match'] === '"a"'
      if (!unchanged || counted) charges.push(now() + delay)
      const used = charges.filter((due) => due <= now()).length
      if (url === '/quota') json(response, 200, { left: 5000 - used })
      else response.writeHead(unchanged ? 304 : 200, { etag: '"a"', 'x-poll-interval': '1' }).end()
    })
    const opened = openPoller(baseUrl, { quota: { path: '/quota', pointer: '/left', counts: 'down' } })
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
    const { poller } = openPoller(baseUrl, { quota: { path: '/quota', pointer: '/left', counts: 'down' } })
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
    const { poller } = openPoller(baseUrl, { quota: { path: '/quota', pointer: '/left', counts: 'down' } })
    const { quota, tries } = await poller.session(events, entityTag)
    expect(tries.map(({ answer }) => answer.status)).toEqual([200, 304])
    expect(quota).toEqual([{ alone: [1, 1], around: 1, patient: false }])
  })

  test('the quota is not measured when it is not at the configured place', async () => {
    const { baseUrl } = await metered(false, 'down')
    const { poller } = openPoller(baseUrl, { quota: { path: '/quota', pointer: '/core/remaining', counts: 'down' } })
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
    const { poller } = openPoller(baseUrl, { quota })
    const sessions = await Promise.all(specs.map((spec) => poller.session(spec, entityTag)))
    return { costs: sessions.map((session) => session.quota), probes: received.filter(({ url }) => url === '/quota').length }
  }

  const free = { alone: [1, 1], around: 1, patient: false }

  test('each poll is measured by four probes of its own', async () => {
    expect(await costsAt({})).toEqual({ costs: [[free], [free], [free], [free]], probes: 16 })
  })

  test('a poll that is charged is measured twice more, with pauses', async () => {
    const charged = { alone: [1, 1], around: 2, patient: false }
    const patient = { ...charged, patient: true }
    expect(await costsAt({ charged: 'third' })).toEqual({
      costs: [[free], [free], [charged, patient, patient], [free]],
      probes: 4 * 6,
    })
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
    const { poller } = openPoller(baseUrl, { quota })
    const sessions = await Promise.allSettled(specs.map((spec) => poller.session(spec, entityTag)))
    const quotas = sessions.map((session) => (session.status === 'fulfilled' ? session.value.quota : session.reason))
    const unchanged = [{ alone: [0, 0, 0], around: 0, patient: false }]
    expect(quotas).toEqual([unchanged, unchanged, expect.any(NoAnswer), unchanged])
  })

  test('a probe that falls silent leaves no poll waiting', async () => {
    let probes = 0
    const { baseUrl } = await scriptedTarget(({ url, headers }, response) => {
      if (url === '/quota') probes += 1
      if (url === '/quota' && probes > 3) response.destroy()
      else if (url === '/quota') json(response, 200, { left: 1 })
      else response.writeHead(headers['if-none-match'] === '"a"' ? 304 : 200, { etag: '"a"', 'x-poll-interval': '1' }).end()
    })
    const { poller } = openPoller(baseUrl, { quota })
    const sessions = await Promise.allSettled(specs.slice(0, 2).map((spec) => poller.session(spec, entityTag)))
    expect(sessions.map((session) => session.status === 'rejected' && session.reason)).toEqual([
      expect.any(NoAnswer),
      expect.any(NoAnswer),
    ])
  })
})

import type { ServerResponse } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { closedPort, json, scriptedTarget, servedAfter } from '../../fixtures/samples/target/scripted-target.ts'
import { endpoints } from '../spec/endpoints.ts'
import { anonymous, bearer } from './exchange/caller.ts'
import { NoResponse } from './exchange/no-response.ts'
import { retryAfterDelay } from './exchange/retry.ts'
import { openClient } from './test-client.ts'
import { ConnectionPool } from './transport/connection/pool.ts'
import { scriptedStart, VirtualClock } from './transport/time/test-clock.ts'

const events = { endpoint: endpoints.publicEvents, as: anonymous }
const network = { endpoint: endpoints.networkEvents, params: { owner: 'octo-org', repo: 'hello' }, as: anonymous }

describe('Retry-After', () => {
  test('Retry-After is read as a number of seconds or as a date relative to the date of the response', () => {
    const date = 'Fri, 20 Nov 2026 12:00:00 GMT'
    expect(retryAfterDelay('7', undefined)).toBe(7000)
    expect(retryAfterDelay(' 0 ', undefined)).toBe(0)
    expect(retryAfterDelay('Fri, 20 Nov 2026 12:01:30 GMT', date)).toBe(90_000)
    expect(retryAfterDelay('Fri, 20 Nov 2026 11:00:00 GMT', date)).toBe(0)
  })

  test('Retry-After in any other form is ignored', () => {
    expect(retryAfterDelay(undefined, undefined)).toBeUndefined()
    expect(retryAfterDelay('soon', 'Fri, 20 Nov 2026 12:00:00 GMT')).toBeUndefined()
    expect(retryAfterDelay('Fri, 20 Nov 2026 12:01:30 GMT', undefined)).toBeUndefined()
  })
})

describe('a temporary error', () => {
  test.each([408, 429, 502, 503, 504, 522, 530])('a request that is answered %i is sent again', async (status) => {
    const { baseUrl, received } = await servedAfter(2, (response) => json(response, status, {}))
    expect((await openClient(baseUrl).send(events)).status).toBe(200)
    expect(received).toHaveLength(3)
  })

  test.each([400, 404])('a response of %i is final', async (status) => {
    const { baseUrl, received } = await servedAfter(1, (response) => json(response, status, {}))
    expect((await openClient(baseUrl).send(events)).status).toBe(status)
    expect(received).toHaveLength(1)
  })

  test.each([500, 501, 505])('a request that is answered %i is sent once more without a long wait', async (status) => {
    const { baseUrl, received } = await servedAfter(9, (response) => json(response, status, {}, { 'retry-after': '3600' }))
    expect((await openClient(baseUrl).send(events)).status).toBe(status)
    expect(received).toHaveLength(2)
  })

  test('a single 500 does not judge the request', async () => {
    const { baseUrl } = await servedAfter(1, (response) => json(response, 500, {}))
    expect((await openClient(baseUrl).send(events)).status).toBe(200)
  })

  test('a retry waits for the time of Retry-After', async () => {
    const clock = new VirtualClock(scriptedStart)
    const { baseUrl } = await servedAfter(1, (response) => json(response, 429, {}, { 'retry-after': '45' }))
    await openClient(baseUrl, { clock }).send(events)
    expect(clock.now() - scriptedStart).toBe(45_000)
  })

  test('a retry waits until the date in Retry-After', async () => {
    const clock = new VirtualClock(scriptedStart)
    const dates = { date: 'Fri, 20 Nov 2020 12:00:00 GMT', 'retry-after': 'Fri, 20 Nov 2020 12:00:20 GMT' }
    const { baseUrl } = await servedAfter(1, (response) => json(response, 503, {}, dates))
    await openClient(baseUrl, { clock }).send(events)
    expect(clock.now() - scriptedStart).toBe(20_000)
  })

  test('a retry is given up at once when Retry-After exceeds the longest wait of a run', async () => {
    const { baseUrl, received } = await servedAfter(9, (response) => json(response, 503, {}, { 'retry-after': '3600' }))
    await expect(openClient(baseUrl).send(events)).rejects.toThrow(/GET http.*\/events: answered 503 \(tried 1 time/)
    expect(received).toHaveLength(1)
  })

  test('a retry is given up after the third attempt, and the message says so', async () => {
    const { baseUrl, received } = await servedAfter(9, (response) => json(response, 502, {}))
    const failure = await openClient(baseUrl)
      .send(events)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(NoResponse)
    expect(String(failure)).toMatch(/answered 502 \(tried 3 times in 1\.5 s\)/)
    expect(received).toHaveLength(3)
  })

  test('a temporary error is returned unchanged to a conditional request', async () => {
    const { baseUrl, received } = await servedAfter(9, (response) => json(response, 429, {}))
    expect((await openClient(baseUrl).send(events, { once: true })).status).toBe(429)
    expect(received).toHaveLength(1)
  })
})

describe('a lost response', () => {
  const lose = (response: ServerResponse) => response.socket?.destroy()

  test.each([
    ['GET', events],
    ['PUT', { endpoint: endpoints.markNotificationsRead, as: anonymous }],
  ])('a lost response to %s is requested again', async (_, spec) => {
    const { baseUrl, received } = await servedAfter(1, lose)
    expect((await openClient(baseUrl).send(spec)).status).toBe(200)
    expect(received).toHaveLength(2)
  })

  test.each([
    ['POST', { endpoint: endpoints.startMigration, body: {}, as: anonymous }],
    ['PATCH', { endpoint: endpoints.markThreadRead, params: { thread_id: 1 }, as: anonymous }],
    ['DELETE', { endpoint: endpoints.markThreadDone, params: { thread_id: 1 }, as: anonymous }],
  ])('a lost response to %s is not requested again, because it may have taken effect', async (_, spec) => {
    const { baseUrl, received } = await servedAfter(1, lose)
    await expect(openClient(baseUrl).send(spec)).rejects.toThrow(/tried 1 time/)
    expect(received).toHaveLength(1)
  })

  test('a POST is sent again when no connection came about, because it cannot have taken effect', async () => {
    const client = openClient(await closedPort())
    const start = { endpoint: endpoints.startMigration, body: {}, as: anonymous }
    await expect(client.send(start)).rejects.toThrow(/ECONNREFUSED.* \(tried 3 times/)
  })

  test('a POST that is answered 503 is not a lost response', async () => {
    const { baseUrl, received } = await servedAfter(1, (response) => json(response, 503, {}))
    await openClient(baseUrl).send({ endpoint: endpoints.startMigration, body: {}, as: anonymous })
    expect(received).toHaveLength(2)
  })

  test('a POST that is answered 500 is not sent again, because it may have had its effect', async () => {
    const { baseUrl, received } = await servedAfter(1, (response) => json(response, 500, {}))
    await openClient(baseUrl).send({ endpoint: endpoints.startMigration, body: {}, as: anonymous })
    expect(received).toHaveLength(1)
  })
})

describe('an unreachable target', () => {
  test('an unreachable target is reported with the attempts and is not tried again for every request', async () => {
    const baseUrl = await closedPort()
    const client = openClient(baseUrl)
    await expect(client.send(events)).rejects.toThrow(/GET http:.*\/events: .*ECONNREFUSED.* \(tried 3 times in 1\.5 s\)/)
    await expect(client.send(network)).rejects.toThrow(/ECONNREFUSED/)
    expect(client.totals.sent).toBe(3)
  })

  test('an unreachable target is probed by one request before all others', async () => {
    const client = openClient(await closedPort())
    await Promise.allSettled(Array.from({ length: 20 }, () => client.send(network)))
    expect(client.totals.sent).toBe(3)
  })
})

describe('a target that stalls', () => {
  const brief = { limits: { concurrency: 8, requestsPerSecond: 1_000_000, timeoutSeconds: 0.04 } }

  test('a stalled request ends in a failure that names the timeout', async () => {
    const { baseUrl } = await scriptedTarget(() => {})
    await expect(openClient(baseUrl, brief).send(events)).rejects.toThrow(
      /(no response|no complete response) within.*\(tried 3 times/,
    )
  })

  test('a target is given up after two endpoints have stalled', async () => {
    const { baseUrl } = await scriptedTarget(() => {})
    const client = openClient(baseUrl, brief)
    await Promise.allSettled([client.send(events), client.send(network)])
    await expect(client.send({ endpoint: endpoints.getThread, params: { thread_id: 1 }, as: anonymous })).rejects.toThrow()
    expect(client.totals.sent).toBe(6)
  })

  test('a stall on one endpoint affects only that endpoint', async () => {
    const stalls = ({ url }: { url: string }) => url.includes('/networks')
    const { baseUrl } = await scriptedTarget((request, response) => stalls(request) || json(response, 200, []))
    const client = openClient(baseUrl)
    const { connections } = client.traffic
    const ordinary = connections.send.bind(connections)
    // Only the stalled requests end early: a busy machine may need long for the others.
    const hasty = new ConnectionPool(40)
    vi.spyOn(connections, 'send').mockImplementation((wire, signal) =>
      stalls(wire) ? hasty.send(wire, signal) : ordinary(wire, signal),
    )
    await client.send(events)
    for (let time = 0; time < 5; time += 1) await expect(client.send(network)).rejects.toThrow()
    expect(client.totals.sent).toBe(1 + 4 * 3)
    expect((await client.send(events)).status).toBe(200)
    await hasty.close()
  })
})

describe('an outage that ends (readings G9)', () => {
  const rows = [endpoints.publicEvents, endpoints.listNotifications, endpoints.listMigrations, endpoints.receivedEvents]

  /** Sends 200 requests, four at a time, to a target that is away after the first ones; `away` writes its responses then. */
  async function through(seconds: number, away: (response: ServerResponse) => void) {
    const clock = new VirtualClock(scriptedStart)
    let end = Number.POSITIVE_INFINITY
    const { baseUrl } = await scriptedTarget((_, response, count) => {
      if (count === 8) end = clock.now() + seconds * 1000
      if (count > 8 && clock.now() < end) away(response)
      else json(response, 200, [])
    })
    const client = openClient(baseUrl, { clock })
    const results: PromiseSettledResult<unknown>[] = []
    for (let sent = 0; sent < 50; sent += 1) {
      const specs = rows.map((endpoint) => ({ endpoint, params: { username: 'mona' }, query: { page: sent + 1 }, as: anonymous }))
      results.push(...(await Promise.allSettled(specs.map((spec) => client.send(spec)))))
    }
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  }

  test.each([
    ['3 s without connections', 3, (response: ServerResponse) => void response.socket?.destroy()],
    ['5 s of 503', 5, (response: ServerResponse) => void response.writeHead(503).end('<h1>Maintenance</h1>')],
    ['25 s of 503', 25, (response: ServerResponse) => void response.writeHead(503).end('<h1>Maintenance</h1>')],
  ])('an outage of %s costs few requests, and each loss names its own request', async (_, seconds, away) => {
    const lost = await through(seconds, away)
    expect(lost.length).toBeLessThan(30)
    expect(new Set(lost.map(String)).size).toBe(lost.length)
  })

  test.each([502, 503, 504, 522])('a request outlasts 7 s of %i', async (status) => {
    const clock = new VirtualClock(scriptedStart)
    const { baseUrl, received } = await scriptedTarget((_, response, count) =>
      json(response, count > 1 && clock.now() - scriptedStart < 7000 ? status : 200, []),
    )
    const client = openClient(baseUrl, { clock })
    for (const spec of [events, network]) expect((await client.send(spec)).status).toBe(200)
    expect(received).toHaveLength(1 + 5)
  })

  test('a write is repeated during a restart, never before the time in Retry-After', async () => {
    const clock = new VirtualClock(scriptedStart)
    const start = { endpoint: endpoints.startMigration, body: {}, as: anonymous }
    const times: number[] = []
    const { baseUrl } = await scriptedTarget((_, response, count) => {
      times.push(clock.now() - scriptedStart)
      if (count === 1 || count > 5) return json(response, 201, {})
      return json(response, 503, {}, { 'retry-after': '2' })
    })
    const client = openClient(baseUrl, { clock })
    for (let sent = 0; sent < 2; sent += 1) expect((await client.send(start)).status).toBe(201)
    const waits = times.slice(2).map((time, index) => time - (times[index + 1] ?? 0))
    expect(waits.slice(0, 2)).toEqual([2000, 2000])
    expect(waits[2]).toBeGreaterThanOrEqual(2000)
    expect(waits[3]).toBeGreaterThan(4000)
  })

  test('a long wait in Retry-After is kept twice', async () => {
    const { baseUrl, received } = await scriptedTarget((_, response, count) =>
      count === 1 ? json(response, 200, []) : json(response, 503, {}, { 'retry-after': '30' }),
    )
    const client = openClient(baseUrl)
    await client.send(events)
    await expect(client.send(network)).rejects.toThrow('tried 3 times in 60.0 s')
    expect(received).toHaveLength(4)
  })

  test('an endpoint that is away while others respond is tried patiently once', async () => {
    const { baseUrl, received } = await scriptedTarget(({ url }, response) =>
      json(response, url.startsWith('/networks') ? 503 : 200, []),
    )
    const client = openClient(baseUrl)
    for (const spec of [events, network, events, network]) await client.send(spec).catch(() => undefined)
    expect(received.filter(({ url }) => url.startsWith('/networks'))).toHaveLength(5 + 3)
  })

  test('an outage that lasts ends the requests', async () => {
    const lost = await through(1e6, (response) => void response.socket?.destroy())
    expect(lost.length).toBe(192)
  })
})

describe('a token that ends during a run (readings G9a)', () => {
  const owner = { ...bearer('s3cret', 'owner'), kind: 'classic' as const }
  const inbox = { endpoint: endpoints.listNotifications, as: owner }
  const feed = { endpoint: endpoints.publicEvents, as: owner }

  /** A target that accepts the first requests, and rejects those for which `refuses` is true. */
  const refusing = (accepted: number, refuses: (url: string) => boolean) =>
    scriptedTarget(({ url }, response, count) => json(response, count > accepted && refuses(url) ? 401 : 200, []))

  test('a 401 is no response when an accepted request is refused as well, and the token is used no more', async () => {
    const { baseUrl, received } = await refusing(2, () => true)
    const client = openClient(baseUrl)
    for (const spec of [feed, inbox]) await client.send(spec)
    const error = await client.send(feed).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(NoResponse)
    expect(error).toMatchObject({ traits: { ended: { caller: 'OWNER_TOKEN' } } })
    expect(received.at(-1)?.url).toBe('/notifications')
    await expect(client.send(inbox)).rejects.toThrow('the token OWNER_TOKEN was accepted earlier')
    expect(received).toHaveLength(4)
  })

  test('a 401 is a response when the token still works elsewhere', async () => {
    const { baseUrl } = await refusing(0, (url) => url === '/events')
    const client = openClient(baseUrl)
    await client.send(inbox)
    expect((await client.send(feed)).status).toBe(401)
    expect((await client.send(inbox)).status).toBe(200)
  })

  test('a 401 is a response for a token that was never issued, even if a cache served it before', async () => {
    const { baseUrl } = await refusing(1, () => true)
    const client = openClient(baseUrl)
    const invented = { ...feed, as: bearer('no-such-token', 'invented') }
    expect((await client.send(invented)).status).toBe(200)
    expect((await client.send(invented)).status).toBe(401)
  })

  test('a 401 for a token that was never accepted is a response', async () => {
    const { baseUrl, received } = await refusing(0, () => true)
    expect((await openClient(baseUrl).send(feed)).status).toBe(401)
    expect(received).toHaveLength(1)
  })
})

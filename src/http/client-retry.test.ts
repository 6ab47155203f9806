import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { closedPort, json, scriptedTarget, servedAfter } from '../../fixtures/samples/target/scripted-target.ts'
import { endpoints } from '../spec/endpoints.ts'
import { anonymous, bearer } from './exchange/caller.ts'
import { NoResponse } from './exchange/no-response.ts'
import type { RequestSpec } from './exchange/request-spec.ts'
import { retryAfterDelay } from './exchange/retry.ts'
import { openClient } from './test-client.ts'
import { scriptedStart, VirtualClock } from './transport/time/test-clock.ts'

const events = { endpoint: endpoints.publicEvents, as: anonymous }
const network = { endpoint: endpoints.networkEvents, params: { owner: 'octo-org', repo: 'hello' }, as: anonymous }

const date = 'Fri, 20 Nov 2026 12:00:00 GMT'

test.each([
  ['7', undefined, 7000],
  [' 0 ', undefined, 0],
  ['Fri, 20 Nov 2026 12:01:30 GMT', date, 90_000],
  ['Fri, 20 Nov 2026 11:00:00 GMT', date, 0],
  [undefined, undefined, undefined],
  ['soon', date, undefined],
  ['Fri, 20 Nov 2026 12:01:30 GMT', undefined, undefined],
])(
  'Retry-After is a number of seconds, or a date relative to the date of the response: %j after %j',
  (wait, date, milliseconds) => {
    expect(retryAfterDelay(wait, date)).toBe(milliseconds)
  },
)

const start = { endpoint: endpoints.startMigration, body: {}, as: anonymous }
const lose = (response: ServerResponse) => response.socket?.destroy()

/** The end of a request whose first responses are written by `first`: its status or its error, the requests and the time that it took. */
async function sent(times: number, first: (response: ServerResponse) => void, spec: RequestSpec = events, how = {}) {
  const clock = new VirtualClock(scriptedStart)
  const { baseUrl, received } = await servedAfter(times, first)
  const end = await openClient(baseUrl, { clock })
    .send(spec, how)
    .then(({ status }) => status, String)
  return { end, requests: received.length, milliseconds: clock.now() - scriptedStart }
}

/** A client of a scripted target, and the requests that the target receives. */
async function opened(respond: Parameters<typeof scriptedTarget>[0], settings: Parameters<typeof openClient>[1] = {}) {
  const { baseUrl, received } = await scriptedTarget(respond)
  return { client: openClient(baseUrl, settings), received }
}

/** Writes a response with a status. */
const writing =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    json(response, status, {}, headers)

describe('a temporary error', () => {
  test.each([408, 429, 502, 503, 504, 522, 530])('a request that is answered %i is sent again', async (status) => {
    expect(await sent(2, writing(status))).toMatchObject({ end: 200, requests: 3 })
  })

  test.each([400, 404])('a response of %i is final', async (status) => {
    expect(await sent(1, writing(status))).toMatchObject({ end: status, requests: 1 })
  })

  test.each([500, 501, 505])('a request that is answered %i is sent once more without a long wait', async (status) => {
    expect(await sent(1, writing(status))).toMatchObject({ end: 200 })
    expect(await sent(9, writing(status, { 'retry-after': '3600' }))).toMatchObject({ end: status, requests: 2 })
  })

  test.each([
    ['for the time of Retry-After', 429, { 'retry-after': '45' }, 45_000],
    [
      'until the date in Retry-After',
      503,
      { date: 'Fri, 20 Nov 2020 12:00:00 GMT', 'retry-after': 'Fri, 20 Nov 2020 12:00:20 GMT' },
      20_000,
    ],
  ])('a retry waits %s', async (_, status, headers, milliseconds) => {
    expect(await sent(1, writing(status, headers))).toMatchObject({ end: 200, milliseconds })
  })

  test('a retry is given up at once when Retry-After exceeds the longest wait of a run', async () => {
    expect(await sent(9, writing(503, { 'retry-after': '3600' }))).toMatchObject({
      end: expect.stringMatching(/GET http.*\/events: answered 503 \(tried 1 time/),
      requests: 1,
    })
  })

  test('a retry is given up after the third attempt, and the message says so', async () => {
    expect(await sent(9, writing(502))).toMatchObject({
      end: expect.stringMatching(/^NoResponse: .*answered 502 \(tried 3 times in 1\.5 s\)/),
      requests: 3,
    })
  })

  test('a temporary error is returned unchanged to a conditional request', async () => {
    expect(await sent(9, writing(429), events, { once: true })).toMatchObject({ end: 429, requests: 1 })
  })
})

describe('a lost response', () => {
  test.each<[string, RequestSpec]>([
    ['GET', events],
    ['PUT', { endpoint: endpoints.markNotificationsRead, as: anonymous }],
  ])('a lost response to %s is requested again', async (_, spec) => {
    expect(await sent(1, lose, spec)).toMatchObject({ end: 200, requests: 2 })
  })

  test.each<[string, RequestSpec]>([
    ['POST', start],
    ['PATCH', { endpoint: endpoints.markThreadRead, params: { thread_id: 1 }, as: anonymous }],
    ['DELETE', { endpoint: endpoints.markThreadDone, params: { thread_id: 1 }, as: anonymous }],
  ])('a lost response to %s is not requested again, because it may have taken effect', async (_, spec) => {
    expect(await sent(1, lose, spec)).toMatchObject({ end: expect.stringMatching(/tried 1 time/), requests: 1 })
  })

  test('a POST is sent again when no connection came about, because it cannot have taken effect', async () => {
    await expect(openClient(await closedPort()).send(start)).rejects.toThrow(/ECONNREFUSED.* \(tried 3 times/)
  })

  test.each([
    [503, 'is sent again, because it had no effect', 200, 2],
    [500, 'is not sent again, because it may have had its effect', 500, 1],
  ])('a POST that is answered %i %s', async (status, _, end, requests) => {
    expect(await sent(1, writing(status), start)).toMatchObject({ end, requests })
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
    const { client } = await opened(() => {}, brief)
    await Promise.allSettled([client.send(events), client.send(network)])
    await expect(client.send({ endpoint: endpoints.getThread, params: { thread_id: 1 }, as: anonymous })).rejects.toThrow()
    expect(client.totals.sent).toBe(6)
  })
})

describe('an outage that ends (readings G9)', () => {
  const rows = [endpoints.publicEvents, endpoints.listNotifications, endpoints.listMigrations, endpoints.receivedEvents]

  const maintenance = (response: ServerResponse) => response.writeHead(503).end('<h1>Maintenance</h1>')

  /** Sends 200 requests, four at a time, to a target that is away after the first ones; `away` writes its responses then. */
  async function through(seconds: number, away: (response: ServerResponse) => unknown) {
    const clock = new VirtualClock(scriptedStart)
    let end = Number.POSITIVE_INFINITY
    const { client } = await opened(
      (_, response, count) => {
        if (count === 8) end = clock.now() + seconds * 1000
        if (count > 8 && clock.now() < end) away(response)
        else json(response, 200, [])
      },
      { clock },
    )
    const results: PromiseSettledResult<unknown>[] = []
    for (let sent = 0; sent < 50; sent += 1) {
      const specs = rows.map((endpoint) => ({ endpoint, params: { username: 'mona' }, query: { page: sent + 1 }, as: anonymous }))
      results.push(...(await Promise.allSettled(specs.map((spec) => client.send(spec)))))
    }
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  }

  test.each([
    ['3 s without connections', 3, lose],
    ['5 s of 503', 5, maintenance],
    ['25 s of 503', 25, maintenance],
  ])('an outage of %s costs few requests, and each loss names its own request', async (_, seconds, away) => {
    const lost = await through(seconds, away)
    expect(lost.length).toBeLessThan(30)
    expect(new Set(lost.map(String)).size).toBe(lost.length)
  })

  test.each([502, 503, 504, 522])('a request outlasts 7 s of %i', async (status) => {
    const clock = new VirtualClock(scriptedStart)
    const { client, received } = await opened(
      (_, response, count) => json(response, count > 1 && clock.now() - scriptedStart < 7000 ? status : 200, []),
      { clock },
    )
    for (const spec of [events, network]) expect((await client.send(spec)).status).toBe(200)
    expect(received).toHaveLength(1 + 5)
  })

  test('a write is repeated during a restart, never before the time in Retry-After', async () => {
    const clock = new VirtualClock(scriptedStart)
    const times: number[] = []
    const { client } = await opened(
      (_, response, count) => {
        times.push(clock.now() - scriptedStart)
        if (count === 1 || count > 5) return json(response, 201, {})
        return json(response, 503, {}, { 'retry-after': '2' })
      },
      { clock },
    )
    for (let sent = 0; sent < 2; sent += 1) expect((await client.send(start)).status).toBe(201)
    const waits = times.slice(2).map((time, index) => time - (times[index + 1] ?? 0))
    expect(waits.slice(0, 2)).toEqual([2000, 2000])
    expect(waits[2]).toBeGreaterThanOrEqual(2000)
    expect(waits[3]).toBeGreaterThan(4000)
  })

  test('a long wait in Retry-After is kept twice', async () => {
    const { client, received } = await opened((_, response, count) =>
      count === 1 ? json(response, 200, []) : json(response, 503, {}, { 'retry-after': '30' }),
    )
    await client.send(events)
    await expect(client.send(network)).rejects.toThrow('tried 3 times in 60.0 s')
    expect(received).toHaveLength(4)
  })

  test('an endpoint that is away while others respond is tried patiently once', async () => {
    const { client, received } = await opened(({ url }, response) => json(response, url.startsWith('/networks') ? 503 : 200, []))
    for (const spec of [events, network, events, network]) await client.send(spec).catch(() => undefined)
    expect(received.filter(({ url }) => url.startsWith('/networks'))).toHaveLength(5 + 3)
  })

  test('an outage that lasts ends the requests', async () => {
    const lost = await through(1e6, lose)
    expect(lost.length).toBe(192)
  })
})

describe('a token that ends during a run (readings G9a)', () => {
  const owner = { ...bearer('s3cret', 'owner'), kind: 'classic' as const }
  const inbox = { endpoint: endpoints.listNotifications, as: owner }
  const feed = { endpoint: endpoints.publicEvents, as: owner }

  /** A target that accepts the first requests, and rejects those for which `refuses` is true. */
  const refusing = (accepted: number, refuses: (url: string) => boolean) =>
    opened(({ url }, response, count) => json(response, count > accepted && refuses(url) ? 401 : 200, []))

  test('a 401 is no response when an accepted request is refused as well, and the token is used no more', async () => {
    const { client, received } = await refusing(2, () => true)
    for (const spec of [feed, inbox]) await client.send(spec)
    const error = await client.send(feed).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(NoResponse)
    expect(error).toMatchObject({ traits: { ended: { caller: 'OWNER_TOKEN' } } })
    expect(received.at(-1)?.url).toBe('/notifications')
    await expect(client.send(inbox)).rejects.toThrow('the token OWNER_TOKEN was accepted earlier')
    expect(received).toHaveLength(4)
  })

  test('a 401 is a response when the token still works elsewhere', async () => {
    const { client } = await refusing(0, (url) => url === '/events')
    await client.send(inbox)
    expect((await client.send(feed)).status).toBe(401)
    expect((await client.send(inbox)).status).toBe(200)
  })

  test('a 401 is a response for a token that was never issued, even if a cache served it before', async () => {
    const { client } = await refusing(1, () => true)
    const invented = { ...feed, as: bearer('no-such-token', 'invented') }
    expect((await client.send(invented)).status).toBe(200)
    expect((await client.send(invented)).status).toBe(401)
  })

  test('a 401 for a token that was never accepted is a response', async () => {
    const { client, received } = await refusing(0, () => true)
    expect((await client.send(feed)).status).toBe(401)
    expect(received).toHaveLength(1)
  })
})

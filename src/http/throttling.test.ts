import { describe, expect, test } from 'vitest'
import { json, scriptedTarget, servedAfter } from '../../fixtures/samples/target/scripted-target.ts'
import { endpoints } from '../spec/endpoints.ts'
import { anonymous, bearer, signedAddress } from './exchange/caller.ts'
import { NoResponse } from './exchange/no-response.ts'
import { openClient } from './test-client.ts'
import { scriptedStart, VirtualClock } from './transport/time/test-clock.ts'

const events = { endpoint: endpoints.publicEvents, as: anonymous }
const network = { endpoint: endpoints.networkEvents, params: { owner: 'octo-org', repo: 'hello' }, as: anonymous }

/** A client of a scripted target, and the requests that the target receives. */
async function opened(respond: Parameters<typeof scriptedTarget>[0], settings: Parameters<typeof openClient>[1] = {}) {
  const { baseUrl, received } = await scriptedTarget(respond)
  return { client: openClient(baseUrl, settings), received }
}

/** A client of a target that serves a request after it has responded to so many with this status. */
async function refused(times: number, status: number, headers: Record<string, string> = {}) {
  const clock = new VirtualClock(scriptedStart)
  const { baseUrl, received } = await servedAfter(times, (response) => json(response, status, {}, headers))
  return { client: openClient(baseUrl, { clock }), received, elapsed: () => clock.now() - scriptedStart }
}

/** Responds with these remainders of a quota that begins anew in an hour. */
const leaving = (...left: readonly number[]) =>
  opened((_, response, count) =>
    json(response, 200, [], { 'x-ratelimit-remaining': String(left[count - 1]), 'ratelimit-reset': '3600' }),
  )

describe('a throttled caller', () => {
  test.each([
    ['that asks to wait', { 'retry-after': '1' }],
    ['with no quota left', { 'x-ratelimit-remaining': '0' }],
    ['with no quota left, by the other name', { 'RateLimit-Remaining': ' 0 ' }],
    ['with no quota left in this minute', { 'x-ratelimit-remaining-minute': '0' }],
    ['with no quota left, by a name with more hyphens', { 'x-rate-limit-remaining': '0' }],
    ['with a spent policy', { ratelimit: '"hour";r=0;t=30' }],
    ['with a spent quota in one header', { ratelimit: 'limit=60, remaining=0, reset=30' }],
  ])('a request that is answered by a 403 %s is sent again, and is given up after five attempts', async (_, headers) => {
    const { client } = await refused(2, 403, headers)
    expect((await client.send(events)).status).toBe(200)
    const spent = await refused(9, 403, headers)
    await expect(spent.client.send(events)).rejects.toThrow(/answered 403, too many requests \(tried 5 times/)
  })

  test.each(['9'.repeat(25), 'Sat, 13 Sep 275760 00:00:00 GMT'])(
    'a wait without a date (%s) ends as a lost request',
    async (wait) => {
      const headers = { 'retry-after': wait, date: 'Thu, 01 Jan 1970 00:00:00 GMT' }
      const { client } = await refused(9, 429, headers)
      for (let sent = 0; sent < 2; sent += 1) await expect(client.send(events)).rejects.toThrow(NoResponse)
    },
  )

  test('a 403 of a target that reports a quota of zero on every response is final', async () => {
    const { client, received } = await opened((_, response, count) =>
      json(response, count > 3 ? 403 : 200, [], { 'x-ratelimit-remaining': '0' }),
    )
    for (let sent = 0; sent < 3; sent += 1) await client.send(events)
    const refused = await client.send(events)
    expect([refused.status, refused.refused, refused.throttled]).toEqual([403, true, false])
    expect(received).toHaveLength(4)
  })

  test('a quota that falls to zero is a quota, even where requests beyond it succeed', async () => {
    const left = ['2', '1', '0', '0', '0']
    const { client } = await opened((_, response, count) =>
      json(response, count > 5 ? 403 : 200, [], { 'x-ratelimit-remaining': left[count - 1] ?? '0' }),
    )
    for (const _ of left) await client.send(events)
    await expect(client.send(events)).rejects.toThrow(/answered 403, too many requests \(tried 5 times/)
  })

  test('a throttled request waits for a second, and twice as long before each next attempt', async () => {
    const { client, elapsed } = await refused(3, 429)
    await client.send(events)
    expect(elapsed()).toBe(7000)
  })

  test.each([
    ['of an instant', { 'x-ratelimit-reset': String(scriptedStart / 1000 + 40) }, 40_000],
    ['of seconds from now', { 'ratelimit-reset': '30' }, 30_000],
    ['of a quota in one header', { ratelimit: 'limit=60, remaining=0, reset=20' }, 20_000],
    ['of a structured policy', { ratelimit: '"hour";r=9;t=500, "minute";r=0;t=20' }, 20_000],
    ['of an instant in the past, which is no time', { 'x-ratelimit-reset': '1000000' }, 1000],
  ])('a caller with a spent quota waits for its reset header %s', async (_, headers, wait) => {
    const date = new Date(scriptedStart).toUTCString()
    const { client, elapsed } = await refused(1, 403, { date, 'x-ratelimit-remaining': '0', ...headers })
    await client.send(events)
    expect(elapsed()).toBe(wait)
  })

  test('a caller that is told to wait too long sends no other request; other callers and archives do', async () => {
    const { client, received } = await opened(({ headers }, response) =>
      headers.authorization ? json(response, 200, []) : json(response, 429, {}, { 'retry-after': '3600' }),
    )
    await expect(client.send(events)).rejects.toThrow('answered 429, too many requests (tried 1 time')
    const failure = await client.send(network).catch((error: unknown) => error)
    expect(failure).toMatchObject({ traits: { throttled: { caller: 'anonymous', until: '2026-11-20T13:00:00.000Z' } } })
    expect((await client.send({ ...events, as: bearer('other-secret-0001', 'other') })).status).toBe(200)
    await expect(client.send({ ...events, as: signedAddress })).rejects.toThrow('answered 429, too many requests')
    expect(received).toHaveLength(3)
  })

  test('requests that wait for their turn are not sent once their caller is throttled', async () => {
    const { client, received } = await opened((_, response) => json(response, 429, {}, { 'retry-after': '3600' }), {
      limits: { concurrency: 1, requestsPerSecond: 1_000_000, timeoutSeconds: 5 },
    })
    const sent = await Promise.allSettled([1, 2, 3].map((page) => client.send({ ...events, query: { page } })))
    expect(sent.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(received).toHaveLength(1)
  })

  test('the last requests of a quota that begins anew much later are kept for controls', async () => {
    const { client, received } = await leaving(20, 6, 5)
    for (const _ of [1, 2]) await client.send(events)
    await expect(client.send(events)).rejects.toThrow('few requests left')
    expect((await client.send({ ...events, control: true })).status).toBe(200)
    expect(received).toHaveLength(3)
  })

  test('a small quota is not spent on another form of a request', async () => {
    const { client, received } = await leaving(60, 59, 58)
    await client.send(events)
    await expect(client.send({ ...events, extra: 'again' })).rejects.toThrow('few requests left, which are kept for other checks')
    expect((await client.send(events)).status).toBe(200)
    expect(received).toHaveLength(2)
  })

  test('a target that throttles again after the stated wait gets fewer requests at once', async () => {
    let inFlight = 0
    const { client } = await opened(
      (_, response) => {
        inFlight += 1
        const isRefused = inFlight > 2
        const respond = () => json(response, isRefused ? 429 : 200, [], isRefused ? { 'retry-after': '1' } : {})
        setTimeout(() => {
          inFlight -= 1
          respond()
        }, 5)
      },
      { limits: { concurrency: 8, requestsPerSecond: 1_000_000, timeoutSeconds: 5 } },
    )
    const sent = await Promise.all(Array.from({ length: 24 }, (_, page) => client.send({ ...events, query: { page } })))
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200))
  })

  test('an endpoint that throttles a caller after each wait is asked no more by this caller', async () => {
    const { client, received } = await opened(({ url }, response) =>
      json(response, url === '/events' ? 429 : 200, [], { 'retry-after': '1' }),
    )
    await expect(client.send(events)).rejects.toThrow('tried 5 times')
    await expect(client.send(events)).rejects.toThrow('throttled here after each wait')
    expect((await client.send(network)).status).toBe(200)
    expect(received).toHaveLength(6)
  })

  test.each([
    ['is asked again', [422], 200],
    ['is asked again until it is no longer spammed', [422, 422, 422, 422], 200],
    ['rejects the request where it serves the former one twice', [422, 200, 422, 200], 422],
    ['throttles the caller where it rejects both after each wait', Array(12).fill(422), 'anonymous'],
  ])('an inbox that rejects a request with 422 after it served another one %s', async (_, statuses, expected) => {
    const { client } = await opened((_, response, count) => json(response, statuses[count - 2] ?? 200, []))
    const inbox = { endpoint: endpoints.listNotifications, as: anonymous }
    await client.send(inbox)
    const sent = client.send({ ...inbox, query: { since: 'yesterday' } })
    const result = await sent.then(
      ({ status }) => status,
      ({ traits }) => traits.throttled.caller,
    )
    expect(result).toBe(expected)
  })

  test.each([
    ['without a reason to wait', {}],
    ['with some quota left', { 'x-ratelimit-remaining': '10', ratelimit: '"hour";r=10' }],
  ])('a response of 403 %s is final', async (_, headers) => {
    const { client, received } = await refused(1, 403, headers)
    expect((await client.send(events)).status).toBe(403)
    expect(received).toHaveLength(1)
  })
})

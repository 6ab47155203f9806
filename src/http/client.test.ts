import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { closedPort, json, scriptedTarget } from '../../fixtures/samples/target/scripted-target.ts'
import { endpoints } from '../spec/endpoints.ts'
import { Dialect } from './dialect/dialect.ts'
import { anonymous, bearer } from './exchange/caller.ts'
import type { Exchange } from './exchange/exchange.ts'
import { NotSent } from './exchange/no-response.ts'
import type { RequestSpec } from './exchange/request-spec.ts'
import { openClient } from './test-client.ts'
import { VirtualClock } from './transport/time/test-clock.ts'

const mona = { ...bearer('s3cret', 'owner'), role: 'owner' as const }
const events = { endpoint: endpoints.publicEvents, as: anonymous }
const echo = () => scriptedTarget((_, response) => json(response, 200, []))

/** A client of a target that serves every request, and the requests that the target receives. */
async function opened(settings: Parameters<typeof openClient>[1] = {}) {
  const { baseUrl, received } = await echo()
  return { client: openClient(baseUrl, settings), received }
}

/** The first request of a client to a target, whose base URL ends with `prefix`. */
async function received(spec: RequestSpec, prefix = '') {
  const { baseUrl, received: all } = await echo()
  await openClient(`${baseUrl}${prefix}`).send(spec)
  return all[0]
}

describe('a request', () => {
  test('a request carries the version, the recommended media type, the token and the user agent', async () => {
    expect((await received({ ...events, as: mona }))?.headers).toMatchObject({
      'x-service-api-version': '2026-03-10',
      accept: 'application/vnd.service+json',
      authorization: 'Bearer s3cret',
      'user-agent': 'service-conformance',
    })
  })

  test('an anonymous request carries no token and no header that it is told to omit', async () => {
    const request = await received({ ...events, accept: null, version: null })
    for (const name of ['authorization', 'accept', 'x-service-api-version']) expect(request?.headers).not.toHaveProperty(name)
  })

  test.each(['/api/v3', '/api/v3/'])(
    'a request is sent below the path prefix of a base URL that ends with %s',
    async (prefix) => {
      expect((await received(events, prefix))?.url).toBe('/api/v3/events')
    },
  )

  test('a request encodes path values and query values', async () => {
    const params = { owner: 'a/b', repo: 'c d?é' }
    const query = { since: '2026-01-01T00:00:00+01:00', all: true, exclude: ['x', 'y&z'] }
    expect((await received({ endpoint: endpoints.repositoryEvents, params, query, as: anonymous }))?.url).toBe(
      '/repos/a%2Fb/c%20d%3F%C3%A9/events?since=2026-01-01T00%3A00%3A00%2B01%3A00&all=true&exclude=x&exclude=y%26z',
    )
  })

  test('a request sends its body as JSON', async () => {
    const body = { ignored: true }
    expect(await received({ endpoint: endpoints.setSubscription, params: { thread_id: 7 }, body, as: mona })).toMatchObject({
      method: 'PUT',
      url: '/notifications/threads/7/subscription',
      body: '{"ignored":true}',
      headers: { 'content-type': 'application/json' },
    })
  })

  test('a request to a declared path uses the path unchanged', async () => {
    const dialect = new Dialect({ pathWords: { events: 'activity' } })
    const { client, received } = await opened({ dialect })
    await client.send({ ...events, path: '/users/{username}/events', params: { username: 'mona' } })
    expect(received[0]?.url).toBe('/users/mona/events')
  })

  test('a request that lacks one of its path values is an error of the caller', async () => {
    const client = openClient(await closedPort())
    await expect(client.send({ endpoint: endpoints.organizationEvents, as: anonymous })).rejects.toThrow('its parameter org')
  })
})

describe('shared reads', () => {
  test('two equal reads are sent once', async () => {
    const { client, received } = await opened()
    const [first, second] = await Promise.all([client.read(events), client.read(events)])
    expect(second).toBe(first)
    expect(received).toHaveLength(1)
    expect(client.totals).toMatchObject({ sent: 1, shared: 1, writes: 0, bytes: 2, byMethod: { GET: 1 } })
  })

  test('requests that differ in caller, query or headers are never shared', async () => {
    const { client, received } = await opened()
    const different = [events, { ...events, as: mona }, { ...events, query: { page: 1 } }, { ...events, accept: null }]
    await Promise.all(different.map((spec) => client.read(spec)))
    expect(received).toHaveLength(4)
  })

  test('a failed read is not repeated', async () => {
    const client = openClient(await closedPort())
    for (let time = 0; time < 2; time += 1) await expect(client.read(events)).rejects.toThrow('ECONNREFUSED')
    expect(client.totals).toMatchObject({ sent: 3, shared: 1 })
  })

  test('a fresh request is never shared, and sharing ends when the read is forgotten', async () => {
    const { client, received } = await opened()
    await client.read(events)
    await client.send(events)
    client.forget()
    await client.read(events)
    expect(received).toHaveLength(3)
  })
})

describe('the limits of a run', () => {
  test('a read-only run sends only GET requests', async () => {
    const { client, received } = await opened({ readOnly: true })
    const marking = client.send({ endpoint: endpoints.markNotificationsRead, as: mona })
    await expect(marking).rejects.toMatchObject({ reason: { code: 'read-only', method: 'PUT' } })
    await client.send(events)
    expect(received.map(({ method }) => method)).toEqual(['GET'])
  })

  test('a run stops sending at its limit of requests', async () => {
    const { client, received } = await opened({ maxRequests: 2 })
    await client.send(events)
    await client.send(events)
    await expect(client.send(events)).rejects.toThrow(new NotSent({ code: 'request-limit', requests: 2 }))
    expect(received).toHaveLength(2)
  })

  test('a run stops sending at its limit of bytes', async () => {
    const limits = { concurrency: 1, requestsPerSecond: 1e6, timeoutSeconds: 5, totalBytes: 4 }
    const { client, received } = await opened({ limits })
    for (let time = 0; time < 2; time += 1) await client.send(events)
    await expect(client.send(events)).rejects.toMatchObject({ reason: { code: 'byte-limit' } })
    expect(received).toHaveLength(2)
  })

  test('a run that has ended sends nothing', async () => {
    const { client, received } = await opened({ signal: AbortSignal.abort(new Error('the run was interrupted')) })
    await expect(client.send(events)).rejects.toThrow('the run was interrupted')
    expect(received).toEqual([])
  })
})

test('every completed exchange is passed on, numbered in the order of the responses', async () => {
  const seen: Exchange[] = []
  const { client } = await opened({ onExchange: (exchange) => void seen.push(exchange) })
  await client.send(events)
  await client.send({ ...events, as: mona })
  expect(seen.map(({ id, request }) => [id, request.endpoint, request.as])).toEqual([
    ['x1', 'GET /events', 'anonymous'],
    ['x2', 'GET /events', 'OWNER_TOKEN'],
  ])
})

test('the virtual clock of a client stands still while a request is in flight, and another one moves', async () => {
  let arrive = (_: ServerResponse) => {}
  const arrival = new Promise<ServerResponse>((resolve) => (arrive = resolve))
  const { baseUrl } = await scriptedTarget((_, response) => arrive(response))
  const [clock, other] = [new VirtualClock(0), new VirtualClock(0)]
  const order: string[] = []
  const sent = openClient(baseUrl, { clock }).send(events)
  const answered = sent.then(() => order.push('answered'))
  const slept = clock.sleep(1000).then(() => order.push('slept'))
  const held = await arrival
  await other.sleep(1000)
  for (let turn = 0; turn < 100; turn += 1) await setImmediate()
  expect([clock.now(), other.now()]).toEqual([0, 1000])
  json(held, 200, [])
  await Promise.all([answered, slept])
  expect(order).toEqual(['answered', 'slept'])
  expect(clock.now()).toBe(1000)
})

describe('a redirect within the origin (readings H7)', () => {
  /** A target that redirects each request once to the path with a final slash, and `/moved/` to another path. */
  const redirecting = (status: number, to = (url: string) => `${url}/`) =>
    scriptedTarget(({ url }, response) => {
      if (url.endsWith('/')) json(response, 200, [])
      else response.writeHead(status, { location: to(url) }).end()
    })
  const start = { endpoint: endpoints.startMigration, body: { repositories: ['a/b'] }, as: mona }

  test.each([307, 308])('a write that is redirected by %i is sent once more with its method, body and token', async (status) => {
    const { baseUrl, received } = await redirecting(status)
    const response = await openClient(baseUrl).send(start)
    expect(response.status).toBe(200)
    expect(response.request.redirectedFrom).toBe(`${baseUrl}/user/migrations`)
    expect(received.map(({ method, url, body, headers }) => [method, url, body, headers.authorization])).toEqual(
      ['/user/migrations', '/user/migrations/'].map((url) => ['POST', url, '{"repositories":["a/b"]}', 'Bearer s3cret']),
    )
  })

  test.each([301, 302, 303])('a write that is redirected by %i is not followed', async (status) => {
    const { baseUrl, received } = await redirecting(status)
    expect((await openClient(baseUrl).send(start)).status).toBe(status)
    expect(received).toHaveLength(1)
  })

  test('a write is redirected only once', async () => {
    const { baseUrl, received } = await redirecting(307, (url) => `${url}x`)
    expect((await openClient(baseUrl).send(start)).status).toBe(307)
    expect(received).toHaveLength(2)
  })

  test.each(['send', 'read'] as const)('the token of a %s never reaches another origin', async (way) => {
    const other = await echo()
    const { baseUrl } = await redirecting(307, () => `${other.baseUrl}/events/`)
    expect((await openClient(baseUrl)[way]({ ...events, as: mona })).status).toBe(307)
    await openClient(baseUrl).send(start)
    expect(other.received).toEqual([])
  })

  test.each(['/events/', '/EVENTS/', '/events/?page=1/', '/node-1/events/'])(
    'a redirect to %s is part of a request that examines redirects to another path',
    async (location) => {
      const { baseUrl } = await redirecting(301, () => location)
      expect((await openClient(baseUrl).send({ ...events, direct: true })).status).toBe(200)
    },
  )

  test('a 302 to another path is returned to a request that examines it', async () => {
    const { baseUrl, received } = await redirecting(302, () => '/archives/events')
    expect((await openClient(baseUrl).send({ ...events, direct: true })).status).toBe(302)
    expect(received).toHaveLength(1)
  })

  test('a shared read of an address is another response than the redirect to it', async () => {
    const { baseUrl } = await redirecting(301)
    const client = openClient(baseUrl)
    await client.read(events)
    const plain = await client.read({ ...events, path: '/events/' })
    expect(plain.request.redirectedFrom).toBeUndefined()
  })
})

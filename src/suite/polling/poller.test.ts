import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { json, type ReceivedRequest, scriptedTarget } from '../../../fixtures/samples/target/scripted-target.ts'
import { anonymous, bearer } from '../../http/exchange/caller.ts'
import { NoResponse } from '../../http/exchange/no-response.ts'
import { openClient } from '../../http/test-client.ts'
import { scriptedStart, VirtualClock } from '../../http/transport/time/test-clock.ts'
import { endpoints } from '../../spec/endpoints.ts'
import { Deviation } from '../deviation.ts'
import { entityTag, modificationDate } from '../poll-session.ts'
import { Untested } from '../untested.ts'
import { Poller, type PollerOptions } from './poller.ts'

const events = { endpoint: endpoints.publicEvents, as: anonymous }

/** A poller with its own client and clock, and the seconds of its waits. */
function openPoller(baseUrl: string, options: Partial<PollerOptions> = {}) {
  const clock = new VirtualClock(scriptedStart)
  const { signal } = new AbortController()
  const client = openClient(baseUrl, { clock })
  const waits: number[] = []
  const pause = (_: string, seconds: number) => {
    waits.push(seconds)
    return clock.sleep(seconds * 1000)
  }
  return { clock, waits, poller: new Poller({ client, clock, signal, obey: true, maxWaitSeconds: 120, pause, ...options }) }
}

/** The polls of the public feed by a new poller. */
const sessionAt = (baseUrl: string, settings = {}) => openPoller(baseUrl).poller.session(events, entityTag, settings)

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
    const session = await sessionAt(baseUrl)
    expect(received.map(({ headers }) => headers['if-none-match'])).toEqual([entityTag.foreign, 'W/"a-1"'])
    expect([session.first.status, session.tries.map(({ response }) => response.status)]).toEqual([200, [304]])
  })

  test('a poll session is shared by all checks that need it', async () => {
    const { baseUrl, received } = await polled({})
    const { poller } = openPoller(baseUrl)
    const [a, b] = await Promise.all([poller.session(events, entityTag), poller.session(events, entityTag)])
    expect(a).toBe(b)
    expect(received).toHaveLength(2)
  })

  test('a first poll session sends one verbatim validator, and a session that confirms it sends two', async () => {
    const { baseUrl, received } = await polled({ tag: (count) => `"${count}"` })
    const { poller } = openPoller(baseUrl)
    const first = await poller.session(events, entityTag)
    expect([first.isRepeated, first.tries.map(({ response }) => response.status)]).toEqual([false, [200]])
    const again = await poller.session(events, entityTag, { confirms: true })
    expect([again.isRepeated, again.tries.map(({ response }) => response.status)]).toEqual([true, [200, 200]])
    expect(received.map(({ headers }) => headers['if-none-match'])).toEqual([entityTag.foreign, '"1"', undefined, '"3"', '"4"'])
  })

  test('a session that confirms another one sends the validator of the latest response after a change', async () => {
    const { baseUrl } = await polled({ tag: (count) => (count === 1 ? '"a"' : '"b"') })
    const { tries } = await sessionAt(baseUrl, { confirms: true })
    expect(tries.map(({ response }) => response.status)).toEqual([200, 304])
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
    const { first, tries } = await sessionAt(baseUrl)
    expect([first.status, tries[0]?.source.status, tries[0]?.response.status]).toEqual([304, 200, 304])
    expect(received).toHaveLength(3)
  })

  test('a poll follows a redirect (readings H7), and later polls of the session request its destination at once', async () => {
    const { baseUrl, received } = await scriptedTarget(({ url, headers }, response) => {
      if (!url.endsWith('/')) response.writeHead(308, { location: `${url}/` }).end()
      else if (headers['if-none-match'] === '"a"') response.writeHead(304).end()
      else json(response, 200, [], { etag: '"a"' })
    })
    const { first, tries } = await sessionAt(baseUrl)
    expect([first.status, tries[0]?.response.status]).toEqual([200, 304])
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

  test('another path, address or caller has its own poll interval (readings B11)', async () => {
    const { baseUrl } = await polled({ interval: '60' })
    const { poller, clock } = openPoller(baseUrl)
    const network = { endpoint: endpoints.organizationEvents, params: { org: 'octo-org' }, as: anonymous }
    const later = { ...events, query: { page: 2 } }
    for (const spec of [events, later, network, { ...events, as: bearer('s3cret', 'owner') }])
      await poller.poll(spec, entityTag, '"a"')
    expect(clock.now()).toBe(scriptedStart)
  })

  test('a target that throttles a poll of another address is polled once per interval and path', async () => {
    const polls: number[] = []
    const { baseUrl } = await scriptedTarget((_, response, count) => {
      polls.push(clock.now() - scriptedStart)
      json(response, count === 2 ? 429 : 200, [], { 'x-poll-interval': '60' })
    })
    const { poller, clock } = openPoller(baseUrl)
    for (const page of [1, 2, 3]) await poller.poll({ ...events, query: { page } }, entityTag, '"a"')
    expect(polls).toEqual([0, 0, 60_000, 120_000])
  })

  test('the poll interval may grow from poll to poll', async () => {
    const { baseUrl } = await scriptedTarget((_, response, count) =>
      json(response, 200, [], { 'x-poll-interval': String(count * 10) }),
    )
    const { poller, waits } = openPoller(baseUrl)
    for (let time = 0; time < 3; time += 1) await poller.poll(events, entityTag, '"a"')
    expect(waits).toEqual([10, 20])
  })

  test('the poll interval begins again after a poll whose response is lost', async () => {
    const { baseUrl } = await scriptedTarget(({ headers }, response) => {
      if (headers['if-none-match'] === '"lost"') response.destroy()
      else json(response, 200, [], { 'x-poll-interval': '60' })
    })
    const { waits, poller } = openPoller(baseUrl)
    await poller.poll(events, entityTag, '"a"')
    await expect(poller.poll(events, entityTag, '"lost"')).rejects.toThrow(NoResponse)
    await poller.poll(events, entityTag, '"a"')
    expect(waits).toEqual([60, 60])
  })

  test('a poll interval that is longer than a run may wait leaves the check untested and names the setting', async () => {
    const { baseUrl, received } = await polled({ interval: '3600' })
    const session = sessionAt(baseUrl)
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

describe('inconclusive responses', () => {
  test.each([
    [403, Untested],
    [302, Untested],
    [500, Deviation],
    [501, Deviation],
    [505, Deviation],
  ] as const)('a poll that is answered %i ends its check as %o', async (status, ending) => {
    const { baseUrl } = await scriptedTarget(failing(status))
    await expect(sessionAt(baseUrl)).rejects.toBeInstanceOf(ending)
  })

  test('a throttled poll names the status and the caller', async () => {
    const { baseUrl } = await scriptedTarget(failing(429))
    const traits = { status: 429, throttled: { caller: 'anonymous' } }
    await expect(sessionAt(baseUrl)).rejects.toMatchObject({ traits })
  })

  test.each([502, 503, 504])('a poll that is always answered %i, once per interval, counts as no response', async (status) => {
    const { baseUrl, received } = await scriptedTarget(failing(status))
    await expect(sessionAt(baseUrl)).rejects.toBeInstanceOf(NoResponse)
    expect(received).toHaveLength(5)
  })
})

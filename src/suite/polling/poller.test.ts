import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { json, type ReceivedRequest, scriptedTarget } from '../../../fixtures/samples/target/scripted-target.ts'
import { anonymous, bearer } from '../../http/exchange/caller.ts'
import { NoResponse } from '../../http/exchange/no-response.ts'
import type { RequestSpec } from '../../http/exchange/request-spec.ts'
import { openClient } from '../../http/test-client.ts'
import { scriptedStart, VirtualClock } from '../../http/transport/time/test-clock.ts'
import { endpoints } from '../../spec/endpoints.ts'
import { Deviation } from '../deviation.ts'
import { entityTag, modificationDate, type PollSession } from '../poll-session.ts'
import { Untested } from '../untested.ts'
import { Poller, type PollerOptions } from './poller.ts'

const events = { endpoint: endpoints.publicEvents, as: anonymous }

/** A poller of a scripted target with its own client and clock, the requests that the target receives, and the seconds of the waits. */
async function opened(respond: Parameters<typeof scriptedTarget>[0], options: Partial<PollerOptions> = {}) {
  const clock = new VirtualClock(scriptedStart)
  const { baseUrl, received } = await scriptedTarget(respond)
  const { signal } = new AbortController()
  const client = openClient(baseUrl, { clock })
  const waits: number[] = []
  const pause = (_: string, seconds: number) => {
    waits.push(seconds)
    return clock.sleep(seconds * 1000)
  }
  const poller = new Poller({ client, clock, signal, obey: true, maxWaitSeconds: 120, pause, ...options })
  return {
    received,
    waits,
    elapsed: () => clock.now() - scriptedStart,
    session: (settings = {}) => poller.session(events, entityTag, settings),
    poll: (spec: RequestSpec = events, tag = '"a"') => poller.poll(spec, entityTag, tag),
    poller,
  }
}

/** Responds with a list, the entity tag that `tag` returns and a poll interval in seconds. */
const listing =
  (interval: string, tag = (_: number) => '"a"') =>
  (request: ReceivedRequest, response: ServerResponse, count: number) => {
    const etag = tag(count)
    const headers = { etag, 'x-poll-interval': interval }
    if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end()
    else json(response, 200, [{ id: '1' }], headers)
  }

const failing = (status: number) => (_: ReceivedRequest, response: ServerResponse) => json(response, status, {})

const tagsIn = (received: readonly ReceivedRequest[]) => received.map(({ headers }) => headers['if-none-match'])
const statusesOf = ({ tries }: PollSession) => tries.map(({ response }) => response.status)

describe('a poll session', () => {
  test('a poll session sends two conditional requests: first a foreign validator, then the verbatim one', async () => {
    const { session, received } = await opened(listing('60', () => 'W/"a-1"'))
    const polls = await session()
    expect(tagsIn(received)).toEqual([entityTag.foreign, 'W/"a-1"'])
    expect([polls.first.status, statusesOf(polls)]).toEqual([200, [304]])
  })

  test('a poll session is shared by all checks that need it', async () => {
    const { session, received } = await opened(listing('60'))
    const [a, b] = await Promise.all([session(), session()])
    expect(a).toBe(b)
    expect(received).toHaveLength(2)
  })

  test('a first poll session sends one verbatim validator, and a session that confirms it sends two', async () => {
    const { session, received } = await opened(listing('60', (count) => `"${count}"`))
    const first = await session()
    expect([first.isRepeated, statusesOf(first)]).toEqual([false, [200]])
    const again = await session({ confirms: true })
    expect([again.isRepeated, statusesOf(again)]).toEqual([true, [200, 200]])
    expect(tagsIn(received)).toEqual([entityTag.foreign, '"1"', undefined, '"3"', '"4"'])
  })

  test('a session that confirms another one sends the validator of the latest response after a change', async () => {
    const { session } = await opened(listing('60', (count) => (count === 1 ? '"a"' : '"b"')))
    expect(statusesOf(await session({ confirms: true }))).toEqual([200, 304])
  })

  test('a poll session makes no attempt when there is no validator', async () => {
    const { poller } = await opened((_, response) => json(response, 200, []))
    expect((await poller.session(events, modificationDate)).tries).toEqual([])
  })

  test('a poll session reads the list again when a foreign validator is answered 304', async () => {
    const { session, received } = await opened(({ headers }, response) => {
      if (headers['if-none-match']) response.writeHead(304).end()
      else json(response, 200, [], { etag: '"a"' })
    })
    const { first, tries } = await session()
    expect([first.status, tries[0]?.source.status, tries[0]?.response.status]).toEqual([304, 200, 304])
    expect(received).toHaveLength(3)
  })

  test('a poll follows a redirect (readings H7), and later polls of the session request its destination at once', async () => {
    const { session, received } = await opened(({ url, headers }, response) => {
      if (!url.endsWith('/')) response.writeHead(308, { location: `${url}/` }).end()
      else if (headers['if-none-match'] === '"a"') response.writeHead(304).end()
      else json(response, 200, [], { etag: '"a"' })
    })
    const polls = await session()
    expect([polls.first.status, statusesOf(polls)]).toEqual([200, [304]])
    expect(received.map(({ url }) => url)).toEqual(['/events', '/events/', '/events/'])
  })
})

describe('the poll interval', () => {
  test('the poll interval is respected between polls of one path by one caller', async () => {
    const { session, poll, elapsed, waits } = await opened(listing('60'))
    await session()
    await poll()
    expect(elapsed()).toBe(120_000)
    expect(waits).toEqual([60, 60])
  })

  test('the poll interval is respected by simultaneous polls as well', async () => {
    const { poll, elapsed } = await opened(listing('10'))
    await Promise.all([poll(), poll(), poll()])
    expect(elapsed()).toBe(20_000)
  })

  test('another path, address or caller has its own poll interval (readings B11)', async () => {
    const { poll, elapsed } = await opened(listing('60'))
    const network = { endpoint: endpoints.organizationEvents, params: { org: 'octo-org' }, as: anonymous }
    const later = { ...events, query: { page: 2 } }
    for (const spec of [events, later, network, { ...events, as: bearer('s3cret', 'owner') }]) await poll(spec)
    expect(elapsed()).toBe(0)
  })

  test('a target that throttles a poll of another address is polled once per interval and path', async () => {
    const polls: number[] = []
    const { poll, elapsed } = await opened((_, response, count) => {
      polls.push(elapsed())
      json(response, count === 2 ? 429 : 200, [], { 'x-poll-interval': '60' })
    })
    for (const page of [1, 2, 3]) await poll({ ...events, query: { page } })
    expect(polls).toEqual([0, 0, 60_000, 120_000])
  })

  test('the poll interval may grow from poll to poll', async () => {
    const { poll, waits } = await opened((_, response, count) =>
      json(response, 200, [], { 'x-poll-interval': String(count * 10) }),
    )
    for (let time = 0; time < 3; time += 1) await poll()
    expect(waits).toEqual([10, 20])
  })

  test('the poll interval begins again after a poll whose response is lost', async () => {
    const { poll, waits } = await opened(({ headers }, response) => {
      if (headers['if-none-match'] === '"lost"') response.destroy()
      else json(response, 200, [], { 'x-poll-interval': '60' })
    })
    await poll()
    await expect(poll(events, '"lost"')).rejects.toThrow(NoResponse)
    await poll()
    expect(waits).toEqual([60, 60])
  })

  test('a poll interval that is longer than a run may wait leaves the check untested and names the setting', async () => {
    const { session, received } = await opened(listing('3600'))
    await expect(session()).rejects.toThrow(/asks for 3600 s between polls, but polling.maxWaitSeconds allows only 120/)
    expect(received).toHaveLength(1)
  })

  test('the poll interval is ignored when the configuration says so', async () => {
    const { session, elapsed } = await opened(listing('3600'), { obey: false })
    await session()
    expect(elapsed()).toBe(0)
  })

  test.each(['soon', '', '-5'])('a poll interval that is not a number (%j) counts as one second', async (interval) => {
    const { session, elapsed } = await opened(listing(interval))
    await session()
    expect(elapsed()).toBe(1000)
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
    const { session } = await opened(failing(status))
    await expect(session()).rejects.toBeInstanceOf(ending)
  })

  test('a throttled poll names the status and the caller', async () => {
    const { session } = await opened(failing(429))
    const traits = { status: 429, throttled: { caller: 'anonymous' } }
    await expect(session()).rejects.toMatchObject({ traits })
  })

  test.each([502, 503, 504])('a poll that is always answered %i, once per interval, counts as no response', async (status) => {
    const { session, received } = await opened(failing(status))
    await expect(session()).rejects.toBeInstanceOf(NoResponse)
    expect(received).toHaveLength(5)
  })
})

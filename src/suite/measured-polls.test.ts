import { describe, expect, test } from 'vitest'
import { json, openPoller, scriptedTarget } from '../../fixtures/proof/scripted-target.ts'
import { anonymous, bearer } from '../http/exchange/caller.ts'
import { NoAnswer } from '../http/exchange/no-answer.ts'
import { endpoints } from '../spec/endpoints.ts'
import { entityTag } from './poll-session.ts'

describe('a chain of polls', () => {
  const addresses = ['octo-org', 'other-org', 'third-org', 'fourth-org']
  const specs = addresses.map((org) => ({
    endpoint: endpoints.organizationEvents,
    params: { org },
    as: bearer('s3cret', 'owner'),
  }))
  const probe = { path: '/quota', pointer: '/left', counts: 'down' } as const

  /**
   * Counts every request except a 304; those of a `charged` address count as well, one request later if it is `late`. A `moving`
   * list always changes.
   */
  function metered({ charged = 'none', moving = 'none', late = false }) {
    let used = 0
    let pending = 0
    return scriptedTarget(({ url, headers }, response, count) => {
      const tag = url.includes(moving) ? `"${count}"` : '"a"'
      const unchanged = headers['if-none-match'] === tag
      used += unchanged ? 0 : 1
      const shown = used
      used += pending
      pending = unchanged && url.includes(charged) ? 1 : 0
      if (!late) [used, pending] = [used + pending, 0]
      if (url === '/quota') json(response, 200, { left: 5000 - shown })
      else response.writeHead(unchanged ? 304 : 200, { etag: tag, 'x-poll-interval': '1' }).end()
    })
  }

  async function polledTogether(target: Parameters<typeof metered>[0]) {
    const { baseUrl, received } = await metered(target)
    const { poller } = openPoller(baseUrl, { quota: probe })
    const sessions = await Promise.all(specs.map((spec) => poller.session(spec, entityTag)))
    const probes = received.filter(({ url }) => url === '/quota').length
    return { received, sessions, probes, costs: sessions.map(({ quota }) => quota?.map(({ around }) => around)) }
  }

  test('the polls of one caller share the probes between them', async () => {
    const { sessions, probes, costs } = await polledTogether({})
    expect(costs).toEqual([[1], [1], [1], [1]])
    expect(sessions.map(({ tries }) => tries.length)).toEqual([1, 1, 1, 1])
    expect(probes).toBe(7)
  })

  test('where one poll is charged each is measured apart, and the charged one three times', async () => {
    const { costs, probes } = await polledTogether({ charged: 'third' })
    expect(costs).toEqual([[1], [1], [2, 2, 2], [1]])
    expect(probes).toBe(7 + 6 * 4)
  })

  test('a charge that shows a request late is nowhere taken for nothing', async () => {
    const { sessions, costs } = await polledTogether({ charged: 'fourth', late: true })
    expect(costs).toEqual([[1], [1], [1], [1]])
    expect(sessions[3]?.quota?.[0]?.alone).toEqual([1, 2])
  })

  test('a poll that no answer comes to leaves the others to be measured apart', async () => {
    const { baseUrl } = await scriptedTarget(({ url, headers }, response) => {
      if (headers['if-none-match'] === '"a"' && url.includes('third')) response.destroy()
      else if (url === '/quota') json(response, 200, { left: 1 })
      else response.writeHead(headers['if-none-match'] === '"a"' ? 304 : 200, { etag: '"a"', 'x-poll-interval': '1' }).end()
    })
    const { poller } = openPoller(baseUrl, { quota: probe })
    const sessions = await Promise.allSettled(specs.map((spec) => poller.session(spec, entityTag)))
    const quotas = sessions.map((session) => (session.status === 'fulfilled' ? session.value.quota : session.reason))
    const free = [{ alone: [0, 0], around: 0 }]
    expect(quotas).toEqual([free, free, expect.any(NoAnswer), free])
  })

  test('a probe that falls silent within a chain leaves no poll waiting', async () => {
    let probes = 0
    const { baseUrl } = await scriptedTarget(({ url, headers }, response) => {
      if (url === '/quota') probes += 1
      if (url === '/quota' && probes > 4) response.destroy()
      else if (url === '/quota') json(response, 200, { left: 1 })
      else response.writeHead(headers['if-none-match'] === '"a"' ? 304 : 200, { etag: '"a"', 'x-poll-interval': '1' }).end()
    })
    const { poller } = openPoller(baseUrl, { quota: probe })
    const sessions = await Promise.allSettled(specs.slice(0, 2).map((spec) => poller.session(spec, entityTag)))
    expect(sessions.map((session) => session.status === 'rejected' && session.reason)).toEqual([
      expect.any(NoAnswer),
      expect.any(NoAnswer),
    ])
  })

  test('a poll before one that was answered 200 is measured apart: a late charge would not be told from that of the 200', async () => {
    const { received, sessions } = await polledTogether({ moving: 'third' })
    const first = received.filter(({ headers, url }) => url !== '/quota' && headers['if-none-match'] !== entityTag.foreign)
    const place = first.findIndex(({ url }) => url.includes('third'))
    const before = place > 0 ? addresses.findIndex((org) => first[place - 1]?.url.includes(org)) : 2
    const tries = addresses.map((_, index) => (index === 2 ? 3 : index === before ? 2 : 1))
    expect(sessions.map((session) => session.tries.length)).toEqual(tries)
  })

  test('another caller has a chain of its own', async () => {
    const { baseUrl, received } = await metered({})
    const { poller } = openPoller(baseUrl, { quota: probe })
    const mine = specs.slice(0, 2)
    const theirs = mine.map((spec) => ({ ...spec, as: bearer('0ther', 'member') }))
    await Promise.all([...mine, ...theirs].map((spec) => poller.session(spec, entityTag)))
    expect(received.filter(({ url }) => url === '/quota')).toHaveLength(2 * 5)
  })
})

test('a replay of some polls of a chain sends with each what was sent then, and comes to the same', async () => {
  const drawn = new Map<string, unknown>()
  const given = { path: '/quota', pointer: '/left', counts: 'down' } as const
  const specs = ['octo-org', 'other-org'].map((org) => ({
    endpoint: endpoints.organizationEvents,
    params: { org },
    as: anonymous,
  }))
  const target = () => {
    let left = 5000
    return scriptedTarget(({ url, headers }, response) => {
      const unchanged = headers['if-none-match'] === '"a"'
      left -= unchanged ? 0 : 1
      if (url === '/quota') json(response, 200, { left })
      else response.writeHead(unchanged ? 304 : 200, { etag: '"a"', 'x-poll-interval': '1' }).end()
    })
  }
  const recording = await target()
  const recorded = openPoller(recording.baseUrl, {
    quota: given,
    draw: (_, scope, make) => {
      const value = make()
      if (value !== undefined) drawn.set(String(scope), value)
      return value
    },
  })
  const then = await Promise.all(specs.map((spec) => recorded.poller.session(spec, entityTag)))
  const replaying = await target()
  const replayed = openPoller(replaying.baseUrl, { quota: given, draw: (_, scope) => drawn.get(String(scope)) })
  for (const [index, spec] of specs.entries()) {
    const { quota, probes } = await replayed.poller.session(spec, entityTag)
    expect([quota, probes.length]).toEqual([then[index]?.quota, then[index]?.probes.length])
  }
  expect(replaying.received).toHaveLength(recording.received.length)
})

import { describe, expect, test, vi } from 'vitest'
import { json, scriptedTarget } from '../../../fixtures/samples/target/scripted-target.ts'
import { defaults } from '../../config/config.ts'
import { anonymous, bearer } from '../../http/exchange/caller.ts'
import { endpoints } from '../../spec/endpoints.ts'
import type { CheckContext } from '../../suite/context.ts'
import { createContext } from './context.ts'
import type { Session } from './session.ts'
import { occupy, openSession } from './testing/session.ts'
import { type Trace, newTrace as traceOf } from './trace.ts'

const events = { endpoint: endpoints.publicEvents, as: anonymous }
const newTrace = () => traceOf('events.public.status')

function contextOf(session: Session, trace = newTrace()) {
  return createContext(session, trace)
}

type Respond = Parameters<typeof scriptedTarget>[0]
const echo: Respond = (_, response) => json(response, 200, [])

/** A session with a scripted target, the context of one of its checks, and the requests that the target receives. */
async function opened(respond = echo, config: Parameters<typeof openSession>[1] = {}) {
  const { baseUrl, received } = await scriptedTarget(respond)
  const session = await openSession(baseUrl, config)
  return { session, context: contextOf(session), received }
}

/** The exchanges that a check has. */
const idsOf = ({ exchanges }: Trace) => [...exchanges].map(({ id }) => id)

describe('the reads of a check', () => {
  test('a read is recorded for the check, also when another check sent the request', async () => {
    const { session, received } = await opened()
    const traces = [newTrace(), newTrace()]
    for (const trace of traces) await contextOf(session, trace).read(events)
    expect(traces.map(idsOf)).toEqual([['x1'], ['x1']])
    expect(received).toHaveLength(1)
  })

  test.each(['read', 'send'] as const)(
    'a redirect within the target is followed by %s unless the check wants the redirect itself',
    async (how) => {
      const { context, received } = await opened(({ url }, response) => {
        const next = { '/events': '/moved', '/moved': '/again' }[url ?? '']
        return next ? json(response, 301, {}, { location: next }) : json(response, 200, [])
      })
      expect((await context[how](events)).status).toBe(200)
      expect((await context[how]({ ...events, direct: true })).status).toBe(301)
      expect(received.slice(0, 3).map(({ url }) => url)).toEqual(['/events', '/moved', '/again'])
    },
  )

  test('a redirect is followed five times at most, and only for a GET', async () => {
    const { context, received } = await opened(({ url }, response) => json(response, 302, {}, { location: `${url}+` }))
    expect((await context.send(events)).status).toBe(302)
    expect(received).toHaveLength(6)
    const marking = { endpoint: endpoints.markNotificationsRead, as: anonymous, body: {} }
    await expect(context.send(marking)).rejects.toThrow('redirected by 302')
    expect(received).toHaveLength(7)
  })

  test('a read is found by its endpoint afterwards', async () => {
    const { context } = await opened()
    await context.read(events)
    await context.send({ endpoint: endpoints.organizationEvents, params: { org: 'octo-org' }, as: anonymous })
    expect(context.recorded(endpoints.publicEvents).map(({ request }) => request.endpoint)).toEqual(['GET /events'])
  })

  test('a check finds its own reads where the room for exchanges is used up', async () => {
    const { session, context } = await opened()
    vi.spyOn(session.exchanges, 'add').mockReturnValue()
    const own = await context.send(events)
    expect(context.recorded(endpoints.publicEvents)).toEqual([own])
    expect(contextOf(session).recorded(endpoints.publicEvents)).toEqual([])
  })
})

describe('something shared', () => {
  test('a shared resource is created once and removed at the end of the session', async () => {
    const { session } = await opened()
    const undone: string[] = []
    const make = async (t: CheckContext) => {
      t.cleanUp('a migration', async () => undone.push('a migration'))
      return { id: 7 }
    }
    const [a, b] = await Promise.all([contextOf(session).shared('migration', make), contextOf(session).shared('migration', make)])
    expect(a).toBe(b)
    expect(undone).toEqual([])
    await session.release()
    expect(undone).toEqual(['a migration'])
  })

  test('the requests that made it are exchanges of every check that uses it, also of a later one', async () => {
    const { session } = await opened()
    const traces = [newTrace(), newTrace(), newTrace()]
    const ask = (of: Trace | undefined) =>
      contextOf(session, of).shared('outer', (t) => t.shared('inner', (within) => within.send(events)))
    await Promise.all([ask(traces[0]), ask(traces[1])])
    await ask(traces[2])
    expect(traces.map(idsOf)).toEqual([['x1'], ['x1'], ['x1']])
  })

  test('a shared resource that cannot be removed is reported as left behind, also when removal throws immediately', async () => {
    const { session } = await opened()
    await contextOf(session).shared('gist', async (t) =>
      t.cleanUp('a gist', () => {
        throw new Error('no address')
      }),
    )
    await session.release()
    expect(session.leftBehind).toEqual(['a gist'])
  })

  test('a check that waits for a shared resource passes its slot to the check that creates it', async () => {
    const { session } = await opened(echo, { limits: { ...defaults.limits, concurrency: 1 } })
    const make = () =>
      occupy(session.slots, () =>
        contextOf(session).shared('slow thing', async (t) => {
          await t.wait(0, 'the thing')
          return 'done'
        }),
      )
    expect(await Promise.all([make(), make(), make()])).toEqual(['done', 'done', 'done'])
  })
})

test('random numbers begin anew with each check and follow from the seed', async () => {
  const drawn = async (seed: number) => {
    const { baseUrl } = await scriptedTarget(echo)
    const session = await openSession(baseUrl, {}, { seed })
    return [contextOf(session), contextOf(session)].map((context) => [context.random(), context.random()])
  }
  const [[first, second], [other]] = [await drawn(7), await drawn(8)]
  expect(first).toEqual(second)
  expect(first).not.toEqual(other)
})

describe('a download', () => {
  const read = async (body: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = []
    for await (const chunk of body) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }
  const archive = { endpoint: endpoints.downloadArchive, path: '/archive', as: bearer('s3cret-7f3a', 'owner'), direct: true }

  test('a download follows redirects to another host without the token and version and passes the body on', async () => {
    const files = await scriptedTarget(({ url }, response) =>
      url === '/b' ? response.end('tar') : json(response, 302, {}, { location: '/b' }),
    )
    const { session, context, received } = await opened((_, response) =>
      json(response, 302, {}, { location: `${files.baseUrl}/a?signature=abcdef&SignedHeaders=host` }),
    )
    const { exchange, result } = await context.download(await context.send(archive), read)
    expect([result, exchange.status, exchange.response.streamed?.bytes]).toEqual(['tar', 200, 3])
    expect(received).toHaveLength(1)
    for (const { headers } of files.received) {
      expect(headers).not.toHaveProperty('authorization')
      expect(headers).not.toHaveProperty('x-service-api-version')
    }
    session.exchanges.keep([...session.exchanges.of('GET (archive)'), exchange], 'failed')
    expect(session.exchanges.records).toHaveLength(2)
    expect(JSON.stringify(session.exchanges.records)).not.toContain('abcdef')
    expect(JSON.stringify(session.exchanges.records)).toContain('SignedHeaders=host')
  })

  test('a download follows redirects only to the listed hosts and to the target', async () => {
    const files = await scriptedTarget((_, response) => response.end('tar'))
    const { baseUrl } = await scriptedTarget(({ url }, response) => {
      if (url === '/archive') return json(response, 302, {}, { location: '/hop' })
      return json(response, 302, {}, { location: `${files.baseUrl}/a` })
    })
    const { host, hostname } = new URL(files.baseUrl)
    const downloaded = async (archiveHosts: string[]) => {
      const limits = { ...defaults.limits, archiveHosts }
      const context = contextOf(await openSession(baseUrl, { limits }))
      return context.download(await context.send(archive), read)
    }
    for (const listed of [host, hostname]) expect((await downloaded(['other.example', listed])).result).toBe('tar')
    expect(files.received).toHaveLength(2)
    for (const listed of [[], ['other.example', `${hostname}:9`]])
      await expect(downloaded(listed)).rejects.toThrow(`limits.archiveHosts does not list ${host}`)
    expect(files.received).toHaveLength(2)
  })

  test('a download gives up a redirect loop', async () => {
    const { context, received } = await opened((_, response) => json(response, 302, {}, { location: '/loop' }))
    const got = await context.download(await context.send(archive), read)
    expect(got).not.toHaveProperty('result')
    expect(received.length).toBeLessThan(10)
  })

  test('a download without a successful response has no result', async () => {
    const { context } = await opened(({ url }, response) =>
      url === '/archive' ? json(response, 302, {}, { location: '/gone' }) : json(response, 410, {}),
    )
    const { exchange, ...rest } = await context.download(await context.send(archive), read)
    expect([exchange.status, rest]).toEqual([410, {}])
  })
})

import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { judgeAll } from '../../fixtures/proof/judge-reference.ts'
import { json, openSession, rawTarget, scriptedTarget } from '../../fixtures/proof/scripted-target.ts'
import { eventsSuites } from '../../suites/events/index.ts'
import type { CheckRecord } from './record.ts'
import { allChecks } from './selection.ts'

const tokens = (['owner', 'member', 'outsider'] as const).map((role) => ({
  role,
  kind: 'classic' as const,
  login: `${role}-login`,
  secret: `secret-of-${role}`,
}))
const needs = {
  'public-repository': { owner: 'octo-org', repo: 'hello' },
  'private-repository': { owner: 'octo-org', repo: 'secret' },
  'foreign-private-repository': { owner: 'dora', repo: 'vault', followed: 'dora' },
  organization: { org: 'octo-org' },
  'received-events': { watchedRepository: 'octo-org/hello', followedLogin: 'dora' },
  'renamed-repository': { owner: 'octo-org', repo: 'old', newOwner: 'octo-org', newRepo: 'new' },
}

/** The feeds whose checks take part: a plain one, one with needs and redirects, and one that is closed to others. */
const feeds = ['GET /events', 'GET /networks/{owner}/{repo}/events', 'GET /users/{username}/events/orgs/{org}']
const checks = allChecks(eventsSuites.filter(({ endpoint }) => feeds.includes(`${endpoint.method} ${endpoint.path}`)))

const limits = { concurrency: 8, requestsPerSecond: 1_000_000, timeoutSeconds: 0.1, archiveBytes: 1 }

async function judgedAt(baseUrl: string): Promise<CheckRecord[]> {
  return judgeAll(checks, await openSession(baseUrl, { tokens, needs, limits, polling: { obey: true, maxWaitSeconds: 5 } }))
}

/** Every check came to an outcome, and none by a fault of the suite. */
function expectOrder(records: readonly CheckRecord[]): void {
  expect(records).toHaveLength(checks.length)
  expect(records.filter(({ detail }) => detail.includes('a fault of the suite')).map(({ id, detail }) => [id, detail])).toEqual(
    [],
  )
}

const headers = { etag: '"a"', 'x-poll-interval': '0' }
const actor = { id: 1, login: 'mona', display_login: 'mona', avatar_id: '', url: 'u', avatar_url: 'a' }
const event = { id: '1', type: 'X', actor, repo: { id: 1, name: 'a/b', url: 'u' }, payload: {}, public: true, created_at: 'now' }
const text =
  (body: string | Buffer, more: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers, ...more }).end(body)
const items = (values: unknown[]) => (response: ServerResponse) => json(response, 200, values, headers)
const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const manyEvents = JSON.stringify(
  Array.from({ length: 150_000 }, (_, index) => ({ id: String(index), created_at: '2026-11-20T12:00:00Z' })),
)
const escapes = '\u001b]0;owned\u0007\u001b[2J\u202e'

describe('answers of every kind are judged', () => {
  test.each<[string, (response: ServerResponse, url: string, count: number) => unknown]>([
    ['nothing', text('')],
    ['null', text('null')],
    ['a number', text('1e999')],
    ['a list of null', items([null, null, [], 'x', 5, true])],
    ['HTML', text('<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' })],
    ['JSON cut off', text('[{"id":"1"')],
    ['a list a hundred thousand deep', text(deep(100_000))],
    ['an event with a deep payload', text(`[{"id":"1","payload":${deep(5000)}}]`)],
    ['an event with a payload of 900 levels', text(`[{"id":"1","payload":${deep(900)}}]`)],
    ['huge numbers', text('[{"id":1e999,"actor":{"id":-1e999},"created_at":9e99}]')],
    ['a list of 10 000 numbers', text(JSON.stringify(Array.from({ length: 10_000 }, (_, index) => index)))],
    ['terminal escapes', items([{ ...event, type: escapes, repo: { ...event.repo, name: `a/${escapes}` } }])],
    ['members of prototypes', text('[{"__proto__":{"id":"1"},"constructor":{},"toString":1,"hasOwnProperty":null}]')],
    ['names of a hundred thousand letters', items([{ ...event, actor: { ...actor, login: 'x'.repeat(100_000) } }])],
    ['gzip that is none', text('[]', { 'content-encoding': 'gzip' })],
    ['500', (response) => json(response, 500, {})],
    ['503 for an hour', (response) => json(response, 503, {}, { 'retry-after': '3600' })],
    ['401', (response) => json(response, 401, {})],
    ['a status of its own', (response) => json(response, 799, [])],
    ['a redirect to itself', (response, url) => json(response, 301, {}, { location: url })],
    ['redirects without end', (response, _, count) => json(response, 302, {}, { location: `/elsewhere/${count}` })],
    ['a redirect to nowhere', (response) => json(response, 301, {}, { location: 'http://[' })],
    ['a redirect without address', (response) => json(response, 301, {})],
    [
      'an unreadable date and interval',
      (response) => json(response, 200, [event], { date: 'once', 'x-poll-interval': '9'.repeat(400) }),
    ],
    ['304 to everything', (response) => response.writeHead(304).end()],
    ['204 to everything', (response) => response.writeHead(204).end()],
  ])('%s', async (_, answer) => {
    const { baseUrl } = await scriptedTarget(({ url }, response, count) => answer(response, url, count))
    expectOrder(await judgedAt(baseUrl))
  })
})

describe('what is no HTTP answer ends without a verdict', () => {
  test.each<[string, (socket: Socket) => unknown]>([
    ['random bytes', (socket) => socket.end(randomBytes(4096))],
    ['a closed connection', (socket) => socket.destroy()],
    ['silence', () => {}],
    ['half a header block', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Type: app')],
    ['a body that stops half-way', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[')],
    ['interim answers without end', (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20))],
  ])('%s', async (_, answer) => {
    const records = await judgedAt(await rawTarget(answer))
    expectOrder(records)
    expect(records.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed')).toEqual([])
    expect(records.some(({ outcome }) => outcome === 'errored')).toBe(true)
  })

  test('an endless body', async () => {
    const chunk = Buffer.alloc(1024 * 1024, ' ')
    const { baseUrl } = await scriptedTarget((_, response) => {
      const more = () => {
        if (response.destroyed) return
        if (response.write(chunk)) setImmediate(more)
        else response.once('drain', more)
      }
      more()
    })
    const records = await judgedAt(baseUrl)
    expectOrder(records)
    expect(records.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed')).toEqual([])
  })
})

test('a page of 150 000 events is judged, more than a call takes arguments', async () => {
  const { baseUrl } = await scriptedTarget((_, response) => text(manyEvents)(response))
  const wanted = ['cap']
  const few = checks.filter(({ check }) => wanted.some((aspect) => check.id === `events.public.${aspect}`))
  const records = await judgeAll(few, await openSession(baseUrl, { tokens, needs }))
  expect(records.map(({ outcome }) => outcome)).toEqual(['failed'])
})

test('what a target sends has no effect on a terminal', async () => {
  const { baseUrl } = await scriptedTarget((_, response) =>
    items([{ ...event, repo: { ...event.repo, name: escapes } }])(response),
  )
  const records = await judgedAt(baseUrl)
  expect(records.some(({ outcome }) => outcome === 'failed')).toBe(true)
  const texts = records.flatMap(({ detail, deviation }) => [detail, deviation?.expected, deviation?.actual, deviation?.pointer])
  expect(texts.filter((text) => /[^\P{C}]|\u202e/u.test(text ?? ''))).toEqual([])
})

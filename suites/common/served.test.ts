import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { json, openSession, type ReceivedRequest, scriptedTarget } from '../../fixtures/proof/scripted-target.ts'
import { judge } from '../../src/run/judge/judge.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import { suite } from '../../src/suite/check.ts'
import { reader } from '../../src/suite/needs.ts'
import { jsonMediaType, servedChecks } from './served.ts'

const endpoint = endpoints.publicEvents
const checks = servedChecks({
  id: 'events.public',
  needs: { reader: reader() },
  at: ({ reader }) => ({ endpoint, as: reader }),
  requirement: 'events.feeds.status',
  excuses: [403],
})
const owner = { role: 'owner' as const, kind: 'classic' as const, login: 'mona', secret: 's3cret' }

type Answer = (request: ReceivedRequest, response: ServerResponse) => unknown

/** What the checks of one list come to, by aspect. */
async function judged(answer: Answer, tokens = [owner]): Promise<Record<string, string>> {
  const { baseUrl } = await scriptedTarget((request, response) => void answer(request, response))
  const session = await openSession(baseUrl, { tokens })
  const records = await Promise.all(checks.map((check) => judge(check, suite({ area: 'events', endpoint, checks }), session)))
  return Object.fromEntries(records.map(({ id, outcome }) => [id.split('.')[2], outcome]))
}

const all = (outcome: string) => ({ status: outcome, 'media-type': outcome, 'no-redirect': outcome, 'without-accept': outcome })
const served: Answer = (_, response) => json(response, 200, [])

describe('a list', () => {
  test('that is served passes', async () => expect(await judged(served)).toEqual(all('passed')))

  test('that is an object fails, and its other claims are not judged on it', async () => {
    expect(await judged((_, response) => json(response, 200, {}))).toEqual({ ...all('untested'), status: 'failed' })
  })

  test('that is HTML by its label alone fails in its label alone', async () => {
    const html: Answer = (_, response) => json(response, 200, [], { 'content-type': 'text/html' })
    expect(await judged(html)).toEqual({ ...all('passed'), 'media-type': 'failed' })
  })

  test('that asks for an Accept header fails in that alone', async () => {
    const demanding: Answer = ({ headers }, response) => json(response, headers.accept ? 200 : 406, [])
    expect(await judged(demanding)).toEqual({ ...all('passed'), 'without-accept': 'failed' })
  })

  test('that lies elsewhere on the target is warned of, no more', async () => {
    const moved: Answer = (request, response) =>
      request.url === '/events' ? json(response, 307, {}, { location: '/v3/events' }) : served(request, response)
    expect(await judged(moved)).toEqual({ ...all('passed'), 'no-redirect': 'warned' })
  })

  test('refused by what the document lists without a trigger is untested', async () => {
    expect(await judged((_, response) => json(response, 403, {}))).toEqual(all('untested'))
  })

  test.each([401, 404])('refused to nobody by %i is untested, to a token of the owner it fails', async (status) => {
    const refused: Answer = (_, response) => json(response, status, {})
    expect(await judged(refused, [])).toEqual(all('untested'))
    expect(await judged(refused)).toEqual({ ...all('untested'), status: 'failed' })
  })

  test('that breaks the server fails', async () => {
    expect(await judged((_, response) => json(response, 500, {}))).toEqual({ ...all('failed'), 'no-redirect': 'warned' })
  })
})

describe('a JSON media type', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/vnd.service+json',
    'Application/JSON',
    'text/json',
  ])('is %s', (type) => expect(type).toMatch(jsonMediaType.pattern))
  test.each([
    'text/html',
    'application/jsonp',
    'application/json+sarif',
    'text/plain; a=application/json',
    'application/octet-stream',
  ])('is not %s', (type) => expect(type).not.toMatch(jsonMediaType.pattern))
})

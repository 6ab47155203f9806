import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { json, type ReceivedRequest, scriptedTarget } from '../../src/http/testing/scripted-target.ts'
import { judge } from '../../src/run/judge/judge.ts'
import { openSession } from '../../src/run/judge/testing/session.ts'
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
  test('a list that is returned passes every check', async () => expect(await judged(served)).toEqual(all('passed')))

  test('a list that is an object fails one check, and its other claims are not judged', async () => {
    expect(await judged((_, response) => json(response, 200, {}))).toEqual({ ...all('untested'), status: 'failed' })
  })

  test('a list that is only labelled as HTML fails only the check of its media type', async () => {
    const html: Answer = (_, response) => json(response, 200, [], { 'content-type': 'text/html' })
    expect(await judged(html)).toEqual({ ...all('passed'), 'media-type': 'failed' })
  })

  test('a list that requires an Accept header fails only that check', async () => {
    const demanding: Answer = ({ headers }, response) => json(response, headers.accept ? 200 : 406, [])
    expect(await judged(demanding)).toEqual({ ...all('passed'), 'without-accept': 'failed' })
  })

  test('a list that redirects within the target causes only a warning', async () => {
    const moved: Answer = (request, response) =>
      request.url === '/events' ? json(response, 307, {}, { location: '/v3/events' }) : served(request, response)
    expect(await judged(moved)).toEqual({ ...all('passed'), 'no-redirect': 'warned' })
  })

  test('a list that is rejected with a status that the document lists without a condition is untested', async () => {
    expect(await judged((_, response) => json(response, 403, {}))).toEqual(all('untested'))
  })

  test.each([401, 404])(
    'a list that rejects anonymous callers with %i is untested, and fails when it rejects the token of the owner',
    async (status) => {
      const refused: Answer = (_, response) => json(response, status, {})
      expect(await judged(refused, [])).toEqual(all('untested'))
      expect(await judged(refused)).toEqual({ ...all('untested'), status: 'failed' })
    },
  )

  test('a list that causes a server error fails', async () => {
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
  ])('the media type %s is JSON', (type) => expect(type).toMatch(jsonMediaType.pattern))
  test.each([
    'text/html',
    'application/jsonp',
    'application/json+sarif',
    'text/plain; a=application/json',
    'application/octet-stream',
  ])('the media type %s is not JSON', (type) => expect(type).not.toMatch(jsonMediaType.pattern))
})

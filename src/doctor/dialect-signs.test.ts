import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkDialect } from '../config/dialect.ts'
import { validatorOf } from '../config/validate.ts'
import { type ReceivedRequest, scriptedTarget } from '../http/testing/scripted-target.ts'
import { openSession } from '../run/judge/testing/session.ts'
import { dialectSigns } from './dialect-signs.ts'

/** The signs of a target that answers by script. */
async function signs(answer: (request: ReceivedRequest, response: ServerResponse) => void): Promise<readonly string[]> {
  const { baseUrl } = await scriptedTarget(answer)
  return dialectSigns(await openSession(baseUrl))
}

function served(headers: Record<string, string>) {
  return (_: ReceivedRequest, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end('[]')
}

test.each([
  ['a version header', { 'X-Forge-Api-Version-Selected': '3' }, 'headers: { version: X-Forge-Api-Version }'],
  ['a version header that Vary mentions', { Vary: 'Accept, Forge-Api-Version' }, 'headers: { version: Forge-Api-Version }'],
  [
    'a permissions header',
    { 'X-Accepted-Forge-Permissions': 'a=read' },
    'headers: { permissions: X-Accepted-Forge-Permissions }',
  ],
  ['a polling header', { 'X-Forge-Poll-Interval': '60' }, 'headers: { X-Poll-Interval: X-Forge-Poll-Interval }'],
  ['a media type', { 'content-type': 'application/vnd.forge+json; charset=utf-8' }, 'mediaType: application/vnd.forge+json'],
])('another name of %s is proposed as a line of a dialect that is accepted', async (_, headers, line) => {
  const lines = await signs(served(headers))
  expect(lines).toEqual([line])
  const dialect = parse(lines.join('\n'))
  expect(validatorOf('dialect')(dialect)).toBe(true)
  expect(() => checkDialect(dialect, () => 'dialect.yaml')).not.toThrow()
})

test('where the usual media type is refused with 406, the type of the answer to any type is proposed', async () => {
  const lines = await signs((request, response) => {
    const own = request.headers.accept === '*/*'
    response.writeHead(own ? 200 : 406, { 'content-type': 'application/json', 'X-Forge-Api-Version': '3' }).end('[]')
  })
  expect(lines).toEqual(['headers: { version: X-Forge-Api-Version }', 'mediaType: application/json'])
})

test.each([
  ['the words of the document', { 'X-Service-Api-Version-Selected': '2026-03-10', 'X-Poll-Interval': '60' }],
  ['a header of another purpose', { 'X-Powered-By-Version': '4' }],
  ['a name that no dialect should have', { [`X-${'a'.repeat(90)}-Api-Version`]: '3' }],
])('nothing is proposed for %s', async (_, headers) => expect(await signs(served(headers))).toEqual([]))

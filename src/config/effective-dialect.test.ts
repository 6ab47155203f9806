import { expect, test } from 'vitest'
import { apiVersions } from '../spec/versions.ts'
import { effectiveDialect } from './effective-dialect.ts'

test('a dialect as it takes effect has a line for each thing that differs, and no value of an extra header', () => {
  const file = {
    baseUrls: { '2022-11-28': 'http://old.test' },
    version: { send: 'path', names: { '2026-03-10': 'v4' } },
    headers: { permissions: 'X-Needs' },
    extraHeaders: { 'X-Key': 'open-sesame' },
    authorization: { scheme: 'token' },
    queryParameters: { per_page: 'limit' },
    objects: { thread: { reason: 'cause' } },
    probe: 'GET /user',
  } as const
  expect(effectiveDialect(file, apiVersions, 'http://target.test')).toEqual([
    'version 2022-11-28: below /2022-11-28, at http://old.test',
    'version 2026-03-10: below /v4, at http://target.test',
    'token: Authorization: token $TOKEN',
    'probe: GET /user',
    'accept: application/vnd.service+json',
    'headers: X-Accepted-Service-Permissions → X-Needs',
    'extra headers: X-Key',
    'query parameters: per_page → limit',
    'fields of thread: reason → cause',
  ])
})

test.each([
  [{ version: { send: 'none' } }, 'version 2026-03-10: named nowhere, at http://target.test'],
  [{ version: { send: 'media-type' } }, 'version 2026-03-10: version=2026-03-10 in the media type, at http://target.test'],
  [
    { accept: 'a/b.{version}', version: { send: 'media-type' } },
    'version 2026-03-10: Accept: a/b.2026-03-10, at http://target.test',
  ],
  [{ headers: { version: 'X-V' } }, 'version 2026-03-10: X-V: 2026-03-10, at http://target.test'],
  [{ authorization: { query: 'key' } }, 'token: query parameter key'],
] as const)('%j', (file, line) => expect(effectiveDialect(file, ['2026-03-10'], 'http://target.test')).toContain(line))

test('without a dialect there is nothing to say', () =>
  expect(effectiveDialect(undefined, apiVersions, 'http://a.test')).toEqual([]))

test('a dialect without other names of headers says nothing about them', () => {
  const lines = effectiveDialect({ authorization: { scheme: 'token' } }, ['2026-03-10'], 'http://127.0.0.1:1')
  expect(lines.filter((line) => line.startsWith('headers'))).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { endpoints } from '../../spec/endpoints.ts'
import { anonymous, bearer } from '../exchange/caller.ts'
import { NotSent } from '../exchange/no-response.ts'
import type { RequestSpec } from '../exchange/request-spec.ts'
import { Dialect } from './dialect.ts'
import type { DialectFile } from './dialect-file.ts'
import { toWireRequest } from './wire-request.ts'

const mona = bearer('mona-secret-token', 'owner')
const events: RequestSpec = { endpoint: endpoints.publicEvents, as: anonymous }

function wire(spec: RequestSpec, file: DialectFile = {}) {
  return toWireRequest(spec, { dialect: new Dialect(file), apiVersion: '2026-03-10', baseUrl: 'http://target.test/api/' })
}

/** The value of a header as it would be sent. */
function header(spec: RequestSpec, file: DialectFile, name: string) {
  return wire(spec, file).headers.find(([line]) => line === name)?.[1]
}

describe('where a request names its version', () => {
  const names = { '2022-11-28': 'v3', '2026-03-10': 'v4' }

  test('a header names it by default, under the name and with the value of the target', () => {
    expect(header(events, {}, 'X-Service-Api-Version')).toBe('2026-03-10')
    expect(header(events, { headers: { version: 'X-Forge' }, version: { names } }, 'X-Forge')).toBe('v4')
    expect(header({ ...events, version: '2022-11-28' }, { version: { names } }, 'X-Service-Api-Version')).toBe('v3')
    expect(header({ ...events, version: null }, {}, 'X-Service-Api-Version')).toBeUndefined()
  })

  test('a media type names it in a parameter, or where the value says so', () => {
    const file: DialectFile = { mediaType: 'a/b', version: { send: 'media-type', parameter: 'v', names } }
    expect(header(events, file, 'Accept')).toBe('a/b; v=v4')
    expect(header({ ...events, accept: 'c/d' }, file, 'Accept')).toBe('c/d; v=v4')
    expect(header(events, { ...file, accept: 'a/b.{version}+json' }, 'Accept')).toBe('a/b.v4+json')
    expect(header({ ...events, version: null }, { ...file, accept: 'a/b.{version}+json' }, 'Accept')).toBe('a/b+json')
    expect(header(events, file, 'X-Service-Api-Version')).toBeUndefined()
  })

  test('a request without a media type to name the version in names none', () => {
    const file: DialectFile = { version: { send: 'media-type' } }
    expect(wire({ ...events, accept: null }, file).version).toBeNull()
    expect(wire(events, file).version).toBe('2026-03-10')
    expect(wire({ ...events, accept: null }).version).toBe('2026-03-10')
  })

  test('a prefix of the path names it, also before a configured path', () => {
    const file: DialectFile = { version: { send: 'path', prefix: '/rest/{version}', names } }
    expect(wire(events, file).url).toBe('http://target.test/api/rest/v4/events')
    expect(wire({ ...events, path: '/own' }, file).url).toBe('http://target.test/api/rest/v4/own')
    expect(wire({ ...events, version: null }, file).url).toBe('http://target.test/api/events')
    expect(wire({ ...events, url: 'http://target.test/moved' }, file).url).toBe('http://target.test/moved')
  })

  test('a base URL of its own is enough', () => {
    const file: DialectFile = { version: { send: 'none' }, baseUrls: { '2022-11-28': 'http://old.test/' } }
    expect(wire({ ...events, version: '2022-11-28' }, file).url).toBe('http://old.test/events')
    expect(wire(events, file).url).toBe('http://target.test/api/events')
    expect(wire(events, file).headers.map(([name]) => name)).not.toContain('X-Service-Api-Version')
  })
})

test('an id that JSON numbers cannot represent exactly is not sent', () => {
  const migration = (migration_id: number) => ({ endpoint: endpoints.getMigration, params: { migration_id }, as: mona })
  expect(wire(migration(2 ** 53 - 1)).url).toContain('/9007199254740991')
  expect(() => wire(migration(JSON.parse('9007199254740993') as number))).toThrow(
    new NotSent({ code: 'inexact-number', parameter: 'migration_id', value: 9007199254740992 }),
  )
})

describe('how a token is sent', () => {
  const asMona = { ...events, as: mona }

  test.each<[DialectFile['authorization'], string, string, string]>([
    [undefined, 'Authorization', 'Bearer mona-secret-token', 'Bearer $OWNER_TOKEN'],
    [{ scheme: 'token' }, 'Authorization', 'token mona-secret-token', 'token $OWNER_TOKEN'],
    [{ header: 'X-Forge-Token' }, 'X-Forge-Token', 'mona-secret-token', '$OWNER_TOKEN'],
    [
      { scheme: 'Basic', user: 'api' },
      'Authorization',
      `Basic ${Buffer.from('api:mona-secret-token').toString('base64')}`,
      'Basic api:$OWNER_TOKEN',
    ],
  ])('%j', (authorization, name, value, display) => {
    const file = authorization ? { authorization } : {}
    expect(header(asMona, file, name)).toBe(value)
    expect(wire(asMona, file).display?.header).toEqual([name, display])
    expect(wire(events, file).headers.map(([line]) => line)).not.toContain(name)
  })

  test('a query parameter carries it, also behind a redirect that repeats it, and reports contain the name of the token', () => {
    const file = { authorization: { query: 'access_token' } }
    expect(wire({ ...asMona, query: { page: 2 } }, file)).toMatchObject({
      url: 'http://target.test/api/events?page=2&access_token=mona-secret-token',
      display: { url: 'http://target.test/api/events?page=2&access_token=$OWNER_TOKEN' },
    })
    const url = 'http://target.test/api/moved?access_token=mona-secret-token&x=1'
    expect(wire({ ...asMona, url }, file).url).toBe('http://target.test/api/moved?x=1&access_token=mona-secret-token')
    expect(wire(events, file).url).toBe('http://target.test/api/events')
  })

  test('every text from which a secret can be read is named before it is sent', () => {
    const told: string[] = []
    const dialect = new Dialect({ authorization: { scheme: 'Basic' } }, (secret, label) => told.push(`${label} ${secret}`))
    toWireRequest(asMona, { dialect, apiVersion: '2026-03-10', baseUrl: 'http://target.test' })
    expect(told).toEqual([`OWNER_TOKEN ${Buffer.from('x-access-token:mona-secret-token').toString('base64')}`])
  })
})

describe('other words', () => {
  test('extra headers are sent to every origin of the target and to no other', () => {
    const file: DialectFile = { extraHeaders: { 'X-Key': 'k' }, baseUrls: { '2022-11-28': 'http://old.test' } }
    expect(header(events, file, 'X-Key')).toBe('k')
    expect(header({ ...events, url: 'http://old.test/a' }, file, 'X-Key')).toBe('k')
    expect(header({ ...events, url: 'http://files.test/a' }, file, 'X-Key')).toBeUndefined()
  })

  test('query parameters have the names of the target, with the brackets of a list', () => {
    const file = { queryParameters: { per_page: 'limit', exclude: 'without' } }
    const query = { per_page: 5, page: 2, 'exclude[]': ['a', 'b'] }
    expect(wire({ ...events, query }, file).url).toBe('http://target.test/api/events?limit=5&page=2&without[]=a&without[]=b')
  })

  test('a whole template takes precedence over words of the path, and its parameters may change places', () => {
    const file: DialectFile = {
      paths: { '/repos/{owner}/{repo}/events': '/activity/{repo}~{owner}' },
      pathWords: { events: 'feed' },
    }
    const params = { owner: 'octo', repo: 'a/b' }
    expect(wire({ ...events, endpoint: endpoints.repositoryEvents, params }, file).url).toBe(
      'http://target.test/api/activity/a%2Fb~octo',
    )
    expect(wire(events, file).url).toBe('http://target.test/api/feed')
  })

  test('a request body has the names of its kind of object', () => {
    const objects = { 'migration-request': { exclude: 'without' }, migration: { exclude_releases: 'x' } }
    const spec = { ...events, endpoint: endpoints.startMigration, body: { exclude: [], exclude_releases: true } }
    expect(wire(spec, { objects }).body).toBe('{"without":[],"exclude_releases":true}')
  })
})

import { describe, expect, test } from 'vitest'
import type { HeaderLine } from '../../record/exchange-record.ts'
import { Exchange } from '../exchange/exchange.ts'
import { Dialect, FieldNames } from './dialect.ts'

const dialect = new Dialect({
  headers: { version: 'X-Forge-Version', permissions: 'X-Forge-Permissions' },
  mediaType: 'application/vnd.forge+json',
  pathWords: { workspaces: 'devspaces', depbot: 'renovator' },
  fields: { avatar_id: 'picture_hash' },
})

describe('a dialect', () => {
  test('a dialect translates header names and the media type', () => {
    expect(dialect.versionHeader).toBe('X-Forge-Version')
    expect(dialect.headerName('x-accepted-service-permissions')).toBe('X-Forge-Permissions')
    expect(dialect.headerName('ETag')).toBe('ETag')
    expect(dialect.accept).toBe('application/vnd.forge+json')
  })

  test('a dialect may send an Accept value that differs from its media type', () => {
    expect(new Dialect({ mediaType: 'a/b', accept: 'a/b;v=3' })).toMatchObject({ mediaType: 'a/b', accept: 'a/b;v=3' })
  })

  test('a dialect replaces whole segments of a template, but no parts of segments and no parameters', () => {
    expect(dialect.template('/repos/{owner}/{repo}/workspaces/machines')).toBe('/repos/{owner}/{repo}/devspaces/machines')
    expect(dialect.template('/user/workspaces-old/{workspaces}')).toBe('/user/workspaces-old/{workspaces}')
  })

  test('a dialect renames keys in both directions at any depth and changes nothing else', () => {
    const neutral = [{ actor: { avatar_id: 'a', login: 'avatar_id' }, tags: ['avatar_id'] }]
    const wire = [{ actor: { picture_hash: 'a', login: 'avatar_id' }, tags: ['avatar_id'] }]
    expect(dialect.toWire(neutral)).toEqual(wire)
    expect(dialect.toNeutral(wire)).toEqual(neutral)
  })

  test.each([[{ avatar_id: 'theirs', picture_hash: 'ours' }], [{ picture_hash: 'ours', avatar_id: 'theirs' }]])(
    'a mapped field takes precedence over a field with the neutral name',
    (wire) => {
      expect(dialect.toNeutral(wire)).toEqual({ avatar_id: 'ours' })
    },
  )

  test('a dialect leaves scalars unchanged', () => {
    expect([dialect.toNeutral(null), dialect.toNeutral('avatar_id'), dialect.toWire(3)]).toEqual([null, 'avatar_id', 3])
  })
})

test('a target without a dialect receives the words of the document', () => {
  const none = new Dialect()
  const value = { avatar_id: 'a' }
  expect(none.toNeutral(value)).toBe(value)
  expect(none.versionHeader).toBe('X-Service-Api-Version')
  expect(none.accept).toBe('application/vnd.service+json')
  expect(none.template('/user/workspaces/{workspace_name}/machines')).toBe('/user/workspaces/{workspace_name}/machines')
})

describe('an exchange with a target that has a dialect', () => {
  function exchange(body: string, headers: HeaderLine[], vocabulary: Dialect) {
    const request = { method: 'GET', url: 'http://host.example/events', endpoint: 'GET /events', headers: [], as: 'anonymous' }
    return new Exchange('x1', request, { status: 200, headers, body: Buffer.from(body) }, 1, vocabulary)
  }

  test('a body keeps a member named __proto__ as an ordinary member', () => {
    const dialect = new Dialect({ fields: { avatar_id: 'picture' } })
    const { json } = exchange('{"__proto__":{"picture":"p"}}', [], dialect)
    expect(Object.keys(json as object)).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>).avatar_id).toBeUndefined()
  })

  test('a header is found by the name in the document although the target uses another name', () => {
    const dialect = new Dialect({ headers: { permissions: 'X-Forge-Permissions' } })
    const lines: HeaderLine[] = [['x-forge-permissions', 'metadata=read']]
    expect(exchange('', lines, dialect).header('X-Accepted-Service-Permissions')).toBe('metadata=read')
    expect(exchange('', lines, new Dialect()).header('X-Accepted-Service-Permissions')).toBeUndefined()
  })
})

const names = new FieldNames(
  { avatar_id: 'picture' },
  { 'event-actor': { avatar_id: 'portrait' }, event: { type: 'what', payload: 'details' }, 'push-payload': { ref: 'branch' } },
)
const wire = [{ what: 'PushEvent', actor: { portrait: 'a' }, org: { picture: 'b' }, details: { branch: 'main', ref: 'other' } }]
const neutral = [{ type: 'PushEvent', actor: { avatar_id: 'a' }, org: { avatar_id: 'b' }, payload: { ref: 'main' } }]

describe('names of fields by kind of object', () => {
  test('objects of a kind are recognised by their place and the type of their event', () => {
    expect(names.toNeutral(wire, 'event')).toEqual(neutral)
    expect(names.toWire(neutral, 'event')).toEqual([
      { what: 'PushEvent', actor: { portrait: 'a' }, org: { picture: 'b' }, details: { branch: 'main' } },
    ])
  })

  test('an object of no known kind has the names that apply everywhere', () => {
    expect(names.toNeutral({ actor: { portrait: 'a', picture: 'b' } })).toEqual({ actor: { portrait: 'a', avatar_id: 'b' } })
  })

  test.each([
    ['/0/actor/avatar_id', '/0/actor/portrait'],
    ['/0/org/avatar_id', '/0/org/picture'],
    ['/0/payload/ref', '/0/details/branch'],
    ['/0/missing/avatar_id', '/0/missing/picture'],
    ['', ''],
  ])('the pointer %s leads to %j in the body as it was sent', (pointer, sent) =>
    expect(names.wirePointer(pointer, wire, 'event')).toBe(sent),
  )

  test('a pointer to a field that the target sends under the name of the document keeps that name', () => {
    expect(names.wirePointer('/0/actor/avatar_id', [{ actor: { avatar_id: 'a' } }], 'event')).toBe('/0/actor/avatar_id')
  })
})

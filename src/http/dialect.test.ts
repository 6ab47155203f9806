import { describe, expect, test } from 'vitest'
import { Dialect } from './dialect.ts'

const dialect = new Dialect({
  headers: { version: 'X-Forge-Version', permissions: 'X-Forge-Permissions' },
  mediaType: 'application/vnd.forge+json',
  pathWords: { workspaces: 'devspaces', depbot: 'renovator' },
  fields: { avatar_id: 'picture_hash' },
})

describe('a dialect', () => {
  test('names headers and media type as the target does', () => {
    expect(dialect.versionHeader).toBe('X-Forge-Version')
    expect(dialect.headerName('x-accepted-service-permissions')).toBe('X-Forge-Permissions')
    expect(dialect.headerName('ETag')).toBe('ETag')
    expect(dialect.accept).toBe('application/vnd.forge+json')
  })

  test('may send another Accept value than its media type', () => {
    expect(new Dialect({ mediaType: 'a/b', accept: 'a/b;v=3' })).toMatchObject({ mediaType: 'a/b', accept: 'a/b;v=3' })
  })

  test('replaces whole segments of a template, and neither parts of them nor parameters', () => {
    expect(dialect.template('/repos/{owner}/{repo}/workspaces/machines')).toBe('/repos/{owner}/{repo}/devspaces/machines')
    expect(dialect.template('/user/workspaces-old/{workspaces}')).toBe('/user/workspaces-old/{workspaces}')
  })

  test('renames fields both ways at any depth, and nothing but keys', () => {
    const neutral = [{ actor: { avatar_id: 'a', login: 'avatar_id' }, tags: ['avatar_id'] }]
    const wire = [{ actor: { picture_hash: 'a', login: 'avatar_id' }, tags: ['avatar_id'] }]
    expect(dialect.toWire(neutral)).toEqual(wire)
    expect(dialect.toNeutral(wire)).toEqual(neutral)
  })

  test.each([[{ avatar_id: 'theirs', picture_hash: 'ours' }], [{ picture_hash: 'ours', avatar_id: 'theirs' }]])(
    'takes the mapped field where the target also sends one of the neutral name',
    (wire) => {
      expect(dialect.toNeutral(wire)).toEqual({ avatar_id: 'ours' })
    },
  )

  test('leaves scalars alone', () => {
    expect([dialect.toNeutral(null), dialect.toNeutral('avatar_id'), dialect.toWire(3)]).toEqual([null, 'avatar_id', 3])
  })
})

test("without a dialect the document's words are the wire's", () => {
  const none = new Dialect()
  const value = { avatar_id: 'a' }
  expect(none.toNeutral(value)).toBe(value)
  expect(none.versionHeader).toBe('X-Service-Api-Version')
  expect(none.accept).toBe('application/vnd.service+json')
  expect(none.template('/user/workspaces/{workspace_name}/machines')).toBe('/user/workspaces/{workspace_name}/machines')
})

import { describe, expect, test } from 'vitest'
import type { Difference, PermissionCell } from '../../record/run-record.ts'
import { permissionMapOf } from '../view/permission-map.ts'
import { differenceLines, permissionLines } from './summary.ts'

const cell = (row: string, access: string, state: PermissionCell['cell'], category = 'Blocking users'): PermissionCell => ({
  owner: 'organization',
  category,
  tokenKind: 'app-user',
  row,
  access,
  cell: state,
})

const permissionLinesOf = (...cells: readonly PermissionCell[]) => permissionLines('2026-03-10', permissionMapOf(cells))

test('the terminal counts the rows of a category in each state, and lists the columns that deviate', () => {
  const lines = permissionLinesOf(
    cell('PUT /orgs/{org}/blocks/{username}', 'write', 'too-restrictive'),
    cell('DELETE /orgs/{org}/blocks/{username}', 'write', 'granted'),
    cell('PUT /orgs/{org}/blocks/{username}', 'none', 'refused'),
  )
  expect(lines).toEqual([
    '',
    'permissions under 2026-03-10 that deviate:',
    '  organization: Blocking users, app-user with write: 1 too restrictive, 1 granted',
  ])
})

test('the map has the worst state of several checks of one cell', () => {
  const cells = (['granted', 'too-permissive', 'undecided'] as const).map((state) =>
    cell('GET /orgs/{org}/blocks', 'read', state),
  )
  expect(permissionMapOf(cells).categories[0]?.rows).toEqual([{ endpoint: 'GET /orgs/{org}/blocks', cells: ['too-permissive'] }])
})

test('the terminal lists no permission where the target does not deviate', () => {
  expect(permissionLinesOf()).toEqual([])
  expect(permissionLinesOf(cell('GET /events', 'read', 'granted'))).toEqual([])
})

test('many deviations take a limited number of lines', () => {
  const cells = Array.from({ length: 30 }, (_, index) => cell('GET /events', 'read', 'too-permissive', `category ${index}`))
  expect(permissionLinesOf(...cells).slice(-2)).toEqual([
    '  organization: category 19, app-user with read: 1 too permissive',
    '  and 10 more lines',
  ])
})

const removed = (endpoint: string, at: string, change?: number): Difference => ({
  endpoint,
  at,
  kind: 'removed',
  older: 'object',
  newer: '',
  documented: false,
  ...(change === undefined ? {} : { change }),
})

describe('differenceLines', () => {
  test('the terminal counts the changes that were seen, and names the others', () => {
    const lines = differenceLines([removed('GET /gists', '/*/forks', 8), removed('GET /gists/public', '/*/forks', 8)])
    expect(lines.slice(0, 3)).toEqual([
      '',
      'differences between the versions: 1 of the 21 documented changes were seen; nothing else differs',
      expect.stringMatching(/^ {2}not seen {2}change 1, .*change 7, change 9, .*change 21$/),
    ])
  })

  test('the terminal names three unlisted differences', () => {
    const lines = differenceLines([removed('GET /rate_limit', '/rate', 1), removed('GET /events', '/*/actor')])
    expect(lines[2]).toBe('  GET /events /*/actor: removed, object → absent')
    const many = Array.from({ length: 12 }, (_, index) => removed('GET /events', `/*/${index}`))
    expect(differenceLines(many).slice(4, 6)).toEqual(['  GET /events /*/2: removed, object → absent', '  and 9 more'])
  })

  test('the terminal prints no control character from the target', () => {
    expect(differenceLines([removed('GET /events', '/\u001b[2J')]).join('\n')).not.toContain('\u001b')
  })

  test('the terminal prints nothing when nothing differs', () => {
    expect(differenceLines([])).toEqual([])
  })
})

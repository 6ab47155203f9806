import { expect, test } from 'vitest'
import type { PermissionCell } from '../../record/version-report.ts'
import { permissionMapOf } from '../view/permission-map.ts'
import { permissionLines } from './permissions.ts'

const cell = (row: string, access: string, state: PermissionCell['cell'], category = 'Blocking users'): PermissionCell => ({
  ...{ owner: 'organization', category, tokenKind: 'app-user' },
  ...{ row, access, cell: state },
})

const linesOf = (...cells: readonly PermissionCell[]) => permissionLines('2026-03-10', permissionMapOf(cells))

test('the terminal counts the rows of a category in each state, and lists the columns that deviate', () => {
  const lines = linesOf(
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
  expect(linesOf()).toEqual([])
  expect(linesOf(cell('GET /events', 'read', 'granted'))).toEqual([])
})

test('many deviations take a limited number of lines', () => {
  const cells = Array.from({ length: 30 }, (_, index) => cell('GET /events', 'read', 'too-permissive', `category ${index}`))
  expect(linesOf(...cells).slice(-2)).toEqual([
    '  organization: category 19, app-user with read: 1 too permissive',
    '  and 10 more lines',
  ])
})

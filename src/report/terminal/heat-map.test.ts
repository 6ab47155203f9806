import { expect, test } from 'vitest'
import type { PermissionCell } from '../../record/version-report.ts'
import { permissionMapOf } from '../view/permission-map.ts'
import { renderHeatMap } from './heat-map.ts'

const cell = (row: string, access: string, state: PermissionCell['cell']): PermissionCell => ({
  ...{ owner: 'organization', category: 'Blocking users', tokenKind: 'app-user' },
  ...{ row, access, cell: state },
})

test('the heat map counts the rows of a category in each state', () => {
  const cells = [
    cell('PUT /orgs/{org}/blocks/{username}', 'write', 'too-restrictive'),
    cell('DELETE /orgs/{org}/blocks/{username}', 'write', 'granted'),
    cell('PUT /orgs/{org}/blocks/{username}', 'none', 'refused'),
  ]
  expect(renderHeatMap('2026-03-10', permissionMapOf(cells), 80).at(-1)).toMatch(/^organization: Blocking users {2}⊘1 +▼1 ✓1$/)
})

test('the heat map has the worst state of several checks of one cell', () => {
  const cells = (['granted', 'too-permissive', 'undecided'] as const).map((state) =>
    cell('GET /orgs/{org}/blocks', 'read', state),
  )
  expect(permissionMapOf(cells).categories[0]?.rows).toEqual([{ endpoint: 'GET /orgs/{org}/blocks', cells: ['too-permissive'] }])
})

test('the terminal shows no heat map where the target does not deviate', () => {
  expect(renderHeatMap('2026-03-10', permissionMapOf([]), 80)).toEqual([])
  expect(renderHeatMap('2026-03-10', permissionMapOf([cell('GET /events', 'read', 'granted')]), 80)).toEqual([])
})

import { expect, test } from 'vitest'
import { permissionMapOf } from './permission-map.ts'

test('the map has the worst state of several checks of one cell', () => {
  const row = 'GET /orgs/{org}/blocks'
  const place = { owner: 'organization', category: 'Blocking users', tokenKind: 'app-user', row, access: 'read' } as const
  const cells = (['granted', 'too-permissive', 'undecided'] as const).map((state) => ({ ...place, cell: state }))
  expect(permissionMapOf(cells).categories[0]?.rows).toEqual([{ endpoint: row, cells: ['too-permissive'] }])
})

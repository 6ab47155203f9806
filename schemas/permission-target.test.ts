import { expect, test } from 'vitest'
import { validatorOf } from '../src/package/schemas.ts'

const validate = validatorOf('needs/permission-target')
const row = { method: 'PUT', path: '/user/following/{username}' }
const path = '/user/following/carl'

test.each([
  { path },
  { row, path, body: { name: 'x' }, readBack: { path }, restore: { method: 'DELETE', path } },
  { path, readBack: path, restore: [] },
  {
    path,
    readBack: { method: 'GET', path, pointer: '/items/0' },
    restore: [{ method: 'PATCH', path: '/user', body: { bio: '' } }],
  },
  { path, readBack: null, restore: null },
])('the permission-target schema accepts %j', (given) => {
  expect(validate({ given })).toBe(true)
})

test.each([
  { row },
  { path: 'user/following/carl' },
  { path, row: { method: 'FETCH', path } },
  { path, row: { method: 'PUT' } },
  { path, readBack: { pointer: '/id' } },
  { path, readBack: { method: 'DELETE', path } },
  { path, readBack: { path, pointer: 'id' } },
  { path, restore: { path } },
  { path, restore: { method: 'GET', path } },
])('the permission-target schema rejects %j', (given) => {
  expect(validate({ given })).toBe(false)
})

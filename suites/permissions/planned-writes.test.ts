import { expect, test } from 'vitest'
import { permissionRows } from '../../src/spec/permissions.ts'
import { plannedWrites } from './planned-writes.ts'

test('a plan names every row that writes, and none that reads', () => {
  const planned = plannedWrites().map(({ endpoint }) => endpoint)
  const writing = permissionRows.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)
  expect(planned).toEqual(writing)
})

test('a plan counts the owner, nobody, an invalid token and every token that is tried', () => {
  const [blocking] = plannedWrites().filter(({ endpoint }) => endpoint === 'PUT /orgs/{org}/blocks/{username}')
  expect(blocking?.senders.slice(0, 3)).toEqual(['owner', 'app-user with the permission', 'app-user without any permission'])
  expect(blocking?.atMost).toBe(1 + 3 * 4 + 2)
})

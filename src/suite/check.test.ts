import { expect, test } from 'vitest'
import { check, needsOf } from './check.ts'
import { loginOf, need, optional, role } from './needs.ts'

const definition = {
  id: 'own.quota.shape',
  requirement: 'events.event.fields',
  level: 'must',
  title: 'returns a quota',
  run: async () => {},
} as const

const shared = { reader: role('owner'), list: optional(need('received-events', { private: true })) }

test.each([
  ['another need', { reader: loginOf('owner') }, 'reader'],
  ['another role', { reader: role('member') }, 'reader'],
  ['other specifics', { list: need('received-events') }, 'list'],
  ['an optional one for one that the others require', { reader: optional(role('owner')) }, 'reader'],
])('a check is refused that gives the name of a need to %s', (_, also, name) => {
  expect(() => check({ ...definition, needs: shared, also })).toThrow(
    `the check "own.quota.shape" has "${name}" in needs and something else in also; use another name there`,
  )
})

test('a check may repeat a need, and require a member that is optional for others', () => {
  const also = { reader: role('owner'), list: need('received-events', { private: true }), login: loginOf('owner') }
  expect(needsOf(check({ ...definition, needs: shared, also }))).toEqual(also)
})

import { describe, expect, test } from 'vitest'
import { adviseToken } from './token-advice.ts'

const blocking = (access: 'read' | 'write') => ({ organization: { blocking_users: access } })
const appUser = { kind: 'app-user', reach: 'mona' } as const
const fineGrained = { kind: 'fine-grained', reach: 'octo-org' } as const

describe('The token advice', () => {
  test('the advice names the single token that most checks could use', () => {
    const advice = adviseToken([
      [{ ...appUser, permissions: blocking('write') }],
      [{ ...appUser, permissions: blocking('write') }],
      [{ ...fineGrained, permissions: {}, lacks: { user: { email_addresses: 'read' } } }],
    ])
    expect(advice).toMatchObject({ token: { kind: 'app-user', login: 'mona' }, checks: 2 })
    expect(advice?.text).toBe('a token of kind app-user, login mona, with every category of docs/areas/permissions.md at write')
    expect(advice?.token.permissions).toMatchObject(blocking('write'))
  })

  test('the advice proposes no permission that a check requires to be absent', () => {
    const lacking = [{ user: { git_ssh_keys: 'read' } }, blocking('read')] as const
    const advice = adviseToken(lacking.map((lacks) => [{ ...fineGrained, permissions: {}, lacks }]))
    expect(advice).toMatchObject({ token: { kind: 'fine-grained', resourceOwner: 'octo-org' }, checks: 2 })
    expect(advice?.token.permissions).toEqual({})
  })

  test('the advice is omitted when no token is missing', () => {
    expect(adviseToken([[], []])).toBeUndefined()
  })
})

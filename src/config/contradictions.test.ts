import { describe, expect, test } from 'vitest'
import type { TokenConfig } from './config.ts'
import { checkTargets, checkTokens } from './contradictions.ts'

const at = (path: readonly (string | number)[]) => `config.yaml:${path.join('.')}`
const classic: TokenConfig = { kind: 'classic', login: 'mona', secret: 'a' }
const blocking = { organization: { blocking_users: 'write' } } as const

describe('token declarations', () => {
  test.each<[why: string, tokens: TokenConfig[], says: RegExp]>([
    [
      'a category that does not exist, with the likely slip',
      [{ kind: 'app-user', permissions: { organization: { blocking_user: 'read' } }, secret: 'a' }],
      /organization\.blocking_user .*did you mean "blocking_users"/,
    ],
    [
      "another owner kind's category",
      [{ kind: 'app-user', permissions: { user: { blocking_users: 'read' } }, secret: 'a' }],
      /unknown permission user\.blocking_users/,
    ],
    [
      'one secret for two sets of permissions',
      [
        { kind: 'app-user', login: 'mona', permissions: blocking, secret: 'a' },
        { kind: 'app-user', login: 'mona', permissions: {}, secret: 'a' },
      ],
      /tokens\.1 has the same secret as tokens\.0/,
    ],
    [
      'one role for two users',
      [
        { ...classic, role: 'owner' },
        { ...classic, role: 'owner', login: 'hubot', secret: 'b' },
      ],
      /one user/,
    ],
    [
      'one user in two roles that checks set against each other',
      [
        { ...classic, role: 'owner' },
        { ...classic, role: 'outsider', login: 'Mona', secret: 'b' },
      ],
      /tokens\.1 \(outsider\) and tokens\.0 \(owner\) have the login Mona/,
    ],
    [
      'a member of the organization as the unrelated user',
      [
        { ...classic, role: 'member' },
        { ...classic, role: 'outsider' },
      ],
      /tokens\.1 \(outsider\) and tokens\.0 \(member\) have the login/,
    ],
    [
      'one secret in two roles that checks set against each other',
      [
        { kind: 'classic', role: 'owner', secret: 'a' },
        { kind: 'classic', role: 'restricted', secret: 'a' },
      ],
      /tokens\.1 \(restricted\) and tokens\.0 \(owner\) have the same secret/,
    ],
  ])('the configuration rejects %s', (_, tokens, says) => {
    expect(() => checkTokens(tokens, at)).toThrow(says)
  })

  test('the configuration accepts consistent tokens, also with empty and feed categories', () => {
    const tokens: TokenConfig[] = [
      { ...classic, role: 'owner', scopes: ['repo'] },
      { ...classic, role: 'org-owner', scopes: ['repo'] },
      { ...classic, role: 'member', secret: 'e' },
      { kind: 'app-user', login: 'mona', account: 'octo-org', permissions: blocking, secret: 'b' },
      { kind: 'fine-grained', login: 'mona', resourceOwner: 'mona', permissions: { user: { events: 'read' } }, secret: 'c' },
      { kind: 'app-installation', account: 'octo-org', permissions: { repository: { metadata: 'read' } }, secret: 'd' },
    ]
    expect(() => checkTokens(tokens, at)).not.toThrow()
  })

  test('the error about a token never quotes a secret', () => {
    const tokens: TokenConfig[] = [
      { ...classic, secret: 'hush' },
      { kind: 'app-user', secret: 'hush' },
    ]
    expect(() => checkTokens(tokens, at)).toThrow(/^(?!.*hush).*$/)
  })
})

describe('permission targets of the configuration', () => {
  const row = { method: 'DELETE', path: '/user/keys/{key_id}' }

  test.each<[why: string, target: object, says: RegExp]>([
    ['without a row', { path: '/user/keys/3' }, /has no row/],
    ['for a row that does not exist', { row: { ...row, path: '/user/key/{key_id}' }, path: '/user/key/3' }, /did you mean/],
    ['with the address of something else', { row, path: '/user/keys' }, /does not match DELETE/],
  ])('a permission target is rejected %s', (_, target, says) => {
    expect(() => checkTargets({ 'permission-target': [target] }, at)).toThrow(says)
  })

  test('permission targets are accepted as single entries and as a list', () => {
    const target = { row, path: '/user/keys/3' }
    expect(() => checkTargets({ 'permission-target': target }, at)).not.toThrow()
    expect(() => checkTargets({ 'permission-target': [target, target] }, at)).not.toThrow()
  })
})

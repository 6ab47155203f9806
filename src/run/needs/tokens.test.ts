import { describe, expect, test } from 'vitest'
import type { Caller } from '../../http/exchange/caller.ts'
import type { Permissions } from '../../spec/needs.ts'
import type { TokenRequest } from '../../suite/needs.ts'
import { narrowest } from './tokens.ts'

const blocking = (access: 'read' | 'write'): Permissions => ({ organization: { blocking_users: access } })

function app(label: string, permissions: Permissions, more: Partial<Caller> = {}): Caller {
  return { label, kind: 'app-user', login: 'mona', permissions, ...more }
}

const bare = app('bare', {})
const reader = app('reader', blocking('read'))
const writer = app('writer', blocking('write'))
const campaigner = app('campaigner', { organization: { campaigns: 'write' } })
const administrator = app('administrator', { organization: { administration: 'write' } })
const everyone = [administrator, campaigner, writer, reader, bare]

describe('the token that is chosen', () => {
  test.each<[why: string, request: Omit<TokenRequest, 'kind'>, label: string | undefined]>([
    ['has the wanted permission and as little else as possible', { permissions: blocking('read') }, 'reader'],
    ['has write where write is wanted', { permissions: blocking('write') }, 'writer'],
    ['lacks write where it must', { permissions: blocking('read'), lacks: blocking('write') }, 'reader'],
    ['lacks read, and so write', { permissions: {}, lacks: blocking('read') }, 'bare'],
    [
      'is the broadest that lacks it, without categories that may grant anything',
      { permissions: {}, lacks: blocking('read'), listedOnly: true, broadest: true },
      'campaigner',
    ],
    ['is absent where no token has it', { permissions: { user: { followers: 'read' } } }, undefined],
  ])('the chosen token %s', (_, request, label) => {
    expect(narrowest(everyone, { kind: 'app-user', ...request }, undefined)?.label).toBe(label)
  })

  test('a chosen token may have Metadata, which real tokens always have', () => {
    const metadata = app('metadata', { repository: { metadata: 'read' } })
    expect(narrowest([metadata], { kind: 'app-user', permissions: {}, listedOnly: true }, undefined)).toBe(metadata)
  })

  test.each<[kind: Caller['kind'], of: Partial<Caller>, account: string, fits: boolean]>([
    ['app-installation', { account: 'Octo-Org' }, 'octo-org', true],
    ['app-installation', {}, 'octo-org', false],
    ['app-user', {}, 'octo-org', true],
    ['app-user', { account: 'other-org' }, 'octo-org', false],
    ['fine-grained', { resourceOwner: 'octo-org' }, 'octo-org', true],
    ['fine-grained', { login: 'mona' }, 'mona', true],
    ['fine-grained', { login: 'mona' }, 'octo-org', false],
  ])('a token of kind %s on %o reaches %s: %s', (kind, of, account, fits) => {
    const caller: Caller = { label: 'x', kind: kind as 'app-user', permissions: {}, ...of }
    expect(narrowest([caller], { kind: kind as 'app-user', permissions: {}, account }, undefined) !== undefined).toBe(fits)
  })
})

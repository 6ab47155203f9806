import { describe, expect, test } from 'vitest'
import type { CheckRecord, MissingToken } from '../../record/check-record.ts'
import type { Permissions } from '../../spec/needs.ts'
import { adviseToken, renderAdvice } from './token-advice.ts'

function untested(endpoint: string, ...missingTokens: MissingToken[]): CheckRecord {
  const rest = { title: '', area: 'permissions', section: '', level: 'must', subjects: 0, detail: '', durationMs: 0 } as const
  return {
    ...rest,
    id: endpoint,
    endpoint,
    requirements: [],
    outcome: 'untested',
    missing: ['token'],
    exchanges: [],
    missingTokens,
  }
}

const blocking = (access: 'read' | 'write'): Permissions => ({ organization: { blocking_users: access } })
const appUser = { kind: 'app-user', reach: 'mona' } as const
const fineGrained = { kind: 'fine-grained', reach: 'octo-org' } as const

describe('The token advice', () => {
  test('the advice names the single token that serves several endpoints', () => {
    const checks = [
      untested('PUT /blocks', { ...appUser, permissions: blocking('write') }),
      untested('DELETE /blocks', { ...appUser, permissions: blocking('write') }),
      untested('GET /emails', { ...fineGrained, permissions: {}, lacks: { user: { email_addresses: 'read' } } }),
    ]
    expect(adviseToken(checks)).toMatchObject({ ...appUser, endpoints: 2, checks: 2 })
    expect(renderAdvice(checks)).toEqual([expect.stringContaining('kind app-user, login mona')])
  })

  test('the advice proposes no permission that a check requires to be absent', () => {
    const checks = [
      untested('GET /keys', { ...fineGrained, permissions: {}, lacks: { user: { git_ssh_keys: 'read' } } }),
      untested('GET /blocks', { ...fineGrained, permissions: {}, lacks: blocking('read') }),
    ]
    expect(adviseToken(checks)).toMatchObject({ ...fineGrained, permissions: {}, endpoints: 2 })
  })

  test('the advice is omitted when no token is missing', () => {
    expect(renderAdvice([untested('GET /keys')])).toEqual([])
    expect(renderAdvice([{ ...untested('GET /keys', appUser), outcome: 'passed' }])).toEqual([])
  })
})

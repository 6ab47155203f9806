import { describe, expect, test } from 'vitest'
import type { CheckRecord } from '../../record/record.ts'
import { renderHeatMap } from '../../report/terminal/heat-map.ts'
import { adviseToken, renderAdvice } from '../../report/terminal/token-advice.ts'
import type { Outcome } from '../../suite/outcome.ts'
import { permissionCells } from './permission-cells.ts'

function record(id: string, outcome: Outcome, missing: string[] = []): CheckRecord {
  const rest = { title: '', area: 'permissions', section: '', level: 'must', requirements: [], subjects: 1, detail: '' } as const
  return {
    ...rest,
    requirements: [],
    id,
    outcome,
    missing,
    endpoint: 'PUT /orgs/{org}/blocks/{username}',
    durationMs: 0,
    exchanges: [],
  }
}

describe('the heat map', () => {
  test.each<[id: string, outcome: Outcome, cell: string]>([
    ['permissions.put-orgs-blocks-username.app-user-granted', 'passed', 'granted'],
    ['permissions.put-orgs-blocks-username.app-user-granted', 'failed', 'too-restrictive'],
    ['permissions.put-orgs-blocks-username.app-user-denied', 'passed', 'refused'],
    ['permissions.put-orgs-blocks-username.app-user-denied', 'waived', 'too-permissive'],
    ['permissions.put-orgs-assistant-content-exclusion.fine-grained-refused', 'warned', 'too-permissive'],
    ['permissions.put-orgs-blocks-username.app-user-read-only', 'untested', 'undecided'],
    ['permissions.put-orgs-blocks-username.app-user-read-only', 'errored', 'undecided'],
    ['events.user-organization.app-user', 'failed', 'too-restrictive'],
    ['events.user-organization.app-installation', 'failed', 'too-permissive'],
    ['events.repository.metadata-missing-fine-grained', 'passed', 'refused'],
    ['events.public.bare-app-installation', 'passed', 'granted'],
    ['notifications.inbox.fine-grained', 'passed', 'refused'],
    ['migrations.start.app-user', 'failed', 'too-permissive'],
  ])('takes %s %s as %s', (id, outcome, cell) => {
    expect(permissionCells([record(id, outcome)])).toMatchObject([{ cell }])
  })

  test('leaves out what is about no token kind, and what does not apply', () => {
    const about = ['permissions.put-orgs-blocks-username.anonymous', 'events.public.status', 'notifications.inbox.scope-repo']
    expect(permissionCells(about.map((id) => record(id, 'passed')))).toEqual([])
    expect(permissionCells([record('notifications.inbox.fine-grained', 'inapplicable')])).toEqual([])
  })

  test('shows the worst of a category with its share of the rows', () => {
    const lines = renderHeatMap(
      '2026-03-10',
      permissionCells([
        record('permissions.put-orgs-blocks-username.app-user-granted', 'failed'),
        record('permissions.delete-orgs-blocks-username.app-user-granted', 'passed'),
        record('permissions.put-orgs-blocks-username.app-user-denied', 'passed'),
      ]),
    )
    expect(lines.at(-1)).toMatch(/^organization: Blocking users {2}⊘1 +▼1 ✓1$/)
    expect(renderHeatMap('2026-03-10', [])).toEqual([])
  })
})

describe('the advice', () => {
  test('names the narrow token that the untested checks want', () => {
    const checks = [
      record('permissions.put-orgs-blocks-username.app-user-granted', 'untested', ['token']),
      record('permissions.delete-orgs-blocks-username.app-user-granted', 'untested', ['token']),
    ]
    const advice = adviseToken(checks)
    expect(advice).toMatchObject({ kind: 'app-user', rows: 2, checks: 2 })
    expect(renderAdvice(checks)).toHaveLength(1)
  })

  test('prefers the token that unlocks more rows', () => {
    const checks = [
      record('permissions.put-orgs-blocks-username.app-user-granted', 'untested', ['token']),
      record('permissions.get-user-emails.fine-grained-denied', 'untested', ['token']),
      record('permissions.get-user-keys.fine-grained-denied', 'untested', ['token']),
    ]
    expect(adviseToken(checks)).toMatchObject({ kind: 'fine-grained', reach: 'user', permissions: {}, rows: 2 })
  })

  test('is silent where no token is wanting', () => {
    expect(renderAdvice([record('permissions.get-user-keys.fine-grained-denied', 'untested', ['permission-target'])])).toEqual([])
    expect(renderAdvice([record('permissions.get-user-keys.fine-grained-denied', 'passed')])).toEqual([])
  })
})

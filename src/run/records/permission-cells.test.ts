import { describe, expect, test } from 'vitest'
import { suites } from '../../../suites/index.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { Outcome } from '../../record/outcome.ts'
import { renderHeatMap } from '../../report/terminal/heat-map.ts'
import { allChecks } from '../selection/selection.ts'
import { permissionCells } from './permission-cells.ts'

const known = new Map(allChecks(suites).map(({ check }) => [check.id, check]))

function record(id: string, outcome: Outcome): CheckRecord {
  const matrix = known.get(id)?.matrix
  const rest = { title: '', area: 'permissions', section: '', level: 'must', requirements: [], subjects: 1, detail: '' } as const
  return {
    ...rest,
    requirements: [],
    id,
    outcome,
    missing: [],
    endpoint: 'PUT /orgs/{org}/blocks/{username}',
    durationMs: 0,
    exchanges: [],
    ...(matrix ? { matrix } : {}),
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
  ])('the check %s with the outcome %s is shown as %s', (id, outcome, cell) => {
    expect(permissionCells([record(id, outcome)])).toMatchObject([{ cell }])
  })

  test('the heat map omits checks without a token kind and inapplicable checks', () => {
    const about = ['permissions.put-orgs-blocks-username.anonymous', 'events.public.status', 'notifications.inbox.scope-repo']
    expect(permissionCells(about.map((id) => record(id, 'passed')))).toEqual([])
    expect(permissionCells([record('notifications.inbox.fine-grained', 'inapplicable')])).toEqual([])
  })

  test('the heat map shows the worst result of a category with its share of the rows', () => {
    const lines = renderHeatMap(
      '2026-03-10',
      permissionCells([
        record('permissions.put-orgs-blocks-username.app-user-granted', 'failed'),
        record('permissions.delete-orgs-blocks-username.app-user-granted', 'passed'),
        record('permissions.put-orgs-blocks-username.app-user-denied', 'passed'),
      ]),
      80,
    )
    expect(lines.at(-1)).toMatch(/^organization: Blocking users {2}⊘1 +▼1 ✓1$/)
    expect(renderHeatMap('2026-03-10', [], 80)).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import { suites } from '../../../suites/index.ts'
import type { Outcome } from '../../record/reason.ts'
import { allChecks } from '../selection/selection.ts'
import { permissionCells } from './build-report.ts'

const known = new Map(allChecks(suites).map(({ check }) => [check.id, check]))

/** The cells of a record of one check. */
function cells(id: string, outcome: Outcome) {
  const check = known.get(id)
  return permissionCells(check ? [check] : [], [{ id, outcome, endpoint: 'PUT /orgs/{org}/blocks/{username}' }])
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
    expect(cells(id, outcome)).toMatchObject([{ cell }])
  })

  test('the heat map omits checks without a token kind and inapplicable checks', () => {
    const about = ['permissions.put-orgs-blocks-username.anonymous', 'events.public.status', 'notifications.inbox.scope-repo']
    expect(about.flatMap((id) => cells(id, 'passed'))).toEqual([])
    expect(cells('notifications.inbox.fine-grained', 'inapplicable')).toEqual([])
  })
})

import type { CheckRecord } from '../../src/record/check-record.ts'
import type { Difference } from '../../src/record/run-record.ts'

/** A difference that no reading of the same answer shows: both of its checks passed, each in its version. */
interface Derived {
  readonly change: number
  readonly endpoint: string
  readonly at: string
  readonly kind: Difference['kind']
  readonly older: string
  readonly newer: string
  /** The check under the older version, and the one under the newer version or across both. */
  readonly checks: readonly [older: string, newer: string]
}

const blocked = (change: number, before: string, endpoint: string, operation: string): Derived => ({
  ...{ change, endpoint, at: 'status', kind: 'status', older: before, newer: '451' },
  checks: [`versioning.${operation}.blocked-${before}`, `versioning.${operation}.blocked-451`],
})

const request = (change: number, endpoint: string, operation: string, name: string, checks: string): Derived => ({
  ...{ change, endpoint, at: `request, ${name}`, kind: 'request', older: 'accepted', newer: 'without effect' },
  checks: [`versioning.${operation}.${checks}-accepted`, `versioning.${operation}.${checks}-not-honoured`],
})

const bundle = (endpoint: string, operation: string): Derived => ({
  ...{ change: 21, endpoint, at: '/*/bundle', kind: 'removed', older: 'object', newer: '' },
  checks: [`versioning.${operation}.kept-bundle`, `versioning.${operation}.removed-bundle`],
})

const dispatches = 'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches'
const link = 'secret_scanning_push_protection_custom_link_enabled'

const derived: readonly Derived[] = [
  request(2, 'POST /orgs/{org}/teams', 'create-team', 'permission', 'permission'),
  {
    ...{ change: 6, endpoint: '/hub', at: 'status', kind: 'status', older: 'served', newer: 'gone' },
    checks: ['versioning.hub.kept', 'versioning.hub.removed'],
  },
  {
    ...{
      change: 9,
      endpoint: 'DELETE /app/installations/{installation_id}',
      at: 'status',
      kind: 'status',
      older: '204',
      newer: '202',
    },
    checks: ['versioning.delete-installation.no-content', 'versioning.delete-installation.accepted'],
  },
  request(10, 'PATCH /orgs/{org}', 'update-organization', link, 'link'),
  blocked(13, '422', 'POST /orgs/{org}/repos', 'create-organization-repository'),
  blocked(13, '422', 'POST /user/repos', 'create-user-repository'),
  blocked(14, '403', 'DELETE /orgs/{org}', 'delete-organization'),
  blocked(14, '403', 'DELETE /orgs/{org}/members/{username}', 'remove-member'),
  blocked(14, '403', 'PUT /orgs/{org}/memberships/{username}', 'set-membership'),
  blocked(14, '403', 'PATCH /user/repository_invitations/{invitation_id}', 'accept-invitation'),
  {
    ...{ change: 18, endpoint: dispatches, at: 'status', kind: 'status', older: '204', newer: '200' },
    checks: ['versioning.dispatch-workflow.no-content', 'versioning.dispatch-workflow.run-details'],
  },
  request(18, dispatches, 'dispatch-workflow', 'return_run_details', 'parameter'),
  request(19, 'PATCH (version-request of change 19)', 'issues', 'assignee', 'assignee'),
  {
    ...{ change: 20, endpoint: 'PUT /orgs/{org}/depbot/secrets/{secret_name}', at: 'request, selected_repository_ids' },
    ...{ kind: 'request', older: 'integers', newer: 'integers, never strings' },
    checks: ['versioning.set-organization-secret.integers-accepted', 'versioning.set-organization-secret.strings-refused'],
  },
  bundle('POST /orgs/{org}/attestations/bulk-list', 'list-organization-attestations'),
  bundle('POST /users/{username}/attestations/bulk-list', 'list-user-attestations'),
]

/** The listed differences in statuses and requests that the checks of both versions saw. */
export function derivedDifferences(older: readonly CheckRecord[], newer: readonly CheckRecord[]): Difference[] {
  const passed = (checks: readonly CheckRecord[], id: string) =>
    checks.some((check) => check.id === id && check.outcome === 'passed')
  return derived
    .filter(({ checks: [before, after] }) => passed(older, before) && passed(newer, after))
    .map(({ checks: _, ...difference }) => ({ ...difference, documented: true }))
}

import type { CheckRecord, MatrixCell } from '../../record/check-record.ts'
import type { PermissionCell } from '../../record/version-report.ts'

/** The heat map of one version: a cell for each applicable check that is about a token kind, whichever area it belongs to. */
export function permissionCells(checks: readonly CheckRecord[]): PermissionCell[] {
  return checks.flatMap(({ matrix, endpoint, outcome }) => {
    if (!matrix || outcome === 'inapplicable') return []
    const { owner, category, kind, access, expects } = matrix
    return [{ owner, category, row: endpoint, tokenKind: kind, access, cell: cellOf(expects, outcome) }]
  })
}

function cellOf(expects: MatrixCell['expects'], outcome: CheckRecord['outcome']): PermissionCell['cell'] {
  if (outcome === 'passed') return expects
  if (outcome === 'failed' || outcome === 'warned' || outcome === 'waived') {
    return expects === 'granted' ? 'too-restrictive' : 'too-permissive'
  }
  return 'undecided'
}

import type { CheckRecord, MatrixCell } from '../../record/check-record.ts'
import type { PermissionCell } from '../../record/version-report.ts'
import type { Check } from '../../suite/check.ts'

/** The heat map of one version: a cell for each applicable check that judges a token kind, in any area. */
export function permissionCells(
  checks: readonly Pick<Check, 'id' | 'matrix'>[],
  records: readonly Pick<CheckRecord, 'id' | 'endpoint' | 'outcome'>[],
): PermissionCell[] {
  const places = new Map(checks.map(({ id, matrix }) => [id, matrix]))
  return records.flatMap(({ id, endpoint, outcome }) => {
    const matrix = places.get(id)
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

import type { MatrixCell } from '../../src/record/check-record.ts'
import type { Endpoint } from '../../src/spec/endpoints.ts'
import type { MatrixKind } from '../../src/spec/needs.ts'
import type { PermissionRow } from '../../src/spec/permissions/permissions.ts'
import { operation } from '../../src/suite/check.ts'
import { aspectsOf, type RowAspect } from './row-aspects.ts'
import { ownerNeeds, Row } from './row-callers.ts'
import { expectRowGranted, expectRowNamed, expectRowRefused } from './verdicts.ts'

/** The verdict of each claim, where that is no rejection. */
const verdicts: Readonly<Partial<Record<RowAspect['expects'], typeof expectRowRefused>>> = {
  granted: expectRowGranted,
  header: expectRowNamed,
}

/** The checks of one row of the permission matrix: one for each token kind and aspect. */
export function rowChecks(row: PermissionRow, endpoint: Endpoint) {
  const { access, category } = row
  const permission = operation({
    id: `permissions.${row.id}`,
    endpoint,
    needs: ownerNeeds,
    level: 'must',
    // The rows of a category may be about the same objects, or list them.
    touches: [
      {
        what: `objects/${category.owner}/${category.slug}`,
        how: access === 'write' ? 'changes' : 'keeps',
      },
    ],
    ...(access === 'write' ? { writes: true, schedule: 'alone' } : {}),
  })
  return aspectsOf(row).map((aspect) => {
    const { requirement, level, expects, kind } = aspect
    const judge = verdicts[expects] ?? expectRowRefused
    return permission.check(
      aspect.aspect,
      aspect.title,
      {
        requirement,
        level,
        asks: kind ? ['permission-target', 'token'] : ['permission-target'],
        // A refused write with an effect is sent again before it counts.
        ...(judge === expectRowRefused && access === 'read' ? { conclusive: true } : {}),
        ...(kind ? { matrix: cellOf(row, kind, expects) } : {}),
      },
      (t, owners) => judge(t, new Row(row, owners), aspect),
    )
  })
}

function cellOf(
  { category, access }: PermissionRow,
  kind: MatrixKind,
  expects: RowAspect['expects'],
): MatrixCell {
  const held = expects === 'denied' ? 'none' : expects === 'read-only' ? 'read' : access
  const { owner, title } = category
  return {
    owner,
    category: title,
    kind,
    access: held,
    expects: expects === 'granted' ? 'granted' : 'refused',
  }
}

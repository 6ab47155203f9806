import { anonymous } from '../../src/http/caller.ts'
import type { MatrixCell } from '../../src/record/check-record.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Touch } from '../../src/suite/touch.ts'
import { inventedToken } from '../common/access.ts'
import { aspectsOf, type RowAspect } from './row-aspects.ts'
import { type MatrixKind, type Owners, ownerNeeds, Row } from './row-callers.ts'
import { denied, granted, namesPermissions } from './verdicts.ts'

/** How each kind of aspect is judged: with which tokens, and what they must get. */
const judgements: Readonly<Record<RowAspect['expects'], (t: CheckContext, row: Row, kind: MatrixKind) => Promise<void>>> = {
  granted: async (t, row, kind) => granted(t, await row.caller(t, kind, 'granted'), await row.contrast(t, kind)),
  denied: async (t, row, kind) => denied(t, await row.callers(t, kind, 'nothing', 'others'), 'a token without the permission'),
  'read-only': async (t, row, kind) => denied(t, await row.callers(t, kind, 'read-only'), 'a token that may only read'),
  refused: async (t, row, kind) => denied(t, await row.callers(t, kind, 'listed', 'any'), 'a token of this kind'),
  anonymous: async (t, row) => denied(t, await row.as(t, anonymous), 'a caller without a token'),
  'invalid-token': async (t, row) => denied(t, await row.as(t, inventedToken), 'a token that was never issued'),
  header: async (t, row) => namesPermissions(t, await row.everyCaller(t)),
}

/** The verdicts on callers who must get nothing. */
const mustBeRefused: readonly RowAspect['expects'][] = ['denied', 'read-only', 'refused', 'anonymous', 'invalid-token']

/** The checks of one row of the permission matrix: one for each token kind and aspect. */
export function rowChecks(row: PermissionRow): Check[] {
  return aspectsOf(row).map(({ id, expects, kind, held, level, title, requirement }) =>
    check({
      id,
      requirement,
      level,
      title,
      ...(mustBeRefused.includes(expects) ? { conclusive: true } : {}),
      needs: ownerNeeds,
      ...(kind ? { matrix: cellOf(row, kind, held, expects) } : {}),
      asks: kind ? ['permission-target', 'token'] : ['permission-target'],
      ...(row.access === 'write' ? { writes: true, schedule: 'alone' as const } : {}),
      touches: [objectsOf(row)],
      run: (t, owners: Owners) => judgements[expects](t, new Row(row, owners), kind ?? 'app-user'),
    }),
  )
}

/** The rows of a category may be about the same objects, or list them. */
function objectsOf({ access, category }: PermissionRow): Touch {
  return { what: `objects/${category.owner}/${category.slug}`, how: access === 'write' ? 'changes' : 'keeps' }
}

function cellOf(
  { category }: PermissionRow,
  kind: MatrixKind,
  access: RowAspect['held'],
  expects: RowAspect['expects'],
): MatrixCell {
  const { owner, title } = category
  return { owner, category: title, kind, access, expects: expects === 'granted' ? 'granted' : 'refused' }
}

import type { MatrixCell } from '../../src/record/check-record.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import type { Touch } from '../../src/suite/touch.ts'
import { namesPermissions, namesPermissionsInBoth, namesPermissionsInPublic } from './header-verdicts.ts'
import { aspectsOf, isPublicList, mustBeRejected, type RowAspect } from './row-aspects.ts'
import { type Owners, ownerNeeds, Row } from './row-callers.ts'
import type { MatrixKind } from './row-tokens.ts'
import { denied, granted } from './verdicts.ts'

/** Who must be rejected, by the aspect that is about them. */
const whom: Readonly<Partial<Record<RowAspect['expects'], string>>> = {
  denied: 'a token without the permission',
  'read-only': 'a token that may only read',
  refused: 'a token of this kind',
  anonymous: 'a caller without a token',
  'invalid-token': 'a token that was never issued',
}

/** Judges an aspect: with which tokens, and what they must get. */
async function judgeAspect(t: CheckContext, row: Row, { expects, kind }: RowAspect): Promise<void> {
  if (expects === 'header' && isPublicList(row.row)) return namesPermissionsInPublic(t, await row.everyCaller(t, 'granted'))
  if (expects === 'header') return namesPermissions(t, await row.everyCaller(t, 'granted', 'nothing'))
  if (expects === 'header-both') return namesPermissionsInBoth(t, await row.everyCaller(t, 'granted', 'nothing'))
  if (mustBeRejected.includes(expects))
    return denied(t, await row.rejected(t, { expects, ...(kind ? { kind } : {}) }), whom[expects] ?? '')
  const of = kind ?? 'app-user'
  if (expects === 'write-reads') return granted(t, await row.caller(t, of, 'write'))
  return granted(t, await row.caller(t, of, 'granted'), await row.contrast(t, of))
}

/** The checks of one row of the permission matrix: one for each token kind and aspect. */
export function rowChecks(row: PermissionRow): Check[] {
  return aspectsOf(row).map((aspect) => {
    const { id, expects, kind, held, level, title, requirement } = aspect
    return check({
      id,
      requirement,
      level,
      title,
      ...(mustBeRejected.includes(expects) ? { conclusive: true } : {}),
      needs: ownerNeeds,
      ...(kind && expects !== 'write-reads' ? { matrix: cellOf(row, kind, held, expects) } : {}),
      asks: kind ? ['permission-target', 'token'] : ['permission-target'],
      ...(row.access === 'write' ? { writes: true, schedule: 'alone' as const } : {}),
      touches: [objectsOf(row)],
      run: (t, owners: Owners) => judgeAspect(t, new Row(row, owners), aspect),
    })
  })
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

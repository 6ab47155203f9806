import type { MatrixCell } from '../../src/record/check-record.ts'
import type { Endpoint } from '../../src/spec/endpoint.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import { type Check, operation } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { unlessUntested } from '../common/proof.ts'
import { expectPermissionsNamed, expectPermissionsNamedInBoth, expectPermissionsNamedInPublic } from './header-verdicts.ts'
import { aspectsOf, isPublicList, mustBeRejected, type RowAspect } from './row-aspects.ts'
import { ownerNeeds, Row } from './row-callers.ts'
import { expectDenied, expectGranted } from './verdicts.ts'

/** The callers who must be rejected, by the aspect. */
const rejectedCallers: Readonly<Partial<Record<RowAspect['expects'], string>>> = {
  denied: 'a token without the permission',
  'read-only': 'a token that may only read',
  refused: 'a token of this kind',
  anonymous: 'a caller without a token',
  'invalid-token': 'a token that was never issued',
}

/** The checks of one row of the permission matrix: one for each token kind and aspect. */
export function rowChecks(row: PermissionRow, endpoint: Endpoint): Check[] {
  const { access, category } = row
  const permission = operation({
    id: `permissions.${row.id}`,
    endpoint,
    needs: ownerNeeds,
    level: 'must',
    // The rows of a category may be about the same objects, or list them.
    touches: [{ what: `objects/${category.owner}/${category.slug}`, how: access === 'write' ? 'changes' : 'keeps' }],
    ...(access === 'write' ? { writes: true, schedule: 'alone' } : {}),
  })
  return aspectsOf(row).map((aspect) => {
    const { requirement, level, expects, kind } = aspect
    const own = {
      requirement,
      level,
      asks: kind ? (['permission-target', 'token'] as const) : (['permission-target'] as const),
      ...(mustBeRejected.includes(expects) ? ({ conclusive: true } as const) : {}),
      ...(kind && expects !== 'write-reads' ? { matrix: cellOf(row, { ...aspect, kind }) } : {}),
    }
    return permission.check(aspect.aspect, aspect.title, own, (t, owners) => judgeAspect(t, new Row(row, owners), aspect))
  })
}

/** Judges an aspect with the callers that it concerns. */
async function judgeAspect(t: CheckContext, row: Row, aspect: RowAspect): Promise<void> {
  const { expects, kind } = aspect
  const callers = await row.callersOf(t, aspect)
  const [first] = callers
  const rejectedCaller = rejectedCallers[expects]
  if (rejectedCaller) return expectDenied(t, callers, rejectedCaller)
  if (expects === 'header-both') return expectPermissionsNamedInBoth(t, callers)
  if (expects === 'header') return (isPublicList(row.row) ? expectPermissionsNamedInPublic : expectPermissionsNamed)(t, callers)
  const denied = expects === 'granted' && aspectsOf(row.row).find((other) => other.expects === 'denied' && other.kind === kind)
  if (first)
    await expectGranted(t, first, async () => (denied ? (await unlessUntested(row.callersOf(t, denied)))?.[0] : undefined))
}

function cellOf({ category }: PermissionRow, { kind, held, expects }: RowAspect & Pick<MatrixCell, 'kind'>): MatrixCell {
  const { owner, title } = category
  return { owner, category: title, kind, access: held, expects: expects === 'granted' ? 'granted' : 'refused' }
}

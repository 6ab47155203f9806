import { aspectsById, type RowAspect, type RowAspectOf } from '../../../suites/permissions/row-aspects.ts'
import type { MatrixKind } from '../../../suites/permissions/row-callers.ts'
import { type Holding, isShared, tokenRequest } from '../../../suites/permissions/row-tokens.ts'
import type { Caller } from '../../http/caller.ts'
import type { CheckRecord } from '../../record/record.ts'
import { narrowest } from '../../run/needs/tokens.ts'
import type { Access, OwnerKind, Permissions } from '../../spec/needs.ts'
import { permissionCategories } from '../../spec/permissions.ts'

/** The token that would let most untested checks be judged. */
export interface TokenAdvice {
  readonly kind: MatrixKind
  /** Whose resources it must reach. */
  readonly reach: 'organization' | 'user'
  readonly permissions: Permissions
  /** In words, where there are many. */
  readonly held: string
  readonly checks: number
  readonly rows: number
}

/** The single token that, added to the configuration, would unlock most rows; undefined where no check wants one. */
export function adviseToken(checks: readonly CheckRecord[]): TokenAdvice | undefined {
  const wanting = checks
    .filter(({ outcome, missing }) => outcome === 'untested' && missing.includes('token'))
    .flatMap(({ id }) => aspectsById.get(id) ?? [])
  const rated = candidates().map((candidate) => {
    const unlocked = wanting.filter((of) => unlocks(candidate, of))
    const rows = new Set(unlocked.map(({ row }) => row.id)).size
    return { ...candidate, checks: unlocked.length, rows }
  })
  const [best] = rated.sort((a, b) => b.rows - a.rows || b.checks - a.checks)
  return best && best.checks > 0 ? best : undefined
}

/** The advice as a sentence for the end of a run; nothing where there is none. */
export function renderAdvice(checks: readonly CheckRecord[]): string[] {
  const advice = adviseToken(checks)
  if (!advice) return []
  const { kind, reach, held, rows, checks: unlocked } = advice
  const whose = { 'app-user': 'login', 'app-installation': 'account', 'fine-grained': 'login and resourceOwner' }[kind]
  const on = reach === 'organization' ? "the organisation's owner" : 'the owner'
  return [
    `one more token would unlock most: kind ${kind}, ${whose} of ${on}, holding ${held} (${unlocked} checks on ${rows} rows); add it to tokens`,
  ]
}

/** Which tokens serve a check of an aspect. */
const holdings: Readonly<Record<RowAspect['expects'], readonly Holding[]>> = {
  granted: ['granted'],
  denied: ['nothing'],
  'read-only': ['read-only'],
  refused: ['listed', 'any'],
  anonymous: [],
  'invalid-token': [],
  header: ['granted', 'nothing'],
}

function unlocks(candidate: Candidate, { row, aspect }: RowAspectOf): boolean {
  const kinds = aspect.kind ? [aspect.kind] : row.kinds
  if (!kinds.includes(candidate.kind)) return false
  if (candidate.kind !== 'app-user' && aspect.expects !== 'refused' && isShared(row) !== (candidate.reach === 'organization'))
    return false
  const caller: Caller = { label: 'candidate', kind: candidate.kind, login: 'x', permissions: candidate.permissions }
  return holdings[aspect.expects].some((holding) => {
    const { of: _, ...request } = tokenRequest(row, candidate.kind, 'owner', undefined, holding)
    return narrowest([caller], request, undefined) !== undefined
  })
}

type Candidate = Omit<TokenAdvice, 'checks' | 'rows'>

/** Tokens that a person could make: without permissions, with one, or with all of them at one level. */
function candidates(): Candidate[] {
  const sets: Pick<Candidate, 'permissions' | 'held'>[] = [
    { permissions: {}, held: 'no permission at all' },
    ...(['read', 'write'] as const).map((access) => ({ permissions: all(access), held: `every listed permission at ${access}` })),
    ...permissionCategories.flatMap(({ owner, slug }) =>
      (['read', 'write'] as const).map((access) => ({
        permissions: { [owner]: { [slug]: access } },
        held: `${owner}.${slug}: ${access}`,
      })),
    ),
  ]
  const kinds: readonly MatrixKind[] = ['app-user', 'app-installation', 'fine-grained']
  return kinds.flatMap((kind) =>
    (kind === 'app-user' ? (['user'] as const) : (['organization', 'user'] as const)).flatMap((reach) =>
      sets.map((set) => ({ kind, reach, ...set })),
    ),
  )
}

function all(access: Access): Permissions {
  const of = (kind: OwnerKind) =>
    Object.fromEntries(permissionCategories.filter(({ owner }) => owner === kind).map(({ slug }) => [slug, access]))
  return { organization: of('organization'), repository: of('repository'), user: of('user') }
}

import { aspectsById, type RowAspectOf } from '../../../suites/permissions/row-aspects.ts'
import type { CheckRecord, PermissionCell } from '../../record/record.ts'
import type { Access } from '../../spec/needs.ts'

/** What a check says about one cell of the heat map: which token on which row, and what it must get. */
interface CellClaim extends Omit<PermissionCell, 'cell'> {
  readonly expects: 'granted' | 'refused'
}

/** The heat map of one version: a cell for each check that is about a token kind, whichever area it belongs to. */
export function permissionCells(checks: readonly CheckRecord[]): PermissionCell[] {
  return checks.flatMap((check) => {
    const claim = claimOf(check)
    if (!claim || check.outcome === 'inapplicable') return []
    const { expects, ...where } = claim
    return [{ ...where, cell: cellOf(expects, check.outcome) }]
  })
}

function cellOf(expects: CellClaim['expects'], outcome: CheckRecord['outcome']): PermissionCell['cell'] {
  if (outcome === 'passed') return expects
  if (outcome === 'failed' || outcome === 'warned' || outcome === 'waived') {
    return expects === 'granted' ? 'too-restrictive' : 'too-permissive'
  }
  return 'undecided'
}

function claimOf({ id, endpoint }: CheckRecord): CellClaim | undefined {
  const known = aspectsById.get(id)
  return known ? matrixClaim(known, endpoint) : claimElsewhere(id, endpoint)
}

function matrixClaim({ row, aspect }: RowAspectOf, endpoint: string): CellClaim | undefined {
  const { kind, held, expects } = aspect
  if (!kind) return undefined
  const { owner, title } = row.category
  const must = expects === 'granted' ? 'granted' : 'refused'
  return { owner, category: title, row: endpoint, tokenKind: kind, access: held, expects: must }
}

function claimElsewhere(id: string, endpoint: string): CellClaim | undefined {
  const [area = '', ...rest] = id.split('.')
  for (const { area: of, form, ...where } of elsewhere) {
    const kind = area === of ? form.exec(rest.join('.'))?.[1] : undefined
    if (kind) return { ...where, row: endpoint, tokenKind: kind }
  }
  return undefined
}

/** A family of checks of another area that belong to the picture; the form's group is the token kind. */
interface Elsewhere {
  readonly area: string
  /** Of the check's id without its area. */
  readonly form: RegExp
  readonly owner: string
  readonly category: string
  readonly access: Access | 'none'
  readonly expects: CellClaim['expects']
}

const feeds = { area: 'events', owner: 'feeds' } as const
const kinds = '(app-user|app-installation|fine-grained)'
const dashboard = { ...feeds, owner: 'organization', category: 'Events' } as const

/** Feeds by the feed table, notifications and migrations by rules 5 and 6 (document: Authentication). */
const elsewhere: readonly Elsewhere[] = [
  { ...feeds, form: new RegExp(`^[^.]+\\.bare-${kinds}$`), category: 'no permission', access: 'none', expects: 'granted' },
  {
    ...feeds,
    form: new RegExp(`\\.metadata-${kinds}$`),
    owner: 'repository',
    category: 'Metadata',
    access: 'read',
    expects: 'granted',
  },
  {
    ...feeds,
    form: new RegExp(`\\.metadata-missing-${kinds}$`),
    owner: 'repository',
    category: 'Metadata',
    access: 'none',
    expects: 'refused',
  },
  { ...dashboard, form: /^user-organization\.(app-user|fine-grained)$/, access: 'read', expects: 'granted' },
  { ...dashboard, form: /^user-organization\.(app-user|fine-grained)-bare$/, access: 'none', expects: 'refused' },
  { ...dashboard, form: /^user-organization\.(app-installation)$/, access: 'read', expects: 'refused' },
  ...(['notifications', 'migrations'] as const).map(
    (area): Elsewhere => ({
      area,
      form: new RegExp(`^[^.]+\\.${kinds}$`),
      owner: area,
      category: 'classic tokens only',
      access: 'none',
      expects: 'refused',
    }),
  ),
]

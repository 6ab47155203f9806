import type { Level } from '../../src/spec/level.ts'
import type { Access } from '../../src/spec/needs.ts'
import { type PermissionRow, permissionRows } from '../../src/spec/permissions.ts'
import { type Holding, type MatrixKind, matrixKinds } from './row-tokens.ts'

/** One claim of a row about one token kind, or about callers without a valid token. */
export interface RowAspect {
  /** The check's id: `permissions.put-orgs-blocks-username.app-user-granted`. */
  readonly id: string
  /** The end of the id. */
  readonly aspect: string
  readonly expects:
    | 'granted'
    | 'denied'
    | 'read-only'
    | 'write-reads'
    | 'refused'
    | 'anonymous'
    | 'invalid-token'
    | 'header'
    | 'header-both'
  readonly kind?: MatrixKind
  /** The permissions of the tokens that are tried; empty for callers without a valid token. */
  readonly holdings: readonly Holding[]
  /** The level of the row's category that the token has. */
  readonly held: Access | 'none'
  readonly level: Level
  readonly title: string
  readonly requirement: string
}

/** The permissions of the tokens that are tried. */
const holdings: Readonly<Record<RowAspect['expects'], readonly Holding[]>> = {
  granted: ['granted'],
  'write-reads': ['write'],
  denied: ['nothing', 'others'],
  'read-only': ['read-only'],
  refused: ['listed', 'any'],
  anonymous: [],
  'invalid-token': [],
  header: ['granted', 'nothing'],
  'header-both': ['granted', 'nothing'],
}

/** The aspects of callers who must be rejected. */
export const mustBeRejected: readonly RowAspect['expects'][] = ['denied', 'read-only', 'refused', 'anonymous', 'invalid-token']

const kindNames: Readonly<Record<MatrixKind, string>> = {
  'app-user': 'an app user token',
  'app-installation': 'an app installation token',
  'fine-grained': 'a fine-grained token',
}

/** True for the row whose callers `suites/events` judges with its feed (document: Authentication, rule 7; readings F18). */
function isFeed({ method, path }: PermissionRow): boolean {
  return `${method} ${path}` === 'GET /users/{username}/events/orgs/{org}'
}

/** True for lists of public data, which may serve all callers (readings F3). */
export function isPublicList({ method, path }: PermissionRow): boolean {
  return method === 'GET' && ['/users/{username}/keys', '/users/{username}/subscriptions'].includes(path)
}

/** All aspects of a row, in the order of the report. */
export function aspectsOf(row: PermissionRow): RowAspect[] {
  const matrix = matrixKinds.flatMap((kind) => (row.kinds.includes(kind) ? allowed(row, kind) : notAllowed(row, kind)))
  const claims = isFeed(row) ? [] : [...matrix, ...(isPublicList(row) ? [] : withoutToken)]
  return [...claims, ...headers(row)].map((claim) => ({
    ...claim,
    id: `permissions.${row.id}.${claim.aspect}`,
    level: claim.level ?? 'must',
    // A public list serves every token.
    holdings: holdings[claim.expects].filter((holding) => holding !== 'nothing' || !isPublicList(row)),
  }))
}

/** An aspect without its defaults. */
type Claim = Omit<RowAspect, 'id' | 'level' | 'holdings'> & { readonly level?: Level }

function allowed(row: PermissionRow, kind: MatrixKind): Claim[] {
  const { category, access } = row
  if (category.additional) return []
  const isOpen = isPublicList(row)
  const requirement = `permissions.${category.owner}.${category.slug.replaceAll('_', '-')}`
  const claim = (expects: RowAspect['expects'], held: RowAspect['held'], title: string): Claim => ({
    aspect: `${kind}-${expects}`,
    expects,
    kind,
    held,
    title,
    requirement,
  })
  // A category may let tokens write that this row reads (readings F6).
  const isWritten = permissionRows.some((other) => other.category === category && other.access === 'write')
  const writer = claim('write-reads', 'write', `accepts ${kindNames[kind]} with ${category.title} (write)`)
  return [
    claim('granted', access, `accepts ${kindNames[kind]} with ${category.title} (${access})`),
    ...(isOpen ? [] : [claim('denied', 'none', `rejects ${kindNames[kind]} without ${category.title}`)]),
    ...(access === 'write' ? [claim('read-only', 'read', `rejects ${kindNames[kind]} with ${category.title} (read)`)] : []),
    ...(access === 'read' && isWritten && !isOpen
      ? [{ ...writer, level: 'should', requirement: 'permissions.write-includes-read' } as const]
      : []),
  ]
}

function notAllowed(row: PermissionRow, kind: MatrixKind): Claim[] {
  const installation = kind === 'app-installation'
  if (!installation && row.category.fineGrained !== 'absent') return []
  const title = `rejects ${kindNames[kind]} with any permissions`
  const claim = { aspect: `${kind}-refused`, expects: 'refused', kind, held: row.access, title } as const
  return [
    installation
      ? { ...claim, requirement: 'permissions.token-types' }
      : { ...claim, level: 'should', requirement: 'permissions.fine-grained-absent' },
  ]
}

const credentials = { held: 'none', requirement: 'permissions.credentials' } as const
const withoutToken: readonly Claim[] = [
  { ...credentials, aspect: 'anonymous', expects: 'anonymous', title: 'rejects a request without a token' },
  { ...credentials, aspect: 'invalid-token', expects: 'invalid-token', title: 'rejects a token that was never issued' },
]

function headers(row: PermissionRow): Claim[] {
  const { access: held } = row
  const header: Claim = {
    aspect: 'permissions-header',
    expects: 'header',
    held,
    title: 'lists the required permissions in a response header',
    requirement: 'permissions.header',
  }
  const both: Claim = {
    aspect: 'permissions-header-both',
    expects: 'header-both',
    held,
    level: 'should',
    title: 'lists the required permissions both in successful responses and in rejections',
    requirement: 'permissions.header-both',
  }
  // A public list rejects no caller.
  return isPublicList(row) ? [header] : [header, both]
}

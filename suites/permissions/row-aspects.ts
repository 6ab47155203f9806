import type { Level } from '../../src/spec/level.ts'
import type { Access } from '../../src/spec/needs.ts'
import type { PermissionRow } from '../../src/spec/permissions.ts'
import type { MatrixKind } from './row-tokens.ts'

/** One thing that a row says of one token kind, or of callers without a valid token. */
export interface RowAspect {
  /** The check's id: `permissions.put-orgs-blocks-username.app-user-granted`. */
  readonly id: string
  readonly expects: 'granted' | 'denied' | 'read-only' | 'refused' | 'anonymous' | 'invalid-token' | 'header'
  readonly kind?: MatrixKind
  /** The level of the row's category that the token holds. */
  readonly held: Access | 'none'
  readonly level: Level
  readonly title: string
  readonly requirement: string
}

/** The aspects of callers who must get nothing. */
export const mustBeRejected: readonly RowAspect['expects'][] = ['denied', 'read-only', 'refused', 'anonymous', 'invalid-token']

const kinds: Readonly<Record<MatrixKind, string>> = {
  'app-user': 'an app user token',
  'app-installation': 'an app installation token',
  'fine-grained': 'a fine-grained token',
}

/** The row that is judged with its feed, in `suites/events` (document: Authentication, rule 7; readings F18). */
const judgedWithFeed = 'GET /users/{username}/events/orgs/{org}'

/** True for rows that may serve anyone: lists of public data, whose refusal nothing asks for (readings F3). */
function isPublicList({ method, path }: PermissionRow): boolean {
  return method === 'GET' && ['/users/{username}/keys', '/users/{username}/subscriptions'].includes(path)
}

/** Everything that is judged on a row, in the order of the report. */
export function aspectsOf(row: PermissionRow): RowAspect[] {
  if (`${row.method} ${row.path}` === judgedWithFeed) return []
  const matrix = (Object.keys(kinds) as MatrixKind[]).flatMap((kind) =>
    row.kinds.includes(kind) ? allowed(row, kind) : notAllowed(row, kind),
  )
  // A list that serves anyone refuses nobody, and without a refusal the header cannot be missed either (readings F8).
  return isPublicList(row) ? matrix : [...matrix, ...withoutToken(row), header(row)]
}

function allowed(row: PermissionRow, kind: MatrixKind): RowAspect[] {
  const { category, access } = row
  if (category.additional) return []
  const requirement = `permissions.${category.owner}.${category.slug.replaceAll('_', '-')}`
  const say = (expects: RowAspect['expects'], held: RowAspect['held'], title: string): RowAspect => ({
    id: `permissions.${row.id}.${kind}-${expects}`,
    expects,
    kind,
    held,
    level: 'must',
    title,
    requirement,
  })
  return [
    say('granted', access, `accepts ${kinds[kind]} with ${category.title} (${access})`),
    ...(isPublicList(row) ? [] : [say('denied', 'none', `rejects ${kinds[kind]} without ${category.title}`)]),
    ...(access === 'write' ? [say('read-only', 'read', `rejects ${kinds[kind]} with ${category.title} (read)`)] : []),
  ]
}

function notAllowed(row: PermissionRow, kind: MatrixKind): RowAspect[] {
  const installation = kind === 'app-installation'
  if (!installation && row.category.fineGrained !== 'absent') return []
  return [
    {
      id: `permissions.${row.id}.${kind}-refused`,
      expects: 'refused',
      kind,
      held: row.access,
      level: installation ? 'must' : 'should',
      title: `rejects ${kinds[kind]} with any permissions`,
      requirement: installation ? 'permissions.token-types' : 'permissions.fine-grained-absent',
    },
  ]
}

function withoutToken(row: PermissionRow): RowAspect[] {
  const about = { held: 'none', level: 'must', requirement: 'permissions.credentials' } as const
  return [
    { ...about, id: `permissions.${row.id}.anonymous`, expects: 'anonymous', title: 'rejects a request without a token' },
    {
      ...about,
      id: `permissions.${row.id}.invalid-token`,
      expects: 'invalid-token',
      title: 'rejects a token that was never issued',
    },
  ]
}

function header(row: PermissionRow): RowAspect {
  return {
    id: `permissions.${row.id}.permissions-header`,
    expects: 'header',
    held: row.access,
    level: 'must',
    title: 'lists the required permissions in a response header',
    requirement: 'permissions.header',
  }
}

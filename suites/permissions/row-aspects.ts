import type { Access } from '../../src/spec/needs.ts'
import { type PermissionRow, permissionRows } from '../../src/spec/permissions.ts'
import type { Level } from '../../src/spec/requirements.ts'
import type { MatrixKind } from './row-tokens.ts'

/** One thing that a row says of one token kind, or of callers without a valid token. */
export interface RowAspect {
  /** The check's id: `permissions.put-orgs-blocks-username.app-user-granted`. */
  readonly id: string
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

/** True for the row whose callers are judged with its feed, in `suites/events` (document: Authentication, rule 7; readings F18). */
function isFeed({ method, path }: PermissionRow): boolean {
  return `${method} ${path}` === 'GET /users/{username}/events/orgs/{org}'
}

/** True for rows that may serve anyone: lists of public data, whose refusal nothing asks for (readings F3). */
export function isPublicList({ method, path }: PermissionRow): boolean {
  return method === 'GET' && ['/users/{username}/keys', '/users/{username}/subscriptions'].includes(path)
}

/** Everything that is judged on a row, in the order of the report. */
export function aspectsOf(row: PermissionRow): RowAspect[] {
  if (isFeed(row)) return headers(row)
  const matrix = (Object.keys(kinds) as MatrixKind[]).flatMap((kind) =>
    row.kinds.includes(kind) ? allowed(row, kind) : notAllowed(row, kind),
  )
  return [...matrix, ...(isPublicList(row) ? [] : withoutToken(row)), ...headers(row)]
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
    ...(isReadByWriters(row) ? [writeReads(row, kind)] : []),
  ]
}

/** True for rows that read what the category also lets tokens write (readings F6). */
function isReadByWriters(row: PermissionRow): boolean {
  const writes = permissionRows.some(({ category, access }) => category === row.category && access === 'write')
  return row.access === 'read' && writes && !isPublicList(row)
}

function writeReads(row: PermissionRow, kind: MatrixKind): RowAspect {
  return {
    id: `permissions.${row.id}.${kind}-write-reads`,
    expects: 'write-reads',
    kind,
    held: 'write',
    level: 'should',
    title: `accepts ${kinds[kind]} with ${row.category.title} (write)`,
    requirement: 'permissions.write-includes-read',
  }
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

function headers(row: PermissionRow): RowAspect[] {
  const about = { held: row.access } as const
  const header: RowAspect = {
    ...about,
    id: `permissions.${row.id}.permissions-header`,
    expects: 'header',
    level: 'must',
    title: 'lists the required permissions in a response header',
    requirement: 'permissions.header',
  }
  const both: RowAspect = {
    ...about,
    id: `permissions.${row.id}.permissions-header-both`,
    expects: 'header-both',
    level: 'should',
    title: 'lists the required permissions both in successful responses and in rejections',
    requirement: 'permissions.header-both',
  }
  // A list that serves anyone rejects nobody.
  return isPublicList(row) ? [header] : [header, both]
}

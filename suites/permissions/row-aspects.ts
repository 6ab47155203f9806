import {
  type Access,
  type MatrixKind,
  matrixKinds,
  type OwnerKind,
  type Permissions,
  type Role,
} from '../../src/spec/needs.ts'
import { type PermissionRow, permissionCategories } from '../../src/spec/permissions/permissions.ts'
import type { Level } from '../../src/spec/requirements.ts'
import type { TokenRequest } from '../../src/suite/needs.ts'

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
    | 'refused'
    | 'anonymous'
    | 'invalid-token'
    | 'header'
  readonly kind?: MatrixKind
  readonly level: Level
  readonly title: string
  readonly requirement: string
}

/** An aspect without its defaults. */
type Claim = Omit<RowAspect, 'id' | 'level'> & { readonly level?: Level }

const kindNames: Readonly<Record<MatrixKind, string>> = {
  'app-user': 'an app user token',
  'app-installation': 'an app installation token',
  'fine-grained': 'a fine-grained token',
}

/** True for lists of public data, which may serve all callers (readings F3). */
export function isPublicList({ method, path }: PermissionRow) {
  return (
    method === 'GET' && ['/users/{username}/keys', '/users/{username}/subscriptions'].includes(path)
  )
}

/** All aspects of a row, in the order of the report. */
export function aspectsOf(row: PermissionRow): RowAspect[] {
  const ofKinds = matrixKinds.flatMap((kind) =>
    row.kinds.includes(kind) ? allowed(row, kind) : notAllowed(row, kind),
  )
  // A public list rejects no caller.
  const claims = isPublicList(row) ? [...ofKinds, header] : [...ofKinds, ...withoutToken, header]
  // `suites/events` judges the callers of a feed (document: Authentication, rule 7; readings F18).
  const isFeed = row.path === '/users/{username}/events/orgs/{org}'
  return claims
    .filter(({ expects }) => !isFeed || expects === 'header')
    .map((claim) => ({ level: 'must', ...claim, id: `permissions.${row.id}.${claim.aspect}` }))
}

function allowed(row: PermissionRow, kind: MatrixKind): Claim[] {
  const { category, access } = row
  if (category.additional) return []
  const claim = (expects: RowAspect['expects'], verb: string, permission: string): Claim => {
    return {
      aspect: `${kind}-${expects}`,
      expects,
      kind,
      title: `${verb} ${kindNames[kind]} ${permission}`,
      requirement: `permissions.${category.owner}.${category.slug.replaceAll('_', '-')}`,
    }
  }
  const granted = claim('granted', 'accepts', `with ${category.title} (${access})`)
  if (isPublicList(row)) return [granted]
  const denied = claim('denied', 'rejects', `without ${category.title}`)
  return access === 'read'
    ? [granted, denied]
    : [granted, denied, claim('read-only', 'rejects', `with ${category.title} (read)`)]
}

function notAllowed(row: PermissionRow, kind: MatrixKind): Claim[] {
  const claim = {
    aspect: `${kind}-refused`,
    expects: 'refused',
    kind,
    title: `rejects ${kindNames[kind]} with any permissions`,
  } as const
  if (kind === 'app-installation') return [{ ...claim, requirement: 'permissions.token-types' }]
  if (row.category.fineGrained !== 'absent') return []
  return [{ ...claim, level: 'should', requirement: 'permissions.fine-grained-absent' }]
}

const withoutToken: readonly Claim[] = [
  { aspect: 'anonymous', title: 'rejects a request without a token' } as const,
  { aspect: 'invalid-token', title: 'rejects a token that was never issued' } as const,
].map((claim) => ({ ...claim, expects: claim.aspect, requirement: 'permissions.credentials' }))

const header: Claim = {
  aspect: 'permissions-header',
  expects: 'header',
  title: 'lists the required permissions in a response header',
  requirement: 'permissions.header',
}

/**
 * The permissions of a token that is tried on a row:
 * - `granted`: the row's permission and no higher
 * - `listed`: the row's permission, in a kind that the row does not list
 * - `read-only`: read, for a row that writes, beside as many others
 * - `nothing`, `others`: as few or as many other permissions as possible
 * - `beside`: the row's permission, beside as many others
 * - `any`: any permissions
 */
export type Holding = 'granted' | 'beside' | 'listed' | 'read-only' | 'nothing' | 'others' | 'any'

/** A token for a row. `account`: the installation's account, or the owner of the resources that the token reaches. */
export function tokenRequest(
  row: PermissionRow,
  kind: MatrixKind,
  of: Role,
  account: string | undefined,
  holding: Holding,
): TokenRequest {
  const whose = {
    kind,
    ...(kind === 'app-installation' ? {} : { of }),
    ...(account === undefined ? {} : { account }),
  }
  const [wanted] = held(row, kind)[holding]
  // A provider may make tokens with few permissions alone.
  return { ...whose, ...wanted, instead: wanted.permissions ?? {} }
}

/** The missing token, in the words of the configuration. */
export function describeToken(row: PermissionRow, kind: MatrixKind, holding: Holding) {
  return `needs token: one of kind ${kind} with ${held(row, kind)[holding][1]}`
}

/** The permissions of the tokens that are tried, and their names in the configuration. */
function held(
  row: PermissionRow,
  kind: MatrixKind,
): Readonly<Record<Holding, [Omit<TokenRequest, 'kind'>, string]>> {
  const { owner, slug } = row.category
  const name = `${owner}.${slug}`
  const at = (access: Access): Permissions => ({ [owner]: { [slug]: access } })
  const without = { permissions: {}, lacks: at('read'), listedOnly: true }
  const others = othersThan(row, kind)
  const beside = (access: Access) => ({
    broadest: true,
    ask: { ...others, [owner]: { ...others[owner], [slug]: access } },
  })
  const exact = row.access === 'read' ? { lacks: at('write') } : {}
  return {
    granted: [
      { permissions: at(row.access), ...exact },
      `${name}: ${row.access}${row.access === 'read' ? ' and no more' : ''}`,
    ],
    listed: [{ permissions: at(row.access) }, `${name}: ${row.access}`],
    'read-only': [
      { ...without, permissions: at('read'), lacks: at('write'), ...beside('read') },
      `${name}: read and no more`,
    ],
    nothing: [without, `no ${name}`],
    others: [{ ...without, broadest: true, ask: others }, `no ${name}`],
    beside: [
      { permissions: at(row.access), ...exact, ...beside(row.access) },
      `${name} beside others`,
    ],
    any: [{ permissions: {}, ...beside('write') }, 'any permissions'],
  }
}

/** Every other category with listed endpoints that a token for this row's account can have: half of them at write, half at the row's level. */
function othersThan(row: PermissionRow, kind: MatrixKind): Permissions {
  const account: OwnerKind = isShared(row) ? 'organization' : 'user'
  const owners =
    kind === 'app-user'
      ? (['organization', 'repository', 'user'] as const)
      : ([account, 'repository'] as const)
  const others = permissionCategories.filter(
    (category) =>
      category !== row.category && (kind !== 'fine-grained' || category.fineGrained === 'listed'),
  )
  const ofOwner = (name: OwnerKind) =>
    others
      .filter(({ owner }) => owner === name)
      .map(({ slug }, index) => [slug, index % 2 ? row.access : 'write'])
  return Object.fromEntries(owners.map((name) => [name, Object.fromEntries(ofOwner(name))]))
}

/** True for rows on an organization or a repository, which may have another owner than the user's rows. */
export const isShared = ({ path }: PermissionRow) =>
  path.startsWith('/orgs/') || path.startsWith('/repos/')

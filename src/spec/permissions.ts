import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../package/root.ts'
import type { Endpoint, Method } from './endpoints.ts'
import type { Access, OwnerKind, TokenKind } from './needs.ts'

/** The app token kinds in a row's last column: UAT is `app-user`, IAT is `app-installation`. */
type RowKinds = readonly ('app-user' | 'app-installation')[]

/** Access, method, path, app token kinds: one row as the document lists it. */
type RowText = readonly [access: Access, method: Method, path: string, kinds: RowKinds]

/** A permission category, with the endpoints that it grants. */
export interface Category {
  readonly owner: OwnerKind
  readonly title: string
  /** How configurations and tokens name it: `blocking_users`. */
  readonly slug: string
  /** Whether the fine-grained matrix lists the category: listed, absent, or listed without an endpoint. */
  readonly fineGrained: 'listed' | 'absent' | 'without-endpoint'
  /** The Additional permissions mark: several permissions, or any of a set; the document does not say which (readings F9). */
  readonly additional: boolean
  readonly rows: readonly RowText[]
}

/** `Blocking users` → `blocking_users`. */
export function slugOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
}

/** A category in `permissions.yaml`; a row is its access, method, path and app token kinds. */
interface CategoryText extends Pick<Category, 'owner' | 'title'>, Partial<Pick<Category, 'fineGrained' | 'additional'>> {
  readonly rows: readonly string[]
}

interface PermissionTexts {
  readonly categories: readonly CategoryText[]
  readonly empty: Readonly<Record<OwnerKind | 'enterprise', readonly string[]>>
  readonly feeds: Readonly<Record<OwnerKind, readonly string[]>>
}

const texts: PermissionTexts = parse(readFileSync(join(packageRoot, 'src', 'spec', 'permissions.yaml'), 'utf8'))

/** Every category of the permission matrix that lists endpoints, in the document's order. */
export const permissionCategories: readonly Category[] = texts.categories.map(({ rows, ...category }) => ({
  slug: slugOf(category.title),
  fineGrained: 'listed',
  additional: false,
  ...category,
  rows: rows.map(rowIn),
}))

function rowIn(text: string): RowText {
  const [access, method, path, ...kinds] = text.split(' ')
  return [access, method, path, kinds] as unknown as RowText
}

/** Categories that exist without any endpoint; their grants are not documented (document: Permission matrix (app tokens); readings F12). */
export const emptyCategories = texts.empty

/** Categories that only the feed table knows (document: Authentication, rule 7; readings F14). */
export const feedCategories = texts.feeds

/** One row of the matrix: the grant of one category on one endpoint. */
export interface PermissionRow {
  /** `put-orgs-blocks-username`: the operation in ids of checks and faults. */
  readonly id: string
  readonly category: Category
  readonly access: Access
  readonly method: Method
  readonly path: string
  /** The token kinds that the matrices allow here, fine-grained included. */
  readonly kinds: readonly TokenKind[]
  readonly endpoint: Endpoint
}

/** Every row of the matrix, in the document's order. */
export const permissionRows: readonly PermissionRow[] = permissionCategories.flatMap((of) =>
  of.rows.map(([access, method, path, kinds]) => ({
    id: rowId(method, path),
    category: of,
    access,
    method,
    path,
    kinds: of.fineGrained === 'listed' ? [...kinds, 'fine-grained' as const] : kinds,
    endpoint: { section: 'Authentication, Permission matrix', method, path, success: {}, others: [] },
  })),
)

/** `PUT /orgs/{org}/blocks/{username}` → `put-orgs-blocks-username`: without the names that only say where. */
function rowId(method: Method, path: string): string {
  const words = path.split('/').filter((part) => part !== '' && !['{org}', '{owner}', '{repo}'].includes(part))
  return [method.toLowerCase(), ...words.map((word) => word.replace(/[{}]/g, '').replaceAll('_', '-'))].join('-')
}

/** The rows whose category belongs to an owner kind. */
export function rowsOf(owner: OwnerKind): PermissionRow[] {
  return permissionRows.filter((row) => row.category.owner === owner)
}

/** The row of an endpoint. Throws where the matrix has none. */
export function rowOf(method: Method, path: string): PermissionRow {
  const found = permissionRows.find((row) => row.method === method && row.path === path)
  if (!found) throw new Error(`the permission matrix has no row ${method} ${path}`)
  return found
}

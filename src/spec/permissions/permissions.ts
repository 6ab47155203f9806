import { readData } from '../../package/data-file.ts'
import type { Endpoint, Method } from '../endpoints.ts'
import type { Access, OwnerKind, TokenKind } from '../needs.ts'

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
  /** Access, method, path and the token kinds of apps, as one text. */
  readonly rows: readonly string[]
}

/** `Blocking users` → `blocking_users`. */
export function slugOf(title: string) {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
}

const texts: {
  readonly categories: readonly (Pick<Category, 'owner' | 'title' | 'rows'> & Partial<Category>)[]
  readonly empty: Readonly<Record<OwnerKind | 'enterprise', readonly string[]>>
  readonly feeds: Readonly<Record<OwnerKind, readonly string[]>>
} = readData('src/spec/permissions/permissions.yaml')

/** Every category of the permission matrix that lists endpoints, in the document's order. */
export const permissionCategories: readonly Category[] = texts.categories.map((category) => ({
  slug: slugOf(category.title),
  fineGrained: 'listed',
  additional: false,
  ...category,
}))

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
export const permissionRows: readonly PermissionRow[] = permissionCategories.flatMap((category) =>
  category.rows.map((text) => rowFrom(text, category)),
)

function rowFrom(text: string, category: Category) {
  const [access, method, path, ...kinds] = text.split(' ') as [
    Access,
    Method,
    string,
    ...TokenKind[],
  ]
  if (category.fineGrained === 'listed') kinds.push('fine-grained')
  const endpoint = {
    section: 'Authentication, Permission matrix',
    method,
    path,
    success: {},
    others: [],
  }
  return { id: rowId(method, path), category, access, method, path, kinds, endpoint }
}

/** `PUT /orgs/{org}/blocks/{username}` → `put-orgs-blocks-username`: without the parameters of the organization or repository. */
function rowId(method: Method, path: string) {
  const words = path
    .split('/')
    .filter((part) => part !== '' && !['{org}', '{owner}', '{repo}'].includes(part))
  return [
    method.toLowerCase(),
    ...words.map((word) => word.replace(/[{}]/g, '').replaceAll('_', '-')),
  ].join('-')
}

/** The row of an endpoint. Throws if the matrix has none. */
export function rowOf(method: Method, path: string): PermissionRow {
  const found = permissionRows.find((row) => row.method === method && row.path === path)
  if (!found) throw new Error(`the permission matrix has no row ${method} ${path}`)
  return found
}

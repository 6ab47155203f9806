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

type Differences = Pick<Category, 'fineGrained' | 'additional'>

/** The fine-grained matrix has the same rows. */
const fineGrainedToo: Differences = { fineGrained: 'listed', additional: false }
/** The fine-grained matrix lacks the category (document: Permission matrix (fine-grained personal access tokens)). */
const noFineGrained: Differences = { fineGrained: 'absent', additional: false }
/** Marked in the app matrix, without an endpoint in the fine-grained one: neither grant nor denial is judged. */
const noVerdict: Differences = { fineGrained: 'without-endpoint', additional: true }

/** Declares a category; its slug is its title in lower case with underscores. */
function category(owner: OwnerKind, title: string, differences: Differences, rows: readonly RowText[]): Category {
  return { owner, title, slug: slugOf(title), ...differences, rows }
}

/** `Blocking users` → `blocking_users`. */
export function slugOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
}

const U: RowKinds = ['app-user']
const UI: RowKinds = ['app-user', 'app-installation']

// biome-ignore format: read against the document, section Authentication, "Permission matrix (app tokens)"
/** Every category of the permission matrix that lists endpoints, in the document's order: access, method, path, app token kinds. */
export const permissionCategories: readonly Category[] = [
  category('organization', 'Blocking users', fineGrainedToo, [
    ['write', 'PUT',    '/orgs/{org}/blocks/{username}', UI],
    ['write', 'DELETE', '/orgs/{org}/blocks/{username}', UI],
    ['read',  'GET',    '/orgs/{org}/blocks',            UI],
    ['read',  'GET',    '/orgs/{org}/blocks/{username}', UI],
  ]),
  category('organization', 'Campaigns', fineGrainedToo, [
    ['write', 'POST',   '/orgs/{org}/campaigns',                   UI],
    ['write', 'PATCH',  '/orgs/{org}/campaigns/{campaign_number}', UI],
    ['write', 'DELETE', '/orgs/{org}/campaigns/{campaign_number}', UI],
    ['read',  'GET',    '/orgs/{org}/campaigns',                   UI],
    ['read',  'GET',    '/orgs/{org}/campaigns/{campaign_number}', UI],
  ]),
  category('organization', 'Assistant content exclusion', noFineGrained, [
    ['write', 'PUT', '/orgs/{org}/assistant/content_exclusion', UI],
    ['read',  'GET', '/orgs/{org}/assistant/content_exclusion', UI],
  ]),
  category('organization', 'Custom organization roles', fineGrainedToo, [
    ['read', 'GET', '/orgs/{org}/organization-roles',           UI],
    ['read', 'GET', '/orgs/{org}/organization-roles/{role_id}', UI],
  ]),
  category('organization', 'Events', fineGrainedToo, [
    ['read', 'GET', '/users/{username}/events/orgs/{org}', U],
  ]),
  category('organization', 'Issue Types', fineGrainedToo, [
    ['write', 'POST',   '/orgs/{org}/issue-types',                 UI],
    ['write', 'PUT',    '/orgs/{org}/issue-types/{issue_type_id}', UI],
    ['write', 'DELETE', '/orgs/{org}/issue-types/{issue_type_id}', UI],
    ['read',  'GET',    '/orgs/{org}/issue-types',                 UI],
  ]),
  category('organization', 'Organization workspaces settings', fineGrainedToo, [
    ['write', 'PUT',    '/orgs/{org}/workspaces/access',                UI],
    ['write', 'POST',   '/orgs/{org}/workspaces/access/selected_users', UI],
    ['write', 'DELETE', '/orgs/{org}/workspaces/access/selected_users', UI],
  ]),
  category('organization', 'Personal access token requests', noFineGrained, [
    ['write', 'POST', '/orgs/{org}/personal-access-token-requests',                               UI],
    ['write', 'POST', '/orgs/{org}/personal-access-token-requests/{pat_request_id}',              UI],
    ['read',  'GET',  '/orgs/{org}/personal-access-token-requests',                               UI],
    ['read',  'GET',  '/orgs/{org}/personal-access-token-requests/{pat_request_id}/repositories', UI],
  ]),
  category('organization', 'Personal access tokens', noFineGrained, [
    ['write', 'POST', '/orgs/{org}/personal-access-tokens',                       UI],
    ['write', 'POST', '/orgs/{org}/personal-access-tokens/{pat_id}',              UI],
    ['read',  'GET',  '/orgs/{org}/personal-access-tokens',                       UI],
    ['read',  'GET',  '/orgs/{org}/personal-access-tokens/{pat_id}/repositories', UI],
  ]),

  category('repository', 'Workspaces metadata', fineGrainedToo, [
    ['read', 'GET', '/repos/{owner}/{repo}/workspaces/devcontainers', UI],
    ['read', 'GET', '/repos/{owner}/{repo}/workspaces/machines',      UI],
    ['read', 'GET', '/user/workspaces/{workspace_name}/machines',     U],
  ]),
  category('repository', 'Commit statuses', fineGrainedToo, [
    ['write', 'POST', '/repos/{owner}/{repo}/statuses/{sha}',         UI],
    ['read',  'GET',  '/repos/{owner}/{repo}/commits/{ref}/status',   UI],
    ['read',  'GET',  '/repos/{owner}/{repo}/commits/{ref}/statuses', UI],
  ]),
  category('repository', 'Custom properties', fineGrainedToo, [
    ['write', 'PATCH', '/repos/{owner}/{repo}/properties/values', UI],
  ]),
  category('repository', 'Depbot alerts', fineGrainedToo, [
    ['write', 'PATCH', '/repos/{owner}/{repo}/depbot/alerts/{alert_number}', UI],
    ['read',  'GET',   '/orgs/{org}/depbot/alerts',                          UI],
    ['read',  'GET',   '/repos/{owner}/{repo}/depbot/alerts',                UI],
    ['read',  'GET',   '/repos/{owner}/{repo}/depbot/alerts/{alert_number}', UI],
  ]),

  category('user', 'Block another user', fineGrainedToo, [
    ['write', 'PUT',    '/user/blocks/{username}', U],
    ['write', 'DELETE', '/user/blocks/{username}', U],
    ['read',  'GET',    '/user/blocks',            U],
    ['read',  'GET',    '/user/blocks/{username}', U],
  ]),
  category('user', 'Email addresses', fineGrainedToo, [
    ['write', 'PATCH',  '/user/email/visibility', U],
    ['write', 'POST',   '/user/emails',           U],
    ['write', 'DELETE', '/user/emails',           U],
    ['read',  'GET',    '/user/emails',           U],
    ['read',  'GET',    '/user/public_emails',    U],
  ]),
  category('user', 'Followers', fineGrainedToo, [
    ['write', 'PUT',    '/user/following/{username}', U],
    ['write', 'DELETE', '/user/following/{username}', U],
    ['read',  'GET',    '/user/followers',            U],
    ['read',  'GET',    '/user/following',            U],
    ['read',  'GET',    '/user/following/{username}', U],
  ]),
  category('user', 'GPG keys', fineGrainedToo, [
    ['write', 'POST',   '/user/gpg_keys',              U],
    ['write', 'DELETE', '/user/gpg_keys/{gpg_key_id}', U],
    ['read',  'GET',    '/user/gpg_keys',              U],
    ['read',  'GET',    '/user/gpg_keys/{gpg_key_id}', U],
  ]),
  category('user', 'Gists', fineGrainedToo, [
    ['write', 'POST',   '/gists',                                 U],
    ['write', 'PATCH',  '/gists/{gist_id}',                       U],
    ['write', 'DELETE', '/gists/{gist_id}',                       U],
    ['write', 'POST',   '/gists/{gist_id}/comments',              U],
    ['write', 'PATCH',  '/gists/{gist_id}/comments/{comment_id}', U],
    ['write', 'DELETE', '/gists/{gist_id}/comments/{comment_id}', U],
    ['write', 'POST',   '/gists/{gist_id}/forks',                 U],
    ['write', 'PUT',    '/gists/{gist_id}/star',                  U],
    ['write', 'DELETE', '/gists/{gist_id}/star',                  U],
  ]),
  category('user', 'Git SSH keys', fineGrainedToo, [
    ['write', 'POST',   '/user/keys',            U],
    ['write', 'DELETE', '/user/keys/{key_id}',   U],
    ['read',  'GET',    '/user/keys',            U],
    ['read',  'GET',    '/user/keys/{key_id}',   U],
    ['read',  'GET',    '/users/{username}/keys', UI],
  ]),
  category('user', 'Interaction limits', fineGrainedToo, [
    ['write', 'PUT',    '/user/interaction-limits', U],
    ['write', 'DELETE', '/user/interaction-limits', U],
    ['read',  'GET',    '/user/interaction-limits', U],
  ]),
  category('user', 'Plan', fineGrainedToo, [
    ['read', 'GET', '/users/{username}/settings/billing/premium_request/usage', U],
    ['read', 'GET', '/users/{username}/settings/billing/usage',                 U],
    ['read', 'GET', '/users/{username}/settings/billing/usage/summary',         U],
  ]),
  category('user', 'Private repository invitations', noVerdict, [
    ['read', 'GET', '/repos/{owner}/{repo}/invitations', UI],
  ]),
  category('user', 'Profile', fineGrainedToo, [
    ['write', 'PATCH',  '/user',                 U],
    ['write', 'POST',   '/user/social_accounts', U],
    ['write', 'DELETE', '/user/social_accounts', U],
  ]),
  category('user', 'SSH signing keys', fineGrainedToo, [
    ['write', 'POST',   '/user/ssh_signing_keys',                      U],
    ['write', 'DELETE', '/user/ssh_signing_keys/{ssh_signing_key_id}', U],
    ['read',  'GET',    '/user/ssh_signing_keys',                      U],
    ['read',  'GET',    '/user/ssh_signing_keys/{ssh_signing_key_id}', U],
  ]),
  category('user', 'Watching', fineGrainedToo, [
    ['read', 'GET', '/user/subscriptions',             U],
    ['read', 'GET', '/users/{username}/subscriptions', UI],
  ]),
]

const list = (text: string) => text.split(', ')

/** Categories that exist without any endpoint; their grants are not documented (document: Permission matrix (app tokens); readings F12). */
export const emptyCategories: Readonly<Record<OwnerKind | 'enterprise', readonly string[]>> = {
  enterprise: ['Enterprise teams'],
  organization: list(
    'API Insights, Administration, Custom properties, Assistant Business, Hosted runner custom images, Members, Network configurations, ' +
      'Organization workspaces secrets, Organization workspaces, Organization depbot secrets, Organization private registries, Projects, ' +
      'Secrets, Self-hosted runners, Variables, Webhooks',
  ),
  repository: list(
    'Actions, Administration, Artifact metadata, Attestations, Checks, Code scanning alerts, Workspaces lifecycle admin, ' +
      'Workspaces secrets, Workspaces, Contents, Depbot secrets, Deployments, Environments, Issues, Metadata, Pages, Pull requests, ' +
      'Repository security advisories, Secret scanning alerts, Secrets, Variables, Webhooks, Workflows',
  ),
  user: list('Workspaces user secrets, Starring'),
}

/** Categories that only the feed table knows (document: Authentication, rule 7; readings F14). */
export const feedCategories: Readonly<Record<OwnerKind, readonly string[]>> = {
  organization: [],
  repository: [],
  user: ['Events'],
}

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

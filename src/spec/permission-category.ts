import type { Method } from './endpoint.ts'
import type { Access, OwnerKind } from './needs.ts'

/** The app token kinds in a row's last column: UAT is `app-user`, IAT is `app-installation`. */
export type RowKinds = readonly ('app-user' | 'app-installation')[]

/** Access, method, path, app token kinds: one row as the document lists it. */
export type RowText = readonly [access: Access, method: Method, path: string, kinds: RowKinds]

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
export const fineGrainedToo: Differences = { fineGrained: 'listed', additional: false }
/** The fine-grained matrix lacks the category (document: Permission matrix (fine-grained personal access tokens)). */
export const noFineGrained: Differences = { fineGrained: 'absent', additional: false }
/** Marked in the app matrix, without an endpoint in the fine-grained one: neither grant nor denial is judged. */
export const noVerdict: Differences = { fineGrained: 'without-endpoint', additional: true }

/** Declares a category; its slug is its title in lower case with underscores. */
export function category(owner: OwnerKind, title: string, differences: Differences, rows: readonly RowText[]): Category {
  return { owner, title, slug: slugOf(title), ...differences, rows }
}

/** `Blocking users` → `blocking_users`. */
export function slugOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
}

const list = (text: string) => text.split(', ')

/** Categories that exist without any endpoint; what they grant is not shown (document: Permission matrix (app tokens); readings F12). */
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

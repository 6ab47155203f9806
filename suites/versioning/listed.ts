import { changeEndpoints } from '../../src/spec/change-endpoints.ts'
import { type Endpoint, endpointLabel } from '../../src/spec/endpoint.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { JsonObject } from '../../src/suite/located.ts'
import { objectKinds } from '../common/removed-fields.ts'
import type { ShapeDifference } from './answer-shape.ts'
import { customLink } from './custom-link.ts'

/** A difference between the versions that a change of the document names. */
interface Listed {
  readonly change: number
  /** The last key of the member. */
  readonly keys: readonly string[]
  readonly kinds: readonly ShapeDifference['kind'][]
  /** The endpoints that it is limited to. */
  readonly on?: readonly Endpoint[]
  /** What holds it. */
  readonly in?: (holder: JsonObject) => boolean
  /** How deep it stands. */
  readonly deep?: number
}

const at = changeEndpoints
const { repository, issue } = objectKinds
const gists: Endpoint[] = [at.gists, at.publicGists, at.starredGists, at.gist, at.gistForks, at.gistRevision, at.userGists]
const attestations: Endpoint[] = [at.orgAttestations, at.repositoryAttestations, at.userAttestations]
const isPull = objectKinds['pull request']
const isGist = (holder: JsonObject) => 'files' in holder
const removed = ['removed'] as const

/** What the table of changes lets differ between two answers to the same GET. */
const listed: readonly Listed[] = [
  { change: 1, keys: ['rate'], kinds: removed, on: [at.rateLimit], deep: 1 },
  { change: 5, keys: ['use_squash_pr_title_as_default'], kinds: removed },
  { change: 5, keys: ['squash_merge_commit_title'], kinds: ['added'], in: repository },
  { change: 6, keys: ['authorizations_url', 'hub_url'], kinds: removed, on: [at.root], deep: 1 },
  { change: 7, keys: ['user'], kinds: removed, in: isGist },
  { change: 7, keys: ['owner'], kinds: ['added'], in: isGist },
  { change: 7, keys: ['master_branch'], kinds: removed, in: repository },
  { change: 7, keys: ['default_branch'], kinds: ['added'], in: repository },
  { change: 8, keys: ['history', 'forks'], kinds: removed, on: gists },
  { change: 10, keys: [customLink], kinds: removed, on: [at.organization], deep: 1 },
  { change: 12, keys: ['has_downloads'], kinds: removed },
  { change: 15, keys: ['cvss'], kinds: removed },
  { change: 15, keys: ['cvss_severities'], kinds: ['added'] },
  { change: 17, keys: ['merge_commit_sha'], kinds: removed, in: isPull },
  { change: 19, keys: ['assignee'], kinds: removed, in: (holder) => issue(holder) || isPull(holder) },
  { change: 21, keys: ['bundle'], kinds: removed, on: attestations },
  { change: 21, keys: ['bundle_url'], kinds: ['added'], on: attestations },
]

const { listMigrations, getMigration, listMigrationRepositories } = endpoints
const migrations: readonly Endpoint[] = [listMigrations, getMigration, listMigrationRepositories]

/** The beta media type fills an issue's `pull_request` with nulls, and lists emails as bare strings. */
function isBetaForm({ kind, steps, holder }: ShapeDifference): boolean {
  if (steps.slice(-2).includes('emails')) return true
  if (steps.at(-1) === 'pull_request') return issue(holder)
  return steps.at(-2) === 'pull_request' && steps.at(-3) !== 'payload' && !isPull(holder) && kind !== 'added'
}

/** The number of the change that names a difference; undefined where none does. `read` tells a family's addresses apart. */
export function changeNaming(
  difference: ShapeDifference,
  endpoint: Endpoint,
  change?: number,
  read = endpointLabel(endpoint),
): number | undefined {
  const { kind, steps, holder } = difference
  const label = endpointLabel(endpoint)
  const inMigration = change === 16 || migrations.some((row) => endpointLabel(row) === label)
  const inRepositories = steps.includes('repositories') || read.endsWith('/repositories')
  if (inMigration && inRepositories && kind === 'removed') return 16
  if (isBetaForm(difference)) return 7
  return listed.find(
    (row) =>
      row.keys.includes(steps.at(-1) ?? '') &&
      row.kinds.includes(kind) &&
      (row.on?.some((named) => endpointLabel(named) === label) ?? true) &&
      (row.in?.(holder) ?? true) &&
      (row.deep === undefined || steps.length === row.deep),
  )?.change
}

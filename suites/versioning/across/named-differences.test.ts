import { describe, expect, test } from 'vitest'
import { changeEndpoints, familyOf } from '../../../src/spec/changes/changes.ts'
import { type Endpoint, endpointLabel, endpoints } from '../../../src/spec/endpoints.ts'
import { changeNaming } from './named-differences.ts'
import type { ShapeDifference } from './response-shape.ts'

const { rateLimit, gist, root, repositoryAttestations } = changeEndpoints
const repository = { full_name: 'octo-org/hello', owner: {} }
const pull = { head: {}, base: {} }
const issue = { number: 7, title: 'Hello' }

function naming(kind: ShapeDifference['kind'], path: string, holder: object, endpoint: Endpoint = familyOf(5)) {
  const difference = { kind, steps: path.split('/').slice(1), older: '', newer: '', holder: holder as Record<string, unknown> }
  return changeNaming(difference, { endpoint, request: endpointLabel(endpoint) })
}

/** The change that covers the loss of an item's owner, at an address that is declared for change 16. */
function listedBy(path: string) {
  const lost = { kind: 'removed', steps: ['*', 'owner'], older: 'object', newer: '', holder: repository } as const
  return changeNaming(lost, { endpoint: familyOf(16), request: `GET ${path}` })
}

describe('a difference', () => {
  test.each([
    ['rate of the quota', 1, naming('removed', '/rate', {}, rateLimit)],
    ['a field of a repository', 5, naming('removed', '/*/use_squash_pr_title_as_default', repository)],
    ['its successor', 5, naming('added', '/*/squash_merge_commit_title', repository)],
    ['the user of a gist', 7, naming('removed', '/*/user', { files: {} }, gist)],
    ['the nulls of an issue that is no pull request', 7, naming('removed', '/*/pull_request', issue)],
    ['emails that were strings', 7, naming('type', '/*/emails/*', {})],
    ['forks of a gist', 8, naming('removed', '/forks', {}, gist)],
    ['a repository of a migration', 16, naming('removed', '/*/repositories/*/node_id', {}, endpoints.listMigrations)],
    ['has_downloads of one', 12, naming('removed', '/*/repositories/*/has_downloads', repository, endpoints.listMigrations)],
    ["a repository of an organization's migration", 16, listedBy('/orgs/octo-org/migrations/7/repositories')],
    [
      'a pull request in a payload',
      17,
      naming('removed', '/*/payload/pull_request/merge_commit_sha', pull, endpoints.publicEvents),
    ],
    ['the assignee of an issue', 19, naming('removed', '/*/payload/issue/assignee', issue, endpoints.publicEvents)],
    ['the bundle of an attestation', 21, naming('removed', '/attestations/*/bundle', {}, repositoryAttestations)],
  ])('a difference in %s belongs to change %i', (_, change, found) => {
    expect(found).toBe(change)
  })

  test.each([
    ['rate elsewhere', naming('removed', '/rate', {}, root)],
    ['rate deeper in the quota', naming('removed', '/resources/rate', {}, rateLimit)],
    ['a removed field that is new', naming('added', '/*/merge_commit_sha', pull)],
    ['the successor, lost', naming('removed', '/default_branch', repository)],
    ['the owner of a gist, lost', naming('removed', '/owner', { files: {} }, gist)],
    ['merge_commit_sha of something else', naming('removed', '/*/merge_commit_sha', {})],
    ['the assignee of an alert', naming('removed', '/*/assignee', { number: 7 })],
    [
      'a pull request in a payload, retyped',
      naming('removed', '/*/payload/pull_request/title', { ...pull, id: 1 }, endpoints.publicEvents),
    ],
    ['the owner of a migration, lost', listedBy('/orgs/octo-org/migrations')],
    ['anything else', naming('removed', '/*/id', repository)],
  ])('a difference in %s is not listed', (_, found) => {
    expect(found).toBeUndefined()
  })
})

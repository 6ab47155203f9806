import { describe, expect, test } from 'vitest'
import { validatorOf } from '../src/package/schemas.ts'

const owner = {
  login: 'mona',
  id: 1,
  node_id: 'U_1',
  avatar_url: 'https://service.test/a',
  avatar_id: '',
  type: 'User',
  site_admin: false,
  ...Object.fromEntries(
    ['', 'html_', 'followers_', 'following_', 'gists_', 'starred_', 'subscriptions_', 'organizations_', 'repos_', 'events_']
      .concat('received_events_')
      .map((name) => [`${name}url`, 'https://service.test']),
  ),
}

const migration = {
  id: 79,
  node_id: 'UM_79',
  owner,
  guid: '0b989ba4-242f-11e5-81e1-c7b6966d2516',
  state: 'pending',
  lock_repositories: true,
  exclude_attachments: false,
  exclude_releases: false,
  exclude_owner_projects: false,
  repositories: [{ id: 1, name: 'atlas', full_name: 'mona/atlas' }],
  url: 'https://api.service.test/user/migrations/79',
  created_at: '2026-07-06T15:33:38-07:00',
  updated_at: '2026-07-06T15:33:38-07:00',
}

const accepts = (schema: string, value: unknown) => validatorOf(schema)(value)

describe('migration', () => {
  test.each([
    ['as documented', migration],
    ['read alone', { ...migration, org_metadata_only: false }],
    ['without repositories in it', { ...migration, repositories: [] }],
    ['in an unknown state, with further members', { ...migration, state: 'uploading', archive_url: 'x' }],
  ])('the migration schema accepts one %s', (_, sample) => expect(accepts('migration', sample)).toBe(true))

  test.each<[string, unknown]>([
    ...Object.keys(migration).map((name): [string, unknown] => [`without ${name}`, { ...migration, [name]: undefined }]),
    ['with a text as id', { ...migration, id: '79' }],
    ['with null as owner', { ...migration, owner: null }],
    ['with the owner by name', { ...migration, owner: 'mona' }],
    ['with a number as flag', { ...migration, exclude_releases: 0 }],
    ['with a text as org_metadata_only', { ...migration, org_metadata_only: 'false' }],
    ['with names as repositories', { ...migration, repositories: ['mona/atlas'] }],
    ['with an instant as a number', { ...migration, created_at: 1_436_200_000 }],
    ['that is a list', [migration]],
  ])('the migration schema rejects one %s', (_, sample) =>
    expect(accepts('migration', JSON.parse(JSON.stringify(sample)))).toBe(false),
  )
})

describe('migration-repository', () => {
  test.each([{ id: 1 }, { full_name: 'mona/atlas' }, {}, { id: 1, name: 'atlas', private: true }])(
    'the migration-repository schema accepts %j',
    (sample) => expect(accepts('migration-repository', sample)).toBe(true),
  )

  test.each([['mona/atlas'], 'mona/atlas', null, { id: '1' }, { name: 7 }].map((sample) => ({ sample })))(
    'the migration-repository schema rejects $sample',
    ({ sample }) => expect(accepts('migration-repository', sample)).toBe(false),
  )
})

describe('migration-request', () => {
  test.each([
    { repositories: ['mona/atlas'] },
    { repositories: [], org_metadata_only: true },
    { repositories: ['mona/atlas'], lock_repositories: true, exclude_git_data: false, exclude: ['repositories'] },
  ])('the migration-request schema accepts %j', (sample) => expect(accepts('migration-request', sample)).toBe(true))

  test.each([
    {},
    { repositories: 'mona/atlas' },
    { repositories: [7] },
    { repositories: [], lock_repositories: 'yes' },
    { repositories: [], exclude: 'repositories' },
  ])('the migration-request schema rejects %j', (sample) => expect(accepts('migration-request', sample)).toBe(false))
})

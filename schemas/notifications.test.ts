import { describe, expect, test } from 'vitest'
import { validatorOf } from '../src/package/schemas.ts'

type Sample = readonly [says: string, value: unknown]
type Shape = Record<string, unknown>

const site = 'https://service.example'

const user: Shape = {
  login: 'mona',
  id: 1,
  node_id: 'U_1',
  avatar_url: `${site}/avatars/1`,
  avatar_id: '',
  url: `${site}/users/mona`,
  html_url: `${site}/mona`,
  followers_url: `${site}/users/mona/followers`,
  following_url: `${site}/users/mona/following{/other_user}`,
  gists_url: `${site}/users/mona/gists{/gist_id}`,
  starred_url: `${site}/users/mona/starred{/owner}{/repo}`,
  subscriptions_url: `${site}/users/mona/subscriptions`,
  organizations_url: `${site}/users/mona/orgs`,
  repos_url: `${site}/users/mona/repos`,
  events_url: `${site}/users/mona/events{/privacy}`,
  received_events_url: `${site}/users/mona/received_events`,
  type: 'User',
  site_admin: false,
}

/** The address templates of a minimal repository as the document enumerates them. */
const addresses = (
  'archive assignees blobs branches collaborators comments commits compare contents contributors deployments downloads ' +
  'events forks git_commits git_refs git_tags git issue_comment issue_events issues keys labels languages merges ' +
  'milestones notifications pulls releases ssh stargazers statuses subscribers subscription tags teams trees hooks'
)
  .split(' ')
  .map((name) => `${name}_url`)

const repository: Shape = {
  id: 3,
  node_id: 'R_3',
  name: 'hello',
  full_name: 'octo-org/hello',
  owner: user,
  private: false,
  html_url: `${site}/octo-org/hello`,
  description: 'Greetings',
  fork: false,
  url: `${site}/repos/octo-org/hello`,
  ...Object.fromEntries(addresses.map((name) => [name, `${site}/repos/octo-org/hello/${name}{/more}`])),
}

const subject: Shape = {
  title: 'Greetings',
  url: `${site}/repos/octo-org/hello/issues/1`,
  latest_comment_url: `${site}/repos/octo-org/hello/issues/comments/1`,
  type: 'Issue',
}

const thread: Shape = {
  id: '101',
  repository,
  subject,
  reason: 'subscribed',
  unread: true,
  updated_at: '2026-11-20T12:00:00Z',
  last_read_at: '2026-11-20T11:59:59Z',
  url: `${site}/notifications/threads/101`,
  subscription_url: `${site}/notifications/threads/101/subscription`,
}

const subscription: Shape = {
  subscribed: true,
  ignored: false,
  reason: null,
  created_at: '2026-11-20T12:00:00Z',
  url: `${site}/notifications/threads/101/subscription`,
  thread_url: `${site}/notifications/threads/101`,
}

/** The sample once with each of the members as something else. */
function eachAs(sample: Shape, value: unknown, names: readonly string[] = Object.keys(sample)): Sample[] {
  return names.map((name): Sample => [`${name} as ${JSON.stringify(value)}`, { ...sample, [name]: value }])
}

/** The sample once without each of its members. */
function withoutEach(sample: Shape): Sample[] {
  return Object.keys(sample).map((name): Sample => [`without ${name}`, { ...sample, [name]: undefined }])
}

function except(sample: Shape, ...names: readonly string[]): string[] {
  return Object.keys(sample).filter((name) => !names.includes(name))
}

/** The defects that make any of these resources invalid: a missing member, null or an object in a member. */
function spoilt(sample: Shape, nullable: readonly string[] = []): Sample[] {
  return [
    ...withoutEach(sample),
    ...eachAs(sample, null, except(sample, ...nullable)),
    ...eachAs(sample, ['odd']),
    ['null', null],
    ['an array of it', [sample]],
  ]
}

const samples: Record<string, { valid: Sample[]; invalid: Sample[] }> = {
  user: {
    valid: [
      ['as documented', user],
      ['of an organization', { ...user, type: 'Organization' }],
      ['with an unknown field', { ...user, user_view_type: 'public' }],
    ],
    invalid: [...spoilt(user), ['a numeric login', { ...user, login: 1 }], ['a text id', { ...user, id: '1' }]],
  },
  'minimal-repository': {
    valid: [
      ['as documented', repository],
      ['without a description', { ...repository, description: null }],
      ['with the field of the older version', { ...repository, has_downloads: true }],
      ['with an scp-like address', { ...repository, ssh_url: 'git@service.example:octo-org/hello.git' }],
    ],
    invalid: [
      ...spoilt(repository, ['description']),
      ['a text id', { ...repository, id: '3' }],
      ['a fractional id', { ...repository, id: 3.5 }],
      ['a text flag', { ...repository, private: 'false' }],
      ['a full name without its owner', { ...repository, full_name: 'hello' }],
      ['an owner by login alone', { ...repository, owner: { login: 'mona' } }],
    ],
  },
  'thread-subject': {
    valid: [
      ['as documented', subject],
      ['of another type', { ...subject, type: 'RepositoryInvitation' }],
      ['without addresses', { ...subject, url: null, latest_comment_url: null }],
    ],
    invalid: spoilt(subject, ['url', 'latest_comment_url']),
  },
  thread: {
    valid: [
      ['as documented', thread],
      ['never read', { ...thread, last_read_at: null }],
      ['with an unknown reason', { ...thread, reason: 'your_activity' }],
    ],
    invalid: [
      ...spoilt(thread, ['last_read_at']),
      ['a numeric id', { ...thread, id: 101 }],
      ['an id that is no number', { ...thread, id: 'T_101' }],
      ['an empty id', { ...thread, id: '' }],
      ['an empty reason', { ...thread, reason: '' }],
      ['a text flag', { ...thread, unread: 'true' }],
      ['fractional seconds', { ...thread, updated_at: '2026-11-20T12:00:00.000Z' }],
      ['a numeric offset', { ...thread, last_read_at: '2026-11-20T12:00:00+00:00' }],
      ['an impossible date', { ...thread, updated_at: '2026-13-20T12:00:00Z' }],
      ['seconds since 1970', { ...thread, last_read_at: 1_700_000_000 }],
      ['a spoilt repository', { ...thread, repository: { ...repository, hooks_url: null } }],
    ],
  },
  'thread-subscription': {
    valid: [
      ['as documented', subscription],
      ['with a reason', { ...subscription, reason: 'manual' }],
      ['without a date', { ...subscription, created_at: null }],
    ],
    invalid: [
      ...spoilt(subscription, ['reason', 'created_at']),
      ['a numeric reason', { ...subscription, reason: 3 }],
      ['seconds since 1970', { ...subscription, created_at: 1_700_000_000 }],
    ],
  },
  message: {
    valid: [
      ['as documented', { message: 'Unread notifications are being marked.' }],
      ['with more', { message: '', url: site }],
    ],
    invalid: [...spoilt({ message: 'marking' }), ['a numeric message', { message: 202 }]],
  },
}

const matches = (name: string, value: unknown) =>
  // As it would arrive: undefined members do not exist on the wire.
  validatorOf(name)(JSON.parse(JSON.stringify(value)))

describe.each(Object.entries(samples))('the schema %s', (name, { valid, invalid }) => {
  test.each(valid)(`the schema ${name} accepts a sample: %s`, (_, value) => {
    expect(matches(name, value)).toBe(true)
  })

  test.each(invalid)(`the schema ${name} rejects a sample: %s`, (_, value) => {
    expect(matches(name, value)).toBe(false)
  })
})

test('a minimal repository has the 38 address templates of the document', () => {
  expect(addresses).toHaveLength(38)
  expect(new Set(addresses).size).toBe(38)
})

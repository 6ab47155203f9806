import { describe, expect, test } from 'vitest'
import { validatorOf } from '../src/package/schemas.ts'

const actor = {
  id: 1,
  login: 'mona',
  display_login: 'Mona',
  avatar_id: '',
  url: 'https://service.example/users/mona',
  avatar_url: 'https://service.example/avatars/1',
}
const organization = { id: 7, login: 'octo-org', avatar_id: 'a1b2', url: 'https://service.example/orgs/octo-org', avatar_url: '' }
const repository = { id: 3, name: 'octo-org/hello', url: 'https://service.example/repos/octo-org/hello' }
const event = {
  id: '22249084964',
  type: 'WatchEvent',
  actor,
  repo: repository,
  payload: { action: 'started' },
  public: true,
  created_at: '2026-11-20T12:00:00Z',
}
const hash = '0123456789abcdef0123456789abcdef01234567'
const push = { repository_id: 3, push_id: 10115855396, ref: 'refs/heads/main', head: hash, before: '0'.repeat(40) }
const create = {
  ref: 'main',
  ref_type: 'branch',
  full_ref: 'refs/heads/main',
  master_branch: 'main',
  description: null,
  pusher_type: 'user',
}

type Sample = readonly [says: string, value: unknown]

/** The sample once without each of the members. */
function withoutEach(sample: Record<string, unknown>, names: readonly string[] = Object.keys(sample)): Sample[] {
  return names.flatMap((name): Sample[] => {
    const { [name]: _, ...rest } = sample
    return [[`without ${name}`, rest]]
  })
}

/** The sample once with each of the members null. */
function nullEach(sample: Record<string, unknown>, names: readonly string[]): Sample[] {
  return names.map((name): Sample => [`${name} null`, { ...sample, [name]: null }])
}

const notObjects: Sample[] = [
  ['null', null],
  ['a string', 'event'],
  ['a number', 1],
  ['an array', []],
]

const samples: Record<string, { valid: Sample[]; invalid: Sample[] }> = {
  event: {
    valid: [
      ['as documented', event],
      ['private', { ...event, public: false }],
      ['with an organization', { ...event, org: organization }],
      ['of an unknown type with an unknown member', { ...event, type: 'SponsorshipEvent', payload: {}, reactions: [] }],
    ],
    invalid: [
      ...notObjects,
      ...withoutEach(event),
      ...nullEach(event, ['id', 'type', 'actor', 'repo', 'public', 'created_at']),
      ['a numeric id', { ...event, id: 22249084964 }],
      ['public as text', { ...event, public: 'true' }],
      ['an actor without display_login', { ...event, actor: withoutEach(actor, ['display_login'])[0]?.[1] }],
      ['a numeric date', { ...event, created_at: 1763640000 }],
      ['an organization without login', { ...event, org: withoutEach(organization, ['login'])[0]?.[1] }],
      ['an organization that is null', { ...event, org: null }],
    ],
  },
  'event-actor': {
    valid: [
      ['as documented', actor],
      ['with an avatar identifier', { ...actor, avatar_id: 'd41d8cd98f00b204e9800998ecf8427e' }],
      ['with an unknown member', { ...actor, bot: false }],
    ],
    invalid: [
      ...notObjects,
      ...withoutEach(actor),
      ...nullEach(actor, Object.keys(actor)),
      ['a fractional id', { ...actor, id: 1.5 }],
      ['a textual id', { ...actor, id: '1' }],
      ['a numeric avatar_id', { ...actor, avatar_id: 1 }],
    ],
  },
  'event-repository': {
    valid: [
      ['as documented', repository],
      ['a name with dots and dashes', { ...repository, name: 'octo-org/.config-2' }],
    ],
    invalid: [
      ...notObjects,
      ...withoutEach(repository),
      ...nullEach(repository, Object.keys(repository)),
      ['a bare name', { ...repository, name: 'hello' }],
      ['a name without owner', { ...repository, name: '/hello' }],
      ['a name of three parts', { ...repository, name: 'octo-org/hello/events' }],
      ['a textual id', { ...repository, id: '3' }],
    ],
  },
  'event-organization': {
    valid: [
      ['as documented', organization],
      ['with an empty avatar identifier', { ...organization, avatar_id: '' }],
    ],
    invalid: [
      ...notObjects,
      ...withoutEach(organization),
      ...nullEach(organization, Object.keys(organization)),
      ['a textual id', { ...organization, id: '7' }],
    ],
  },
  'push-payload': {
    valid: [
      ['as documented', push],
      ['hashes of 64 digits', { ...push, head: hash.padEnd(64, 'a'), before: hash.padEnd(64, 'b') }],
      ['with an unknown member', { ...push, size: 1, commits: [] }],
    ],
    invalid: [
      ...notObjects,
      ...withoutEach(push),
      ...nullEach(push, Object.keys(push)),
      ['a short hash', { ...push, head: hash.slice(0, 7) }],
      ['no hash', { ...push, before: 'g'.repeat(40) }],
      ['a hash of 41 digits', { ...push, head: `${hash}a` }],
      ['a textual push_id', { ...push, push_id: '1' }],
    ],
  },
  'watch-payload': {
    valid: [
      ['as documented', { action: 'started' }],
      ['another action', { action: 'stopped', more: 1 }],
    ],
    invalid: [...notObjects, ['without action', {}], ['action null', { action: null }]],
  },
  'create-payload': {
    valid: [
      ['as documented', create],
      ['with a description', { ...create, description: 'My first repository' }],
      ['a repository without ref', { ...create, ref: null, ref_type: 'repository' }],
    ],
    invalid: [
      ...notObjects,
      ...withoutEach(create),
      ...nullEach(create, ['ref_type', 'full_ref', 'master_branch', 'pusher_type']),
      ['a branch without ref', { ...create, ref: null }],
      ['a numeric ref', { ...create, ref: 1, ref_type: 'repository' }],
      ['a numeric description', { ...create, description: 5 }],
    ],
  },
  payload: {
    valid: [
      ['an empty object', {}],
      ['any object', { action: 'opened', issue: {} }],
    ],
    invalid: notObjects,
  },
  timestamp: {
    valid: [
      ['as documented', '2026-11-20T12:00:00Z'],
      ['a leap day', '2024-02-29T23:59:59Z'],
    ],
    invalid: [
      ['with fractional seconds', '2026-11-20T12:00:00.000Z'],
      ['with an offset', '2026-11-20T12:00:00+00:00'],
      ['without zone', '2026-11-20T12:00:00'],
      ['a date', '2026-11-20'],
      ['no such day', '2026-02-30T12:00:00Z'],
      ['no such hour', '2026-11-20T25:00:00Z'],
      ['in lower case', '2026-11-20t12:00:00z'],
      ['with a trailing line break', '2026-11-20T12:00:00Z\n'],
      ['an HTTP date', 'Fri, 20 Nov 2026 12:00:00 GMT'],
      ['a number', 1763640000],
      ['null', null],
    ],
  },
}

describe.each(Object.entries(samples))('the schema %s', (name, { valid, invalid }) => {
  test.each(valid)(`the schema ${name} accepts a sample: %s`, (_, value) => expect(validatorOf(name)(value)).toBe(true))
  test.each(invalid)(`the schema ${name} rejects a sample: %s`, (_, value) => expect(validatorOf(name)(value)).toBe(false))
})

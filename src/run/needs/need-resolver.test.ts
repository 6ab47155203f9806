import { describe, expect, test } from 'vitest'
import { type Config, defaults } from '../../config/config.ts'
import { Dialect } from '../../http/dialect/dialect.ts'
import type { Caller } from '../../http/exchange/caller.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import { need, role, type TokenRequest, token } from '../../suite/needs.ts'
import { checkStaticNeeds } from './given-values.ts'
import { needResolver } from './need-resolver.ts'
import type { Provider, ProviderResponse } from './provider.ts'

const oldest = '2022-11-28'
const newest = '2026-03-10'

/** A provider with the same value for every need, which records its requests. */
function providing(response: ProviderResponse): Provider & { asked: unknown[] } {
  const asked: unknown[] = []
  return {
    asked,
    ask: async (name, specifics) => {
      asked.push([name, specifics])
      return response
    },
    release: async () => {},
  }
}

/** The needs of one version of a run, for which the configuration has these values. */
function resolver(needs: Config['needs'], { version = oldest, redactor = new Redactor(), ...more }: Partial<Run> = {}) {
  const { versions = defaults.versions, provider } = more
  const config = { ...defaults, needs, versions }
  return needResolver({ config, version, provider, redactor, dialect: new Dialect() })
}

interface Run extends Pick<Config, 'versions'> {
  readonly version: typeof oldest | typeof newest
  readonly provider: Provider
  readonly redactor: Redactor
}

const unread = need('unread-thread')
const threads = ['1', '2', '3', '4'].map((thread_id) => ({ thread_id }))

describe('several static values', () => {
  test('several static values are distinguished by the feed that their path belongs to', async () => {
    const paths = ['/users/ada/events', '/users/ada/events/public', '/orgs/acme/events'].map((path) => ({ path }))
    const needs = resolver({ 'windowed-feed': paths })
    expect(await needs.resolveOne(need('windowed-feed', { feed: 'GET /orgs/{org}/events' }))).toEqual(paths[2])
    expect(await needs.resolveOne(need('windowed-feed', { feed: 'GET /users/{username}/events' }))).toEqual(paths[0])
  })

  test('several static values are searched first for the one that states the requested attributes', async () => {
    const open = { watchedRepository: 'acme/lib', followedLogin: 'zed' }
    const closed = { watchedRepository: 'acme/vault', followedLogin: 'zed', private: true }
    const needs = resolver({ 'received-events': [open, closed] })
    expect(await needs.resolveOne(need('received-events', { private: true }))).toEqual(closed)
    expect(await needs.resolveOne(need('received-events'))).toEqual(open)
  })
})

describe('static consumables', () => {
  test('static consumables are used up one by one', async () => {
    const needs = resolver({ 'unread-thread': threads }, { versions: [oldest] })
    const taken = await needs.resolve({ first: unread, second: unread })
    expect(taken).toEqual({ first: { thread_id: '1' }, second: { thread_id: '2' } })
  })

  test('a static value is known as that of its need', () => {
    const needs = resolver({ 'unread-thread': threads, organization: { org: 'acme' } })
    expect(needs.wasGivenFor('unread-thread', threads[1])).toBe(true)
    expect(needs.wasGivenFor('unread-thread', { thread_id: '7' })).toBe(false)
    expect(needs.wasGivenFor('unread-thread', { org: 'acme' })).toBe(false)
  })

  test('static consumables are never given to two versions of one run', async () => {
    const needs = { 'unread-thread': threads }
    const take = async (version: typeof oldest | typeof newest) =>
      Object.values(await resolver(needs, { version }).resolve({ a: unread, b: unread }))
    expect(
      [...(await take(oldest)), ...(await take(newest))].map((given) => (given as { thread_id: string }).thread_id).sort(),
    ).toEqual(['1', '2', '3', '4'])
  })

  test('a check without a remaining static consumable is untested and names the missing need', async () => {
    const needs = resolver({ 'unread-thread': threads.slice(0, 1) })
    await needs.resolve({ thread: unread })
    await expect(needs.resolve({ thread: unread })).rejects.toMatchObject({
      name: 'Untested',
      missing: [{ need: 'unread-thread', but: 'no given value is left or fits' }],
    })
  })

  test('a check that is missing another need leaves static consumables for other checks', async () => {
    const needs = resolver({ 'unread-thread': threads.slice(0, 1) })
    await expect(needs.resolve({ thread: unread, owner: role('owner') })).rejects.toThrow('token:owner')
    expect(await needs.resolve({ thread: unread })).toEqual({ thread: { thread_id: '1' } })
  })

  test('static consumables are used before the provider is asked for more', async () => {
    const provider = providing({ given: { thread_id: '99' } })
    const needs = resolver({ 'unread-thread': threads.slice(0, 1) }, { provider })
    const both = await needs.resolve({ first: unread, second: need('unread-thread', { reason: 'mention' }) })
    expect(both).toEqual({ first: { thread_id: '1' }, second: { thread_id: '99' } })
    expect(provider.asked).toEqual([['unread-thread', { reason: 'mention' }]])
  })

  test('static consumables with other attributes than requested are left for other checks', async () => {
    const given = [
      { thread_id: '1', owner: 'dora', repo: 'garden' },
      { thread_id: '2', owner: 'octo-org', repo: 'hello' },
    ]
    const needs = resolver({ 'unread-thread': given }, { versions: [oldest] })
    const taken = await needs.resolve({ hello: need('unread-thread', { owner: 'octo-org' }), any: unread })
    expect(taken).toMatchObject({ hello: { thread_id: '2' }, any: { thread_id: '1' } })
  })
})

describe('values and actions', () => {
  test('a value is requested once and shared', async () => {
    const provider = providing({ given: { thread_id: '7' } })
    const needs = resolver({}, { provider })
    expect(await needs.resolve({ a: need('shared-thread'), b: need('shared-thread') })).toEqual({
      a: { thread_id: '7' },
      b: { thread_id: '7' },
    })
    expect(provider.asked).toHaveLength(1)
  })

  test('an action is requested each time and is never static', async () => {
    const provider = providing({ given: { thread_id: '7' } })
    const needs = resolver({ 'new-notification': { thread_id: '1' } }, { provider })
    await needs.resolve({ a: need('new-notification'), b: need('new-notification') })
    expect(provider.asked).toHaveLength(2)
  })
})

describe('missing values', () => {
  test('all missing needs are listed, not only the first', async () => {
    const wanted = { owner: role('owner'), thread: unread, app: token({ kind: 'app-user' }) }
    await expect(resolver({}).resolve(wanted)).rejects.toMatchObject({
      missing: [{ need: 'token:owner' }, { need: 'unread-thread' }, { need: 'token' }],
    })
  })

  test('a thread that the provider returns a second time serves no other check', async () => {
    const needs = resolver({}, { provider: providing({ given: { thread_id: '7' } }) })
    expect(await needs.resolveOne(unread)).toEqual({ thread_id: '7' })
    await expect(needs.resolveOne(need('muting-thread'))).rejects.toThrow('gave it to an earlier check already')
  })

  test('a missing need states why the provider does not support it', async () => {
    const provider = providing({ unsupported: 'no large inbox here' })
    const asking = resolver({}, { provider }).resolve({ inbox: need('bulk-inbox') })
    await expect(asking).rejects.toThrow('the provider does not support it: no large inbox here')
  })

  test.each([
    ['without its member', 'unread-thread', { thread: 7 }, 'thread_id'],
    ['with a token that no header can carry', 'disposable-inbox', { token: 'inbox-93\u00007f' }, '/token must match pattern'],
  ] as const)('a provider response %s is an error instead of a missing need', async (_, name, given, says) => {
    const asking = resolver({}, { provider: providing({ given }) }).resolve({ thread: need(name) })
    await expect(asking).rejects.toMatchObject({ name: 'ProviderFailure', message: expect.stringContaining(says) })
  })
})

describe('contradictory static needs', () => {
  test.each([
    ['an unknown name', { 'unread-tread': { thread_id: '1' } }, /unread-tread.*unread-thread/s],
    ['another form', { 'unread-thread': { thread_id: 1 } }, /needs\.unread-thread.*thread_id/s],
  ])('the static need %s is a configuration error', (_, needs, reason) => {
    expect(() => checkStaticNeeds({ needs })).toThrow(reason)
  })
})

test('a provider that makes no token with many permissions is requested for one with few', async () => {
  const provider: Provider = {
    ask: async (_, specifics) => {
      const { permissions } = specifics as { permissions: object }
      return 'user' in permissions ? { unsupported: 'bare tokens alone' } : { given: { secret: 'bare-5d1c' } }
    },
    release: async () => {},
  }
  const wanted = { kind: 'app-user', broadest: true, ask: { user: { followers: 'write' } } } as const
  const needs = resolver({}, { provider })
  await expect(needs.resolveOne(token(wanted))).rejects.toThrow('bare tokens alone')
  expect(await needs.resolveOne(token({ ...wanted, instead: {} }))).toMatchObject({ secret: 'bare-5d1c', permissions: {} })
})

test('each token of the provider has a name of its own in curl lines, in any order of the requests', async () => {
  let made = 0
  const provider = { ...providing({ unsupported: '' }), ask: async () => ({ given: { secret: `made-${++made}-8c1f0a` } }) }
  const [none, read, write] = [{}, { user: { gists: 'read' } }, { user: { gists: 'write' } }] as const
  const kind = 'app-user'
  const requests = [
    { kind, permissions: none, lacks: read, ask: { user: { emails: 'read' } } },
    { kind, permissions: read, lacks: write, ask: { user: { emails: 'read', gists: 'read' } } },
    { kind, permissions: { organization: { secrets: 'read' } } },
    { kind, permissions: { repository: { secrets: 'read' } } },
    { kind, permissions: read },
    { kind, permissions: read, ask: { user: { emails: 'read', gists: 'read', keys: 'read' } } },
  ] as const
  const namesIn = async (all: readonly TokenRequest[]) => {
    const needs = resolver({}, { provider })
    const names = new Map<object, string>()
    for (const request of all) names.set(request, ((await needs.resolveOne(token(request))) as Caller).label)
    return requests.map((request) => names.get(request))
  }
  const names = await namesIn(requests)
  for (const name of names) expect(name).toMatch(/^APP_USER_[0-9A-F]{8}_TOKEN$/)
  expect(new Set(names).size).toBe(names.length)
  expect(await namesIn([...requests].reverse())).toEqual(names)
})

test('a token from a need appears in no output', async () => {
  const redactor = new Redactor()
  const provider = providing({ given: { token: 'inbox-secret-93ac' } })
  await resolver({}, { provider, redactor }).resolve({ inbox: need('disposable-inbox') })
  expect(redactor.redact('Bearer inbox-secret-93ac')).not.toContain('inbox-secret-93ac')
})

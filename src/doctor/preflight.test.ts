import { createServer, type RequestListener } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startReferenceServer } from '../../fixtures/reference/server/start.ts'
import type { Tamper } from '../../fixtures/reference/server/state/tamper.ts'
import { findVariant } from '../../fixtures/reference/variants/index.ts'
import { json, listeningOn } from '../../fixtures/samples/target/scripted-target.ts'
import { briefSleeps } from '../../fixtures/samples/time/brief-sleeps.ts'
import { suites } from '../../suites/index.ts'
import { defaults, type ReachableConfig, type TokenConfig } from '../config/config.ts'
import { systemClock } from '../http/transport/time/clock.ts'
import { allChecks } from '../run/selection/selection.ts'
import { preflight as examine } from './preflight.ts'
import { providerObstacle } from './preflight-provider.ts'

briefSleeps(systemClock)

const selection = allChecks(suites)
const preflight = (config: ReachableConfig, of = selection) => examine(config, of, AbortSignal.timeout(60_000))

async function reference(...tampers: Tamper[]) {
  const running = await startReferenceServer({ tampers })
  onTestFinished(() => running.close())
  return running
}

const responding = (response: RequestListener) => listeningOn(createServer(response))

function judging(baseUrl: string, more: Partial<ReachableConfig> = {}) {
  return { ...structuredClone(defaults), ...more, target: { paths: {}, baseUrl } }
}

/** The facts of a preflight that permits a run with the token of the owner. */
async function permitted(baseUrl: string, tokens = [owner]) {
  const { facts, obstacle } = await preflight(judging(baseUrl, { tokens }))
  expect(obstacle).toBeUndefined()
  return facts
}

const obstacleOf = async (config: ReachableConfig) => (await preflight(config)).obstacle
const owner: TokenConfig = { role: 'owner', kind: 'classic', login: 'mona', secret: 'reference-owner-7f3a1c' }

describe('a preflight of the target', () => {
  test('says that a small quota of callers without a token does not suffice', async () => {
    const { baseUrl } = await reference(findVariant('production.anonymous-quota'))
    const warnings = async (of: typeof selection) =>
      (await preflight(judging(baseUrl, { tokens: [owner] }), of)).facts.notes.filter((note) => note.includes('valid token'))
    const expected =
      /^\d{3} checks are about callers without a valid token, and the target accepts only \d\d more of their requests;/
    expect(await warnings(selection)).toEqual([expect.stringMatching(expected)])
    expect(await warnings(selection.slice(0, 10))).toEqual([])
  })

  test('mentions the long poll intervals that the target asks for, unless the configuration ignores them', async () => {
    const baseUrl = await responding(({ url = '' }, response) => {
      json(response, 200, [], { 'x-poll-interval': url.startsWith('/events') ? '60' : '5' })
    })
    const intervals = async (obey: boolean) =>
      (await preflight(judging(baseUrl, { polling: { obey, maxWaitSeconds: 120 } }))).intervals
    expect(await intervals(true)).toEqual([expect.stringMatching(/X-Poll-Interval\): GET \/events \(60 s\)\. .* obey: false/)])
    expect(await intervals(false)).toEqual([])
  })

  test('permits a run and names the server and the owner of each token', async () => {
    const { baseUrl } = await reference()
    const facts = await permitted(baseUrl)
    expect(facts).toMatchObject({
      target: 'GET /events returned 200',
      reference: false,
      tokens: [{ token: 'OWNER_TOKEN', role: 'owner', login: 'mona', state: 'accepted' }],
      notes: [],
    })
    expect(JSON.stringify(facts)).not.toContain(owner.secret)
  })

  test('names the usual scheme with which the target accepts a token that it refuses otherwise', async () => {
    const { baseUrl } = await reference()
    const other = await responding(async ({ url, headers: { authorization = '' } }, response) => {
      const bearer = authorization.replace(/^Bearer/, 'Unknown').replace(/^token /, 'Bearer ')
      const relayed = await fetch(baseUrl + url, { headers: authorization ? { authorization: bearer } : {} })
      json(response, relayed.status, await relayed.json())
    })
    const next = 'It accepts "Authorization: token …": write target.dialect with authorization: { scheme: token }'
    expect((await obstacleOf(judging(other, { tokens: [owner] })))?.sentence).toContain(next)
    const wrong = { ...owner, secret: 'reference-unissued-7f3a1c' }
    expect((await obstacleOf(judging(other, { tokens: [wrong] })))?.sentence).not.toContain('It accepts')
  })

  test('questions lists that return 404 to their owner, and states the lines to write', async () => {
    const { baseUrl } = await reference()
    const partial = await responding(async ({ url, headers }, response) => {
      const isMissing = /^\/(notifications|user\/migrations|users\/mona\/received_events\?|users\/mona\/received_events$)/.test(
        url ?? '',
      )
      const { authorization = '' } = headers
      const relayed = isMissing ? undefined : await fetch(baseUrl + url, { headers: authorization ? { authorization } : {} })
      json(response, relayed?.status ?? 404, (await relayed?.json()) ?? {})
    })
    const of = async (config: Partial<ReachableConfig>) => {
      const chosen = selection.filter(({ suite }) => config.areas?.includes(suite.area) ?? true)
      const { facts, unoffered } = await preflight(judging(partial, { tokens: [owner], ...config }), chosen)
      return [facts.notes, unoffered]
    }
    const lists = 'GET /users/{username}/received_events, GET /notifications, GET /user/migrations returned 404 to OWNER_TOKEN'
    const write = 'areas: [events, permissions, versioning] and claims: { except: ["GET /users/{username}/received_events"] }'
    const question = `${lists}. Not offered? Write ${write} (docs/guides/partial.md)`
    expect(await of({})).toEqual([[question], ['notifications', 'migrations']])
    expect(await of({ areas: ['events'], claims: { except: ['GET /users/{username}/received_events'] } })).toEqual([[], []])
    const only = 'GET /notifications returned 404 to OWNER_TOKEN. Not offered? Write claims: { except: ["GET /notifications"] }'
    expect(await of({ areas: ['notifications'] })).toEqual([[expect.stringContaining(only)], []])
  })

  test('accepts a target that offers none of the three lists, when another endpoint responds', async () => {
    const baseUrl = await responding(({ url }, response) =>
      url === '/rate_limit' ? json(response, 200, { resources: {} }) : json(response, 404, {}),
    )
    expect(await preflight(judging(baseUrl))).toMatchObject({ facts: { target: 'GET /rate_limit returned 200' } })
  })

  test('gives up a target that accepts connections and never responds after one address', async () => {
    const asked = new Set<string | undefined>()
    const baseUrl = await responding(({ url }) => void asked.add(url))
    const limits = { ...defaults.limits, timeoutSeconds: 0.4 }
    expect(await obstacleOf(judging(baseUrl, { limits }))).toMatchObject({
      kind: 'unreachable',
      sentence: expect.stringContaining('is not ready: GET /events returned nothing within 0.8 s'),
    })
    expect([...asked]).toEqual(['/events'])
  })

  test('names a wrong path with its response and the address of the API', async () => {
    const mounted = await responding(({ url }, response) => json(response, url === '/api/v3/events' ? 200 : 404, []))
    const obstacle = await obstacleOf(judging(`${mounted}/api/v4`))
    expect(obstacle?.kind).toBe('configuration')
    expect(obstacle?.sentence).toMatch(/^there is no API at http:.*\/api\/v4: GET \/events returned 404/)
    expect(obstacle?.sentence).toContain(`There is an API at ${mounted}/api/v3: write that as the base URL`)
  })

  test('a website is no API', async () => {
    const baseUrl = await responding((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hello'))
    expect(await obstacleOf(judging(baseUrl))).toMatchObject({
      kind: 'configuration',
      sentence: expect.stringContaining('GET /events returned 200 (a web page)'),
    })
  })

  test('a target that only has server errors is not ready', async () => {
    const baseUrl = await responding((_, response) => response.writeHead(500).end())
    expect(await obstacleOf(judging(baseUrl))).toMatchObject({
      kind: 'unreachable',
      sentence: expect.stringMatching(/not ready: GET \/events returned 500.*--wait 60/),
    })
  })

  test('a closed port is unreachable, and plain HTTP behind an https address is a configuration error', async () => {
    expect((await obstacleOf(judging('http://127.0.0.1:9')))?.kind).toBe('unreachable')
    const listening = await responding((_, response) => response.end('[]'))
    const dialect = { baseUrls: { '2022-11-28': 'http://127.0.0.1:9', '2026-03-10': listening } }
    const ofOneVersion = judging(listening)
    const lost = await obstacleOf({ ...ofOneVersion, target: { ...ofOneVersion.target, dialect } })
    expect(lost?.sentence).toContain('http://127.0.0.1:9')
    const plain = await responding((_, response) => response.end())
    const { port } = new URL(plain)
    expect(await obstacleOf(judging(`https://127.0.0.1:${port}`))).toEqual({
      kind: 'configuration',
      sentence: `https://127.0.0.1:${port} responses without TLS. For plain HTTP write http://127.0.0.1:${port}`,
    })
  })
})

describe('a preflight of the tokens', () => {
  test.each<[why: string, tokens: TokenConfig[], says: string]>([
    ['a refused token', [{ ...owner, secret: 'expired' }], 'the target refuses the token OWNER_TOKEN (classic, owner, mona): '],
    [
      'several refused tokens, in one sentence',
      [
        { ...owner, secret: 'expired' },
        { kind: 'app-user', login: 'mona', permissions: {}, secret: 'expired-too' },
      ],
      'and the token APP_USER_2_TOKEN',
    ],
    [
      "another account's token",
      [{ ...owner, login: 'LOGIN' }],
      'OWNER_TOKEN belongs to mona, but the configuration says login: LOGIN',
    ],
  ])('%s is a configuration error', async (_, tokens, says) => {
    const { baseUrl } = await reference()
    const obstacle = await obstacleOf(judging(baseUrl, { tokens }))
    expect(obstacle).toMatchObject({ kind: 'configuration', sentence: expect.stringContaining(says) })
    expect(obstacle?.sentence).not.toContain('expired-')
  })
})

test('a GET /user that states one login to every caller identifies no token', async () => {
  const baseUrl = await responding(({ url }, response) => json(response, 200, url === '/user' ? { login: 'local-admin' } : []))
  const outsider: TokenConfig = { role: 'outsider', kind: 'classic', login: 'hubot', secret: 'reference-outsider-c2496b' }
  const facts = await permitted(baseUrl, [owner, outsider])
  expect(facts.tokens.map(({ login }) => login)).toEqual(['mona', 'hubot'])
})

test('a login that differs from that of an invalid token tells two tokens apart, whose statuses are equal', async () => {
  const baseUrl = await responding(({ url, headers: { authorization = '' } }, response) => {
    const login = authorization.endsWith(owner.secret) ? 'mona' : 'guest'
    json(response, 200, url === '/user' ? { login } : [])
  })
  expect(await permitted(baseUrl)).toMatchObject({ tokens: [{ login: 'mona', state: 'accepted' }], notes: [] })
})

test('a list of migrations with one constant owner changes no configured login', async () => {
  const migrations = [{ id: 1, owner: { login: 'service-account' } }]
  const baseUrl = await responding(({ url = '', headers: { authorization } }, response) => {
    const status = !authorization ? 401 : url === '/user' ? 404 : 200
    json(response, status, url.startsWith('/user/migr') ? migrations : [])
  })
  expect(await permitted(baseUrl)).toMatchObject({ tokens: [{ login: 'mona' }] })
})

test('a redirect to a final slash is followed before tokens are compared', async () => {
  const baseUrl = await responding(({ url = '', headers: { authorization } }, response) => {
    if (!url.endsWith('/')) return response.writeHead(308, { location: `${url}/` }).end()
    const status = authorization === `Bearer ${owner.secret}` ? 200 : 401
    return json(response, status, [])
  })
  expect(await permitted(baseUrl)).toMatchObject({ tokens: [{ state: 'accepted' }], notes: [] })
})

test('a token that gets 401 for every request is refused, also where an invalid one gets other responses', async () => {
  const baseUrl = await responding(({ headers: { authorization = '' } }, response) =>
    json(response, authorization.endsWith('expired') ? 401 : 200, []),
  )
  const obstacle = await obstacleOf(judging(baseUrl, { tokens: [{ ...owner, secret: 'expired' }] }))
  expect(obstacle?.sentence).toContain('the target refuses the token OWNER_TOKEN')
})

describe('a preflight of the provider', () => {
  test.each([
    ['nothing listens', 'http://127.0.0.1:9/needs', 'unreachable', 'the provider at http://127.0.0.1:9/needs does not respond'],
    [
      'the module is missing',
      '/nowhere/provider.mjs',
      'configuration',
      'there is no provider module /nowhere/provider.mjs. Correct it',
    ],
  ])('%s', async (_, provider, kind, says) => {
    const { baseUrl } = await reference()
    expect(await obstacleOf(judging(baseUrl, { provider }))).toMatchObject({ kind, sentence: expect.stringContaining(says) })
  })

  test('a provider that never responds is named with the limit', async () => {
    const provider = await responding(() => {})
    const limits = { ...defaults.limits, timeoutSeconds: 0.2 }
    const { sentence } = (await providerObstacle(judging('', { provider, limits }), 'run', new AbortController().signal)) ?? {}
    expect(sentence).toContain(
      `the provider at ${provider}/ returned no usable response for the need "user" with {"role":"owner"}: it did not respond within 0.2 s (limits.timeoutSeconds)`,
    )
  })

  test('an address that does not speak the protocol is a configuration error', async () => {
    const { baseUrl } = await reference()
    expect(await obstacleOf(judging(baseUrl, { provider: `${baseUrl}/events` }))).toMatchObject({ kind: 'configuration' })
  })
})

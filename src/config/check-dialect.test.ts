import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/samples/files/temporary-folder.ts'
import { loadConfig, loadDialect } from './load.ts'

const { writeTogether: written } = temporaryFolder('configured')

function load(text: string, environment: NodeJS.ProcessEnv = {}) {
  return loadDialect(written({ 'dialect.yaml': text }), environment)
}

/** The error of a refused dialect, without the path of its folder. */
function refusal(text: string, environment: NodeJS.ProcessEnv = {}) {
  try {
    load(text, environment)
  } catch (error) {
    return (error as Error).message.replaceAll(/\S*\/(?=dialect\.yaml)/g, '')
  }
  throw new Error('the dialect was accepted')
}

describe('a dialect is rejected with the reason, and for an unknown word with its line and a suggestion', () => {
  test.each<string[]>([
    ['header: { version: X }', 'dialect.yaml:1: unknown key "header"', 'did you mean "headers"'],
    ['headers:\n  X-Pol-Interval: X', 'dialect.yaml:2: headers names "X-Pol-Interval"', 'did you mean "X-Poll-Interval"'],
    ['queryParameters:\n  perpage: limit', 'dialect.yaml:2: queryParameters names "perpage"', 'did you mean "per_page"'],
    ['paths:\n  /notification: /inbox', 'dialect.yaml:2: paths names "/notification"', 'did you mean "/notifications"'],
    ['pathWords:\n  workspace: benches', 'dialect.yaml:2: pathWords names "workspace"', 'did you mean "workspaces"'],
    ['permissions:\n  depbot_alert: x', 'dialect.yaml:2: permissions names "depbot_alert"', 'did you mean "depbot_alerts"'],
    ['fields:\n  avatarid: x', 'dialect.yaml:2: fields names "avatarid"', 'did you mean "avatar_id"'],
    ['objects:\n  events: { id: x }', 'dialect.yaml:2: objects names "events"', 'did you mean "event"'],
    ['objects:\n  thread:\n    reasons: x', 'dialect.yaml:3: objects.thread names "reasons"', 'did you mean "reason"'],
    ['version: { names: { 2026-03-01: v4 } }', 'dialect.yaml:1: unknown key "2026-03-01"', 'did you mean "2026-03-10"'],
    ['version: { send: paths }', 'version.send is "paths"', 'did you mean "path"'],
    ['authorization: { schema: token }', 'unknown key "schema"', 'did you mean "scheme"'],
    // Two words would be the same on the wire.
    ['pathWords: { workspaces: spaces, assistant: Spaces }', '"assistant" and "workspaces" would both be "Spaces" on the wire'],
    ['fields: { avatar_id: a, node_id: a }', '"node_id" and "avatar_id" would both be "a" on the wire'],
    ['fields: { avatar_id: node_id, node_id: other }', 'fields clash'],
    ['fields: { avatar_id: login }', '"avatar_id" and "login" would both be "login" on the wire'],
    ['objects: { thread: { reason: unread } }', 'objects.thread clash: "reason" and "unread"'],
    ['headers: { version: X-Forge, permissions: x-forge }', 'headers clash'],
    ['headers: { X-Poll-Interval: Date }', '"X-Poll-Interval" and "Date" would both be "Date"'],
    ['queryParameters: { per_page: page }', '"per_page" and "page" would both be "page"'],
    ['permissions: { gists: plan }', '"gists" and "plan" would both be "plan"'],
    ['paths: { /events: /notifications }', '"/notifications" and "/events" would both be "/notifications"'],
    ['pathWords: { migrations: subscriptions }', '"/user/subscriptions" and "/user/migrations" would both be'],
    ['version: { names: { 2022-11-28: v1, 2026-03-10: v1 } }', 'version.names clash'],
    ['authorization: { query: page }', 'authorization clash: "query" and "page"'],
    ['extraHeaders: { Authorization: x }', 'extraHeaders clash: the suite sends Authorization itself'],
    // The dialect contradicts itself.
    ['paths: { "/orgs/{org}/events": /activity }', 'must have the parameters org'],
    ['paths: { /events: "/activity/{day}" }', 'must have the parameters (none)'],
    ['version: { prefix: "/api/{version}" }', 'version.prefix has an effect only with version.send: path'],
    ['version: { parameter: v }', 'version.parameter has an effect only with version.send: media-type'],
    ['version: { send: path, prefix: /api }', 'version.prefix is "/api"'],
    ['accept: "a/b.{version}"', '{version} in it needs version.send: media-type'],
    ['authorization: { query: token, scheme: token }', 'authorization has query and scheme; a token is sent in one place'],
    ['authorization: { scheme: token, user: api }', 'has an effect only with scheme: Basic'],
    ['pathWords: { workspaces: a/b }', 'pathWords.workspaces is "a/b"'],
    ['headers: { version: "X Forge" }', 'headers.version is "X Forge"'],
  ])('%j', (text, ...parts) => {
    for (const part of parts) expect(refusal(text)).toContain(part)
  })
})

test.each([
  'fields: { avatar_id: avatar_id, node_id: toString }',
  'objects: { thread: { reason: title } }',
  'baseUrls: { 2022-11-28: "http://a.test", 2026-03-10: "http://b.test" }\nversion: { names: { 2022-11-28: v1, 2026-03-10: v1 } }',
  'headers: { x-poll-interval: Wait }',
])('a dialect may map a word to itself, to one of other objects, and versions with their own base URLs to one name: %j', (text) =>
  expect(load(text)).toBeDefined(),
)

describe('the environment in a dialect', () => {
  const text = 'extraHeaders:\n  X-Key: "${GATEWAY_KEY}"\n  Prefer: plain'

  test('extra headers take values from the environment and remember which are secret', () => {
    expect(load(text, { GATEWAY_KEY: 'open-sesame' })).toEqual({
      extraHeaders: { 'X-Key': 'open-sesame', Prefer: 'plain' },
      secrets: { GATEWAY_KEY: 'open-sesame' },
    })
  })

  test('an unset variable is named with its line', () =>
    expect(refusal(text)).toContain('dialect.yaml:2: the environment variable GATEWAY_KEY is not set'))
})

describe('a configuration with a dialect', () => {
  const config = (dialect: string, text: string) =>
    loadConfig(written({ 'conformance.config.yaml': `target: { dialect: ./dialect.yaml }\n${text}`, 'dialect.yaml': dialect }))

  test('tokens may name categories in the words of the target or of the document', () => {
    const tokens = (slug: string) =>
      `tokens: [{ kind: fine-grained, login: mona, permissions: { repository: { ${slug}: read } }, secret: s3cret-7f3a }]`
    for (const slug of ['updater_alerts', 'depbot_alerts']) {
      const [token] = config('permissions: { depbot_alerts: updater_alerts }', tokens(slug)).tokens
      expect(token?.permissions).toEqual({ repository: { depbot_alerts: 'read' } })
    }
    expect(() => config('permissions: { depbot_alerts: updater_alerts }', tokens('updater_alert'))).toThrow(/unknown permission/)
  })

  test('a base URL for each version is enough', () => {
    const urls = 'baseUrls: { 2022-11-28: "http://127.0.0.1:1/old", 2026-03-10: "http://127.0.0.1:1/new" }'
    expect(config(urls, '').target.baseUrl).toBe('http://127.0.0.1:1/new')
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DialectFile } from '../http/dialect.ts'
import { guess } from '../text/guess.ts'
import { UsageError } from '../text/usage-error.ts'
import type { Config } from './config.ts'
import { defaults } from './defaults.ts'
import { checkDialect } from './dialect.ts'
import { loadConfig, loadDialect } from './load.ts'

/** Writes files into a folder of the test's own; resolves to the first one's name. */
function written(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-conformance-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return join(folder, Object.keys(files)[0] as string)
}

function load(text: string, environment: NodeJS.ProcessEnv = {}): Config {
  return loadConfig(written({ 'conformance.config.yaml': text }), environment)
}

/** What a configuration is refused with, without the folder it lies in. */
function refusal(text: string, environment: NodeJS.ProcessEnv = {}): string {
  try {
    load(text, environment)
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message.replaceAll(/\S*\/(?=conformance)/g, '')
  }
  throw new Error('the configuration was accepted')
}

describe('a configuration', () => {
  test.each(['', '# nothing but a comment\n', '{}'])('may be empty: %j', (text) => expect(load(text)).toEqual(defaults))

  test('keeps the defaults of what it does not say', () => {
    const config = load('limits: { concurrency: 2 }\ngate: { strict: true }\ntarget: { baseUrl: "http://127.0.0.1:1/api" }')
    expect(config.limits).toEqual({ ...defaults.limits, concurrency: 2 })
    expect(config.gate).toMatchObject({ strict: true })
    expect(config.target).toEqual({ baseUrl: 'http://127.0.0.1:1/api', paths: {} })
    expect(config.polling).toEqual(defaults.polling)
  })

  test('leaves the defaults themselves alone', () => {
    const before = structuredClone(defaults)
    load('limits: { timeoutSeconds: 1 }\nareas: [events]')
    expect(defaults).toEqual(before)
  })

  test('takes its secrets from the environment, several in one text too', () => {
    const text = 'tokens: [{ role: owner, kind: classic, login: "${WHO}", secret: "${A}-${B}" }]'
    expect(load(text, { WHO: 'mona', A: 'x', B: 'y' }).tokens[0]).toMatchObject({ login: 'mona', secret: 'x-y' })
  })

  test('finds its other files beside itself', () => {
    const file = written({
      'conformance.config.yaml': 'target: { dialect: ./dialect.yaml }\nprovider: ./provider.mjs',
      'dialect.yaml': 'fields: { avatar_id: picture }',
    })
    const config = loadConfig(file)
    expect(config.target.dialect).toEqual({ fields: { avatar_id: 'picture' } })
    expect(config.provider).toBe(join(file, '..', 'provider.mjs'))
    expect(load('provider: https://provider.example/needs').provider).toBe('https://provider.example/needs')
  })

  test.each([
    ['8GiB', 8 * 1024 ** 3],
    ['1.5 MB', 1_500_000],
    ['64KiB', 65_536],
    ['512B', 512],
    [4096, 4096],
  ])('counts bytes: %j is %i', (written, bytes) => {
    expect(load(`limits: { archiveBytes: ${written} }`).limits.archiveBytes).toBe(bytes)
  })

  test('knows where each waiver stands', () => {
    const waiver = '{ check: a.b.c, reason: r, owner: o, link: l, expires: 2027-01-31 }'
    expect(load(`waivers:\n  - ${waiver}\n  - ${waiver}`).waivers.map(({ at }) => at?.split(':').at(-1))).toEqual(['2', '3'])
  })
})

describe('a mistake is named by file, line and text, with the likely slip', () => {
  test.each([
    [
      'a misspelt key',
      'limits:\n  concurency: 4',
      /^conformance\.config\.yaml:2: unknown key "concurency" in limits \(did you mean "concurrency"\?\); accepted: concurrency, /,
    ],
    ['a misspelt section', 'target: {}\ntoken: []', /^conformance\.config\.yaml:2: unknown key "token" .*did you mean "tokens"/],
    [
      'a key like no other',
      'quux: 1',
      /^conformance\.config\.yaml:1: unknown key "quux" in the configuration; accepted: target, /,
    ],
    [
      'a misspelt value',
      'areas: [events, notification]',
      /areas\.1 is "notification" \(did you mean "notifications"\?\); accepted: events, /,
    ],
    ['a missing member', 'tokens:\n  - { kind: classic }', /:2: tokens\.0 lacks "secret"/],
    [
      'an address with a query',
      'target: { baseUrl: "http://h.example/?a=1" }',
      /target\.baseUrl is "http:\/\/h\.example\/\?a=1".*an http\(s\) URL without/,
    ],
    ['a number out of range', 'limits: { concurrency: 0 }', /limits\.concurrency is 0: must be >= 1/],
    ['a text for a list', 'versions: 2026-03-10', /versions is "2026-03-10": must be array/],
    ['a size of its own', 'limits: { archiveBytes: 8 gigs }', /limits\.archiveBytes is "8 gigs".*8GiB/],
    [
      'a date that is none',
      'waivers: [{ check: a, reason: r, owner: o, link: l, expires: soon }]',
      /waivers\.0\.expires is "soon"/,
    ],
    ['YAML that is none', 'target: {}\nlimits: [', /^conformance\.config\.yaml:2 is not valid YAML: /],
    ['one key twice', 'areas: [events]\nareas: [events]', /:2 is not valid YAML: .*unique/],
  ])('%s', (_, text, message) => expect(refusal(text)).toMatch(message))

  test('a variable that is not set, or empty', () => {
    const text = 'target: {}\ntokens:\n  - kind: classic\n    secret: ${OWNER_TOKEN}'
    const message =
      /^conformance\.config\.yaml:4: the environment variable OWNER_TOKEN is not set \(written as \$\{OWNER_TOKEN\} at tokens\.0\.secret\)$/
    expect(refusal(text)).toMatch(message)
    expect(refusal(text, { OWNER_TOKEN: '' })).toMatch(message)
  })

  test('a file that is not there', () => {
    expect(() => loadConfig('/no/such/conformance.config.yaml')).toThrow(/\/no\/such\/conformance\.config\.yaml cannot be read/)
  })
})

describe('no mistake shows a secret', () => {
  const secret = 'ghp_s3cret7f3a'

  test.each([
    ['as a number', `tokens: [{ kind: classic, secret: [${secret}] }]`],
    ['in place of the list', `tokens: ${secret}`],
    ['in place of a token', `tokens: [${secret}]`],
    ['in an address', `target: { baseUrl: "https://mona:${secret}@h.example" }`],
    ['beside broken YAML', `tokens: [{ secret: ${secret} }\nlimits: [`],
  ])('written %s', (_, text) => expect(refusal(text)).not.toContain(secret))

  test('that the environment put in the wrong place', () => {
    const message = refusal('target: { baseUrl: "${OWNER_TOKEN}" }', { OWNER_TOKEN: secret })
    expect(message).toContain('target.baseUrl is "${OWNER_TOKEN}"')
    expect(message).not.toContain(secret)
  })
})

describe('a dialect', () => {
  test('is refused where two words would be one on the wire', () => {
    expect(() => checkDialect({ pathWords: { workspaces: 'spaces', assistant: 'Spaces' } }, 'dialect.yaml')).toThrow(
      'dialect.yaml: pathWords clash: "assistant" and "workspaces" would both be "Spaces" on the wire',
    )
  })

  test.each<DialectFile>([
    { fields: { avatar_id: 'a', node_id: 'a' } },
    { fields: { avatar_id: 'node_id', node_id: 'other' } },
    { headers: { version: 'X-Forge', permissions: 'x-forge' } },
  ])('that clashes is refused: %j', (dialect) => expect(() => checkDialect(dialect, 'd')).toThrow(/clash/))

  test('may map a word to itself, and one to what other objects have as a member', () => {
    expect(() => checkDialect({ fields: { avatar_id: 'avatar_id', node_id: 'toString' } }, 'd')).not.toThrow()
  })

  test('with a misspelt part is refused by line and text', () => {
    const file = written({ 'dialect.yaml': 'mediaType: a/b\nheader: { version: X }' })
    expect(() => loadDialect(file)).toThrow(/dialect\.yaml:2: unknown key "header".*did you mean "headers"/)
  })

  test('with words that are none is refused', () => {
    expect(() => loadDialect(written({ 'd.yaml': 'pathWords: { workspaces: a/b }' }))).toThrow(/pathWords\.workspaces is "a\/b"/)
    expect(() => loadDialect(written({ 'd.yaml': 'headers: { version: "X Forge" }' }))).toThrow(/headers\.version is "X Forge"/)
  })
})

test('a guess is made only where a word is near', () => {
  expect(guess('tokns', ['tokens', 'target'])).toBe(' (did you mean "tokens"?)')
  expect(guess('quux', ['tokens', 'target'])).toBe('')
  expect(guess('quux', [])).toBe('')
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../fixtures/samples/files/temporary-folder.ts'
import { knownSecrets } from '../http/redaction/redaction.ts'
import { didYouMean, UsageError } from '../text/errors.ts'
import { defaults } from './config.ts'
import { defineConfig, hideSecrets, loadConfig, type WrittenConfig } from './load.ts'

const { writeTogether: written } = temporaryFolder('configured')

function load(text: string, environment: NodeJS.ProcessEnv = {}) {
  return loadConfig(written({ 'conformance.config.yaml': text }), environment)
}

/** The error of a refused configuration, without the path of its folder. */
function refusal(text: string, environment: NodeJS.ProcessEnv = {}) {
  try {
    load(text, environment)
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    return (error as Error).message.replaceAll(/\S*\/(?=conformance)/g, '')
  }
  throw new Error('the configuration was accepted')
}

describe('a configuration', () => {
  test.each(['', '# nothing but a comment\n', '{}'])('a configuration may be empty: %j', (text) =>
    expect(load(text)).toMatchObject({ ...defaults, target: { paths: {} } }),
  )

  test('a configuration keeps the defaults of keys that it omits', () => {
    const config = load('limits: { concurrency: 2 }\ngate: { strict: true }\ntarget: { baseUrl: "http://127.0.0.1:1/api" }')
    expect(config.limits).toEqual({ ...defaults.limits, concurrency: 2 })
    expect(config.gate).toMatchObject({ strict: true })
    expect(config.target).toEqual({ baseUrl: 'http://127.0.0.1:1/api', paths: {} })
    expect(config.polling).toEqual(defaults.polling)
  })

  test('a token keeps the name of its environment variable, where that is all of its secret', () => {
    const { tokens } = load(
      ['${MINE}', 'x-${MINE}', 'literal-secret'].reduce(
        (text, secret) => `${text}  - { kind: classic, login: mona, secret: "${secret}" }\n`,
        'tokens:\n',
      ),
      { MINE: 'ghp_s3cret' },
    )
    expect(tokens.map(({ secret, variable }) => [secret, variable])).toEqual([
      ['ghp_s3cret', 'MINE'],
      ['x-ghp_s3cret', undefined],
      ['literal-secret', undefined],
    ])
  })

  test('loading a configuration does not change the defaults themselves', () => {
    const before = structuredClone(defaults)
    load('limits: { timeoutSeconds: 1 }\nareas: [events]')
    expect(defaults).toEqual(before)
  })

  test('a configuration takes its secrets from the environment, also several in one text', () => {
    const text = 'tokens: [{ role: owner, kind: classic, login: "${WHO}", secret: "${A}-${B}" }]'
    expect(load(text, { WHO: 'mona', A: 'xxxx', B: 'yyyy' }).tokens[0]).toMatchObject({ login: 'mona', secret: 'xxxx-yyyy' })
  })

  test('a configuration resolves its other files relative to itself', () => {
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
  ])('a configuration parses the byte count %j as %i', (written, bytes) => {
    expect(load(`limits: { archiveBytes: ${written} }`).limits.archiveBytes).toBe(bytes)
    expect(load(`limits: { bodyBytes: ${written} }`).limits.bodyBytes).toBe(bytes)
  })

  test('a configuration records the line of each waiver', () => {
    const waiver = '{ check: a.b.c, reason: r, owner: o, link: l, expires: 2027-01-31 }'
    expect(load(`waivers:\n  - ${waiver}\n  - ${waiver}`).waivers.map(({ at }) => at?.split(':').at(-1))).toEqual(['2', '3'])
  })
})

test.each(['utf16le', 'latin1'] as const)('a configuration in %s is refused, since names would be garbled', (encoding) => {
  const file = written({ 'conformance.config.yaml': '' })
  writeFileSync(file, Buffer.from('tokens: [{ kind: classic, login: "Zoë", secret: x }]', encoding))
  expect(() => loadConfig(file)).toThrow(/is not encoded as UTF-8/)
})

const bomb = [
  'a: &a [x, x]',
  ...['a', 'b', 'c'].map((name, index) => `${'bcd'[index]}: &${'bcd'[index]} [${`*${name}, `.repeat(12)}]`),
  '',
].join('\n')

describe('mistakes in a configuration', () => {
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
    ['a missing member', 'tokens:\n  - { kind: classic }', /:2: tokens\.0 is missing "secret"/],
    [
      'an address with a query',
      'target: { baseUrl: "http://h.example/?a=1" }',
      /target\.baseUrl is "http:\/\/h\.example\/\?…".*an http\(s\) URL without/,
    ],
    ['a number out of range', 'limits: { concurrency: 0 }', /limits\.concurrency is 0: must be >= 1/],
    ['a text for a list', 'versions: 2026-03-10', /versions is "2026-03-10": a list is accepted: \[2026-03-10\] \(/],
    ['a number in quotes', "limits: { concurrency: '8' }", /limits\.concurrency is "8": a whole number is accepted: 8 without/],
    ['a number for a text', 'report: { directory: 5 }', /report\.directory is 5: a text is accepted: "5" \(/],
    [
      'a text for a map',
      'target: "http://h.example"',
      /target is "http:\/\/h\.example": a map is accepted, such as \{ baseUrl: … \}/,
    ],
    ['a yes for a true', 'polling: { obey: yes }', /polling\.obey is "yes": true or false is accepted \(did you mean true\?\)/],
    ['a share of one for one of a hundred', 'gate: { minJudged: 0.8 }', /minJudged is 0\.8, which has .*\(did you mean 80%\?\)/],
    ['a variable without quotes', 'target: { baseUrl: ${URL} }', /:1 is not valid YAML: .*did you mean "\$\{URL\}" in quotes\?/],
    ['a dialect that is not there', 'target:\n  dialect: nope.yaml', /yaml:2: target\.dialect is "nope\.yaml": there is no file/],
    [
      'a secret that was forgotten',
      'tokens: [{ kind: classic, secret: }]',
      /tokens\.0\.secret is empty: a text is accepted \(the token/,
    ],
    ['a folder for suites', 'suites: .', /suites: "\." is a folder or a device; files are accepted, as in conformance\/\*\.js/],
    ['a dialect that is a folder', 'target: { dialect: . }', /yaml:1: target\.dialect is "\.": \/.* is a folder; a YAML file is/],
    ['a size of its own', 'limits: { archiveBytes: 8 gigs }', /limits\.archiveBytes is "8 gigs".*8GiB/],
    [
      'a date that is none',
      'waivers: [{ check: a, reason: r, owner: o, link: l, expires: soon }]',
      /waivers\.0\.expires is "soon"/,
    ],
    ['YAML that is none', 'target: {}\nlimits: [', /^conformance\.config\.yaml:2 is not valid YAML: /],
    [
      'a variable that is not closed',
      'target: { baseUrl: "${TARGET_URL" }',
      /:1: target.baseUrl contains "\$\{" that names no variable/,
    ],
    [
      'a map within itself',
      'target: &t { baseUrl: *t }',
      /is not valid YAML: an alias refers to a map or a list that contains it/,
    ],
    ['a list within itself', 'needs: &n { public-repository: [*n] }', /an alias refers to a map or a list that contains it/],
    ['aliases that multiply', `${bomb}target: [*d]`, /is not valid YAML: Excessive alias count/],
    [
      'a date in another form',
      'waivers:\n  - { check: events.public.status, reason: r, owner: o, link: "http://x/1", expires: 31.12.2027 }',
      /:2: waivers.0.expires is "31.12.2027": a date such as 2027-01-31 is accepted/,
    ],
    ['a very long file', `#${'x'.repeat(256 * 1024)}`, /cannot be read: it is longer than 256 KiB/],
    ['one key twice', 'areas: [events]\nareas: [events]', /:2 is not valid YAML: the map contains the key "areas" twice/],
  ])('a mistake in a configuration is reported by file, line and text: %s', (_, text, message) =>
    expect(refusal(text)).toMatch(message),
  )

  test('a variable that is unset or empty is reported by its name', () => {
    const text = 'target: {}\ntokens:\n  - kind: classic\n    secret: ${OWNER_TOKEN}'
    const message =
      /^conformance\.config\.yaml:4: the environment variable OWNER_TOKEN is not set \(written as \$\{OWNER_TOKEN\} at tokens\.0\.secret\)$/
    expect(refusal(text)).toMatch(message)
    expect(refusal(text, { OWNER_TOKEN: '' })).toMatch(message)
  })

  test('a missing file is reported by its path', () => {
    expect(() => loadConfig('/no/such/conformance.config.yaml')).toThrow('there is no file /no/such/conformance.config.yaml')
  })
})

describe('declarations of tokens', () => {
  test.each([
    [
      'a classic token with permissions',
      '{ kind: classic, permissions: {} }',
      /tokens\.0\.kind is "classic".*permissions belong/,
    ],
    [
      'an app token with scopes',
      '{ kind: app-user, scopes: [repo] }',
      /tokens\.0\.kind is "app-user"; accepted: classic \(scopes/,
    ],
    ['an installation with a login', '{ kind: app-installation, login: mona }', /does not act as one/],
    ['an account of a fine-grained token', '{ kind: fine-grained, account: octo-org }', /account names the place/],
    ['a resource owner of an app token', '{ kind: app-user, resourceOwner: octo-org }', /accepted: fine-grained \(resourceOwner/],
    ['an installation with a role', '{ kind: app-installation, role: owner }', /role belong to a user/],
  ])('the configuration rejects %s', (_, token, message) =>
    expect(refusal(`tokens: [${token.replace('{', '{ secret: hushhush,')}]`)).toMatch(message),
  )

  test.each([
    ['is too short to be kept out of the reports', 'hush-12'],
    ['contains a line break', 'hush-hush\nX-More: 1'],
    ['contains a character that no header can carry', 'hush-hush€'],
    ['contains a control character', 'hush-hush\u0000'],
  ])('a secret that %s is refused without being quoted', (_, secret) => {
    const message = refusal('tokens:\n  - { kind: classic, secret: "${SECRET}" }', { SECRET: secret })
    expect(message).toMatch(
      /^conformance\.config\.yaml:2: tokens\.0\.secret is \(not shown here\).*8 to 4096 characters that a header/,
    )
    expect(message).not.toContain('hush')
  })

  test('a secret of eight characters is accepted', () =>
    expect(load('tokens: [{ kind: classic, secret: hushhush }]').tokens).toMatchObject([{ secret: 'hushhush' }]))
})

describe('mistakes beside secrets', () => {
  const secret = 'ghp_s3cret7f3a'

  test.each([
    ['as a number', `tokens: [{ kind: classic, secret: [${secret}] }]`],
    ['in place of the list', `tokens: ${secret}`],
    ['in place of a token', `tokens: [${secret}]`],
    ['in an address', `target: { baseUrl: "https://mona:${secret}@h.example" }`],
    ['beside broken YAML', `tokens: [{ secret: ${secret} }\nlimits: [`],
  ])('a mistake never reveals a secret that is written %s', (_, text) => expect(refusal(text)).not.toContain(secret))

  test('a mistake never reveals a secret that the environment puts in the wrong place', () => {
    const message = refusal('target: { baseUrl: "${OWNER_TOKEN}" }', { OWNER_TOKEN: secret })
    expect(message).toContain('target.baseUrl is "${OWNER_TOKEN}"')
    expect(message).not.toContain(secret)
  })
})

test('a suggestion is made only when a similar word exists', () => {
  expect(didYouMean('tokns', ['tokens', 'target'])).toBe(' (did you mean "tokens"?)')
  expect(didYouMean('tragets', ['tokens', 'targets'])).toBe(' (did you mean "targets"?)')
  expect(didYouMean('organisation', ['organizer', 'organization'])).toBe(' (did you mean "organization"?)')
  expect(didYouMean('events.public.shape', ['events.public.age', 'events.public.event-shape'])).toContain('event-shape')
  expect(didYouMean('quux', ['tokens', 'target'])).toBe('')
  expect(didYouMean('quux', [])).toBe('')
})

describe('a configuration that a program states', () => {
  const stated: WrittenConfig = {
    target: { baseUrl: 'http://127.0.0.1:1' },
    tokens: [{ role: 'owner', kind: 'classic', login: 'mona', secret: '${OWNER_TOKEN}' }],
    limits: { concurrency: 2, archiveBytes: '8GiB' },
    gate: { minJudged: '80%' },
  }
  const environment = { OWNER_TOKEN: 'tok_7f3a9c' }

  test('equals a file with these members', () => {
    const { file: _, ...loaded } = load(JSON.stringify(stated), environment)
    expect(defineConfig(stated, environment)).toEqual(loaded)
    expect(loaded).toMatchObject({ gate: { minJudged: 80 }, limits: { archiveBytes: 8 * 1024 ** 3 } })
    expect(loaded.tokens[0]).toMatchObject({ secret: 'tok_7f3a9c', variable: 'OWNER_TOKEN' })
  })

  test('may leave members undefined, and is not changed when it is whole', () => {
    const whole = defineConfig({ areas: undefined } as unknown as WrittenConfig)
    expect(whole.areas).toEqual(defaults.areas)
    expect(defineConfig(whole)).toBe(whole)
    expect(defineConfig()).toEqual(whole)
  })

  test.each([
    [{ tokns: [] }, 'the stated configuration: unknown key "tokns" in the configuration (did you mean "tokens"?)'],
    [{ target: { baseUrl: 'http://127.0.0.1:0' } }, 'the stated configuration: target.baseUrl is "http://127.0.0.1:0"'],
    [{ tokens: [{ kind: 'classic', secret: '${NOWHERE}' }] }, 'the environment variable NOWHERE is not set'],
  ])('is refused like a file: %j', (wrong, sentence) => {
    expect(() => defineConfig(wrong as WrittenConfig, {})).toThrow(sentence)
    expect(() => defineConfig(wrong as WrittenConfig, {})).toThrow(UsageError)
  })
})

test('the secrets of a file are hidden before its suites are loaded', () => {
  const tokens = [{ secret: `\${LATE}` }, { secret: 'kPz72-Qw9-literal' }, { secret: `\${UNSET}` }, {}]
  hideSecrets({ tokens }, { LATE: 'vXy31-Tr8-environment' })
  expect(knownSecrets.redact('vXy31-Tr8-environment kPz72-Qw9-literal')).toBe('$LATE $TOKEN_2')
})

test('a variable with the name of a secret is hidden wherever the configuration repeats it', () => {
  const environment = { CI_API_KEY: 'qLm82-Vb4-elsewhere', DB_PASSWORD: 'tYu55-Re1-elsewhere', CITY: 'amsterdam-north' }
  hideSecrets(
    { target: { baseUrl: 'http://forge.test/${CI_API_KEY}/${CITY}' }, waivers: [{ link: '${DB_PASSWORD}' }] },
    environment,
  )
  expect(knownSecrets.redact('http://forge.test/qLm82-Vb4-elsewhere/amsterdam-north tYu55-Re1-elsewhere')).toBe(
    'http://forge.test/$CI_API_KEY/amsterdam-north $DB_PASSWORD',
  )
})

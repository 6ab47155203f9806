import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import { findVariant } from '../../../fixtures/reference/variants/index.ts'
import { commandLine } from '../../../fixtures/samples/command-line.ts'
import { servedFolder } from '../../../fixtures/samples/served-folder.ts'
import { scriptedTarget } from '../../../fixtures/samples/target/scripted-target.ts'
import { suites } from '../../../suites/index.ts'
import { defaults } from '../../config/config.ts'
import { loadConfig } from '../../config/load.ts'
import { coverageOf } from '../../record/verdict.ts'
import { readRun } from '../../report/files/read.ts'

const { at, server, read, write, configure } = servedFolder('init')

afterEach(() => void vi.unstubAllEnvs())

const withOwner = () => vi.stubEnv('OWNER_TOKEN', 'reference-owner-7f3a1c')
const doctor = (words: string) => commandLine(`doctor --config ${words}`)
const init = (words: string) => commandLine(`init ${words}`)
/** The forecast of `init` is quick for the suites of one area. */
const initForEvents = (words: string) => commandLine(`init ${words}`, async () => suites.filter(({ area }) => area === 'events'))

describe('init and doctor', () => {
  test('init writes a configuration that loads and that doctor accepts except for missing needs', async () => {
    const file = at('conformance.config.yaml')
    withOwner()
    const { baseUrl, providerUrl } = server()
    const { out } = await initForEvents(`--base-url ${baseUrl} --provider ${providerUrl} --config ${file}`)
    expect(out).toMatch(/^ok +GET \/events returned 200$/m)
    expect(loadConfig(file)).toMatchObject({ provider: server().providerUrl, tokens: [{ role: 'owner', login: 'mona' }] })
    const { out: text, code } = await doctor(`${file} --only events.user`)
    expect(code).toBe(0)
    expect(text).toMatch(/accepted +token OWNER_TOKEN \(classic of mona\): .*GET \/notifications returned 200/)
    expect(text).toMatch(/^events +\d+ of \d+ +\d+ % +\d+ %$/m)
    expect(text).toMatch(/^\+\d+ +\d+ +token:outsider: add/m)
    expect(text).not.toContain('reference-owner')
  })

  test('init finds that its file cannot be written before it sends a request, and leaves no part of a file behind', async () => {
    const below = join(write('a-file', 'text'), 'below.yaml')
    expect((await init(`--base-url http://127.0.0.1:9 --config ${below}`)).err).toContain(`--config "${below}": `)
    const missing = at('missing.yaml')
    expect((await init(`--base-url http://127.0.0.1:9 --config ${missing}`)).err).toContain(`${missing} was not written`)
    expect(existsSync(missing)).toBe(false)
  })

  test('init never writes an active token of an unknown login, and keeps the default limit of the gate', async () => {
    const file = at('unknown.yaml')
    vi.stubEnv('INBOX_USER_TOKEN', 'reference-inbox-user-a80f17')
    const { out } = await init(`--base-url ${server().baseUrl} --config ${file}`)
    expect(out).toContain('the target does not name the user of INBOX_USER_TOKEN')
    expect(loadConfig(file)).toMatchObject({ tokens: [], gate: { minJudged: defaults.gate.minJudged } })
  })

  test('doctor counts the checks that a target may leave untested because it hides unknown objects from every caller', async () => {
    const hiding = await startReferenceServer({ tampers: [findVariant('permissions.hides-as-404')] })
    onTestFinished(() => hiding.close())
    const owner = '{ role: owner, kind: classic, login: mona, secret: reference-owner-7f3a1c }'
    const text = `target: { baseUrl: "${hiding.baseUrl}" }\nareas: [permissions]\nversions: ["2026-03-10"]\n`
    const file = write('hiding.yaml', `${text}tokens:\n  - ${owner}\ngate: { minJudged: 0 }\n`)
    await commandLine(`run --quiet --config ${file} --out ${at('hiding')}`)
    const { judgedMust } = coverageOf(readRun(at('hiding')).reports[0]?.checks ?? [])
    const predicted = JSON.parse((await doctor(`${file} --json`)).out)
    expect(predicted.doubtful).toBeGreaterThan(0)
    expect(judgedMust).toBeGreaterThanOrEqual(predicted.judgedMust - predicted.doubtful)
    expect(judgedMust).toBeLessThan(predicted.judgedMust)
    expect((await doctor(file)).out).toContain(`\nUp to ${predicted.doubtful} stay untested on a`)
  })

  test('init adds a token to a file that exists and keeps the rest of it', async () => {
    const before = `# mine\ntarget: { baseUrl: "${server().baseUrl}" } # here\nareas: [events]\ngate: { minJudged: 1% }\n`
    const file = write('extended.yaml', before)
    withOwner()
    const { out } = await init(`--base-url ${server().baseUrl} --config ${file} --login owner=mona`)
    expect(out).toMatch(/^accepted OWNER_TOKEN belongs to mona$/m)
    expect(loadConfig(file)).toMatchObject({ areas: ['events'], tokens: [{ role: 'owner', login: 'mona' }] })
    const probe = ', rateLimit: { path: /rate_limit, pointer: /resources/core/remaining, counts: down } } # here'
    const kept = before.replace(' } # here', probe).replace('[events]', '[ events ]')
    expect(read('extended.yaml').split('tokens:')[0]).toBe(kept)
    expect(read('extended.yaml')).not.toContain('7f3a1c')
  })

  test('init changes nothing in a file that contains all findings already, and keeps every key and comment of any', async () => {
    const file = write(
      'kept.yaml',
      [
        '# the team staging',
        'target:',
        `  baseUrl: "${server().baseUrl}/" # with a slash`,
        '  paths: { downloadArchive: "/user/migrations/{migration_id}/archive" }',
        'gate: { minJudged: 1%, flaky: fail } # ours',
        'limits: { requestsPerSecond: 1000 }',
        'waivers: [] # none yet',
        '',
      ].join('\n'),
    )
    const before = loadConfig(file)
    expect((await init(`--config ${file}`)).out).toContain('added    target.rateLimit')
    const text = read('kept.yaml')
    const { target, ...rest } = loadConfig(file)
    expect({ ...rest, target: { ...target, rateLimit: undefined } }).toEqual({
      ...before,
      target: { ...before.target, rateLimit: undefined },
    })
    expect(text.match(/#.*/g)).toEqual(['# the team staging', '# with a slash', '# ours', '# none yet'])
    const refused = await init(`--config ${file} --provider http://127.0.0.1:9/given`)
    expect(refused.err).toContain('kept.yaml was not changed')
    expect((await init(`--config ${file}`)).out).toContain('contains all findings already, and was not changed')
    expect(read('kept.yaml')).toBe(text)
  })

  test.each([
    ['5%', 0],
    ['99%', 3],
  ])('doctor ends as the run would: with gate.minJudged %s the code is %i', async (limit, expected) => {
    const { out: text, code } = await doctor(`${configure(`gate: { minJudged: ${limit} }`)} --only events.public.*`)
    expect(code).toBe(expected)
    expect(text.includes('A run would be inconclusive: 2026-03-10: ')).toBe(expected === 3)
  })

  test('doctor says that another limit of the gate would be missed', async () => {
    const { out: text, code } = await doctor(`${configure('gate: { maxUntested: 3 }')} --only events.*`)
    expect(code).toBe(1)
    expect(text).toMatch(/The gate of a run would fail: 2026-03-10: \d+ checks are untested, but gate.maxUntested allows only 3/)
  })

  test('doctor prints the dialect that is used', async () => {
    const words = { mediaType: 'application/vnd.forge+json', headers: { permissions: 'X-Forge-Scopes' } }
    const forge = await startReferenceServer({ words })
    write('dialect.yaml', JSON.stringify(words))
    const file = write('forge.yaml', `target: { baseUrl: "${forge.baseUrl}", dialect: ./dialect.yaml }\n`)
    const { out: text } = await doctor(`${file} --only events.public`)
    await forge.close()
    expect(text).toContain('dialect        headers: X-Accepted-Service-Permissions → X-Forge-Scopes\n')
    expect(text).toContain('response       GET /events returned 200')
  })

  test('init writes nothing for an address without an API', async () => {
    const website = await scriptedTarget((_, response) => response.writeHead(404).end())
    const { err } = await init(`--base-url ${website.baseUrl} --config ${at('nowhere.yaml')}`)
    expect(err).toContain('there is no API at')
    expect(existsSync(at('nowhere.yaml'))).toBe(false)
  })

  test('init finds an API below another path, with tokens of another scheme, and writes both with a comment', async () => {
    const other = await startReferenceServer({
      words: { authorization: { scheme: 'token' } },
      tampers: [findVariant('events.path-prefix')],
    })
    onTestFinished(() => other.close())
    mkdirSync(at('other'))
    const file = at('other/conformance.config.yaml')
    withOwner()
    const { origin } = new URL(other.baseUrl)
    expect((await initForEvents(`--base-url ${origin} --config ${file}`)).out).toMatch(
      /^added +target.dialect: .\/dialect.yaml, with authorization: \{ scheme: token \}$/m,
    )
    expect(loadConfig(file)).toMatchObject({
      target: { baseUrl: `${origin}/api/v3`, dialect: { authorization: { scheme: 'token' } } },
      tokens: [{ role: 'owner', login: 'mona' }],
    })
    expect(read('other/conformance.config.yaml')).toContain(
      `# seen: GET /events returned 200 here, and there is no API at ${origin}\n`,
    )
    expect(read('other/dialect.yaml')).toMatch(
      /^# seen: with this scheme, OWNER_TOKEN: .*GET \/notifications returned 200.*\n\nauthorization: \{ scheme: token \}\n$/,
    )
    expect((await initForEvents(`--config ${file}`)).out).toContain('and was not changed')
    write('other/conformance.config.yaml', `target: { baseUrl: "${other.baseUrl}" }\n`)
    const { err } = await initForEvents(`--config ${file}`)
    expect(err).toContain('dialect.yaml exists and states another authorization')
  })

  test('doctor names a token that the target refuses', async () => {
    const token = '{ role: owner, kind: classic, login: mona, scopes: [repo], secret: nobodys-secret }'
    const { out: text, code } = await doctor(`${configure(`tokens: [${token}]`)} --only events.public.status`)
    expect(code).toBe(2)
    expect(text).toContain('A run cannot begin: the target refuses the token OWNER_TOKEN (classic, owner, mona)')
  })

  test('doctor mentions a long poll interval, in words and as JSON', async () => {
    const { baseUrl } = await scriptedTarget((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-poll-interval': '60' }).end('[]')
    })
    for (const how of ['', ' --json']) {
      const { out } = await commandLine(`doctor --base-url ${baseUrl} --only events.public.status${how}`)
      expect(out).toContain('(X-Poll-Interval): GET /events (60 s). ')
    }
  })

  test('doctor reports that nothing listens', async () => {
    const refused = await commandLine('doctor --base-url http://127.0.0.1:9 --only events.public.status')
    expect(refused).toMatchObject({ code: 3, out: expect.stringContaining('ECONNREFUSED') })
  })
})

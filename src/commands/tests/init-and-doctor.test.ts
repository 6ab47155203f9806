import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import { findVariant } from '../../../fixtures/reference/variants/index.ts'
import { servedFolder } from '../../../fixtures/samples/served-folder.ts'
import { scriptedTarget } from '../../../fixtures/samples/target/scripted-target.ts'
import { suites } from '../../../suites/index.ts'
import { defaults } from '../../config/config.ts'
import { loadConfig } from '../../config/load.ts'
import { coverageOf } from '../../record/verdict.ts'
import { readRun } from '../../report/files/read.ts'
import { Catalogue } from '../../suite/catalogue.ts'
import { outputTo } from '../common/streams.ts'
import { doctorCommand } from '../doctor.ts'
import { initCommand } from '../init.ts'
import { runCommand } from '../run.ts'

const catalogue = new Catalogue(suites)

const { folder, server, write } = servedFolder('init')
const events = new Catalogue(suites.filter(({ area }) => area === 'events'))

describe('init and doctor', () => {
  test('init writes a configuration that loads and that doctor accepts except for missing needs', async () => {
    const file = join(folder, 'conformance.config.yaml')
    process.env.OWNER_TOKEN = 'reference-owner-7f3a1c'
    const said = await initCommand({ baseUrl: server().baseUrl, provider: server().providerUrl, config: file }, events)
    expect(said).toMatch(/^ok +GET \/events returned 200$/m)
    expect(loadConfig(file)).toMatchObject({ provider: server().providerUrl, tokens: [{ role: 'owner', login: 'mona' }] })
    const { text, code } = await doctorCommand({ config: file, only: ['events.user'] }, catalogue)
    delete process.env.OWNER_TOKEN
    expect(code).toBe(0)
    expect(text).toMatch(/accepted +token OWNER_TOKEN \(classic of mona\): .*GET \/notifications returned 200/)
    expect(text).toMatch(/^events +\d+ of \d+ +\d+ % +\d+ %$/m)
    expect(text).toMatch(/^\+\d+ +\d+ +token:outsider: add/m)
    expect(text).not.toContain('reference-owner')
  })

  test('init finds that its file cannot be written before it sends a request, and leaves no part of a file behind', async () => {
    const nowhere = { baseUrl: 'http://127.0.0.1:9' }
    const below = join(write('a-file', 'text'), 'below.yaml')
    await expect(initCommand({ ...nowhere, config: below }, catalogue)).rejects.toThrow(`--config "${below}": `)
    const missing = join(folder, 'missing.yaml')
    await expect(initCommand({ ...nowhere, config: missing }, catalogue)).rejects.toThrow(`${missing} was not written`)
    expect(existsSync(missing)).toBe(false)
  })

  test('init never writes an active token of an unknown login, and keeps the default limit of the gate', async () => {
    const file = join(folder, 'unknown.yaml')
    process.env.INBOX_USER_TOKEN = 'reference-inbox-user-a80f17'
    const said = await initCommand({ baseUrl: server().baseUrl, config: file }, catalogue)
    delete process.env.INBOX_USER_TOKEN
    expect(said).toContain('the target does not name the user of INBOX_USER_TOKEN')
    expect(loadConfig(file)).toMatchObject({ tokens: [], gate: { minJudged: defaults.gate.minJudged } })
  })

  test('doctor counts the checks that a target may leave untested because it hides unknown objects from every caller', async () => {
    const hiding = await startReferenceServer({ tampers: [findVariant('permissions.hides-as-404')] })
    onTestFinished(() => hiding.close())
    const owner = '{ role: owner, kind: classic, login: mona, secret: reference-owner-7f3a1c }'
    const text = `target: { baseUrl: "${hiding.baseUrl}" }\nareas: [permissions]\nversions: ["2026-03-10"]\n`
    const file = write('hiding.yaml', `${text}tokens:\n  - ${owner}\ngate: { minJudged: 0 }\n`)
    const out = join(folder, 'hiding')
    await runCommand({ config: file, out, quiet: true }, catalogue, outputTo({ print: () => {}, warn: () => {} }))
    const { judgedMust } = coverageOf(readRun(out).reports[0]?.checks ?? [])
    const predicted = JSON.parse((await doctorCommand({ config: file, json: true }, catalogue)).text)
    expect(predicted.doubtful).toBeGreaterThan(0)
    expect(judgedMust).toBeGreaterThanOrEqual(predicted.judgedMust - predicted.doubtful)
    expect(judgedMust).toBeLessThan(predicted.judgedMust)
    expect((await doctorCommand({ config: file }, catalogue)).text).toContain(`\nUp to ${predicted.doubtful} stay untested on a`)
  })

  test('init adds a token to a file that exists and keeps the rest of it', async () => {
    const before = `# mine\ntarget: { baseUrl: "${server().baseUrl}" } # here\nareas: [events]\ngate: { minJudged: 1% }\n`
    const file = write('extended.yaml', before)
    process.env.OWNER_TOKEN = 'reference-owner-7f3a1c'
    const said = await initCommand(
      { baseUrl: server().baseUrl, config: file, login: [{ role: 'owner', login: 'mona' }] },
      catalogue,
    )
    expect(said).toMatch(/^accepted OWNER_TOKEN belongs to mona$/m)
    expect(loadConfig(file)).toMatchObject({ areas: ['events'], tokens: [{ role: 'owner', login: 'mona' }] })
    delete process.env.OWNER_TOKEN
    const probe = ', rateLimit: { path: /rate_limit, pointer: /resources/core/remaining, counts: down } } # here'
    const kept = before.replace(' } # here', probe).replace('[events]', '[ events ]')
    expect(readFileSync(file, 'utf8').split('tokens:')[0]).toBe(kept)
    expect(readFileSync(file, 'utf8')).not.toContain('7f3a1c')
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
    expect(await initCommand({ config: file }, catalogue)).toContain('added    target.rateLimit')
    const text = readFileSync(file, 'utf8')
    const { target, ...rest } = loadConfig(file)
    expect({ ...rest, target: { ...target, rateLimit: undefined } }).toEqual({
      ...before,
      target: { ...before.target, rateLimit: undefined },
    })
    expect(text.match(/#.*/g)).toEqual(['# the team staging', '# with a slash', '# ours', '# none yet'])
    const said = await initCommand({ config: file, provider: 'http://127.0.0.1:9/given' }, catalogue).catch(String)
    expect(said).toContain('kept.yaml was not changed')
    expect(await initCommand({ config: file }, catalogue)).toContain('contains all findings already, and was not changed')
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test.each([
    ['5%', 0],
    ['99%', 3],
  ])('doctor ends as the run would: with gate.minJudged %s the code is %i', async (limit, expected) => {
    const file = write('limit.yaml', `target: { baseUrl: "${server().baseUrl}" }\ngate: { minJudged: ${limit} }\n`)
    const { text, code } = await doctorCommand({ config: file, only: ['events.public.*'] }, catalogue)
    expect(code).toBe(expected)
    expect(text.includes('A run would be inconclusive: 2026-03-10: ')).toBe(expected === 3)
  })

  test('doctor says that another limit of the gate would be missed', async () => {
    const file = write('untested.yaml', `target: { baseUrl: "${server().baseUrl}" }\ngate: { maxUntested: 3 }\n`)
    const { text, code } = await doctorCommand({ config: file, only: ['events.*'] }, catalogue)
    expect(code).toBe(1)
    expect(text).toMatch(/The gate of a run would fail: 2026-03-10: \d+ checks are untested, but gate.maxUntested allows only 3/)
  })

  test('doctor prints the dialect that is used', async () => {
    const words = { mediaType: 'application/vnd.forge+json', headers: { permissions: 'X-Forge-Scopes' } }
    const forge = await startReferenceServer({ words })
    write('dialect.yaml', JSON.stringify(words))
    const file = write('forge.yaml', `target: { baseUrl: "${forge.baseUrl}", dialect: ./dialect.yaml }\n`)
    const { text } = await doctorCommand({ config: file, only: ['events.public'] }, catalogue)
    await forge.close()
    expect(text).toContain('dialect        headers: X-Accepted-Service-Permissions → X-Forge-Scopes\n')
    expect(text).toContain('response       GET /events returned 200')
  })

  test('init writes nothing for an address without an API', async () => {
    const website = await scriptedTarget((_, response) => response.writeHead(404).end())
    const file = join(folder, 'nowhere.yaml')
    await expect(initCommand({ baseUrl: website.baseUrl, config: file }, catalogue)).rejects.toThrow('there is no API at')
    expect(existsSync(file)).toBe(false)
  })

  test('init finds an API below another path, with tokens of another scheme, and writes both with a comment', async () => {
    const other = await startReferenceServer({
      words: { authorization: { scheme: 'token' } },
      tampers: [findVariant('events.path-prefix')],
    })
    onTestFinished(() => other.close())
    mkdirSync(join(folder, 'other'))
    const file = join(folder, 'other', 'conformance.config.yaml')
    process.env.OWNER_TOKEN = 'reference-owner-7f3a1c'
    onTestFinished(() => void delete process.env.OWNER_TOKEN)
    const { origin } = new URL(other.baseUrl)
    const said = await initCommand({ baseUrl: origin, config: file }, events)
    expect(said).toMatch(/^added +target.dialect: .\/dialect.yaml, with authorization: \{ scheme: token \}$/m)
    expect(loadConfig(file)).toMatchObject({
      target: { baseUrl: `${origin}/api/v3`, dialect: { authorization: { scheme: 'token' } } },
      tokens: [{ role: 'owner', login: 'mona' }],
    })
    expect(readFileSync(file, 'utf8')).toContain(`# seen: GET /events returned 200 here, and there is no API at ${origin}\n`)
    const dialect = readFileSync(join(folder, 'other', 'dialect.yaml'), 'utf8')
    expect(dialect).toMatch(
      /^# seen: with this scheme, OWNER_TOKEN: .*GET \/notifications returned 200.*\n\nauthorization: \{ scheme: token \}\n$/,
    )
    expect(await initCommand({ config: file }, events)).toContain('and was not changed')
    write('other/conformance.config.yaml', `target: { baseUrl: "${other.baseUrl}" }\n`)
    await expect(initCommand({ config: file }, events)).rejects.toThrow('dialect.yaml exists and states another authorization')
  })

  test('doctor names a token that the target refuses', async () => {
    const token = '{ role: owner, kind: classic, login: mona, scopes: [repo], secret: nobodys-secret }'
    const file = write('stranger.yaml', `target: { baseUrl: "${server().baseUrl}" }\ntokens:\n  - ${token}\n`)
    const { text, code } = await doctorCommand({ config: file, only: ['events.public.status'] }, catalogue)
    expect(code).toBe(2)
    expect(text).toContain('A run cannot begin: the target refuses the token OWNER_TOKEN (classic, owner, mona)')
  })

  test('doctor mentions a long poll interval, in words and as JSON', async () => {
    const { baseUrl } = await scriptedTarget((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-poll-interval': '60' }).end('[]')
    })
    for (const how of [{}, { json: true }] as const) {
      const { text } = await doctorCommand({ baseUrl, ...how, only: ['events.public.status'] }, catalogue)
      expect(text).toContain('(X-Poll-Interval): GET /events (60 s). ')
    }
  })

  test('doctor reports that nothing listens', async () => {
    const { text, code } = await doctorCommand({ baseUrl: 'http://127.0.0.1:9', only: ['events.public.status'] }, catalogue)
    expect(code).toBe(3)
    expect(text).toContain('ECONNREFUSED')
  })
})

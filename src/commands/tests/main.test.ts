import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import { suites } from '../../../suites/index.ts'
import { main } from '../program.ts'

const folder = mkdtempSync(join(tmpdir(), 'service-conformance-main-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The result of a call of the command line within this process. */
async function call(words: string[]): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = []
  const err: string[] = []
  const output = { print: (text: string) => void out.push(text), warn: (text: string) => void err.push(text) }
  const code = await main(words, async () => suites, output)
  return { code, out: out.join(''), err: err.join('') }
}

function write(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

test.each([
  [
    'a package that cannot be loaded',
    () => import(join(folder, 'absent.mjs')),
    /^the installation is incomplete, or .*ulimit -n/m,
  ],
  ['an unexpected error', () => Promise.reject(new Error('no luck')), /^this is an error in the suite, .*main\.test\.ts/m],
])('the command names the origin of %s', async (_, suitesOf, origin) => {
  const warned: string[] = []
  const code = await main(['list', 'checks'], suitesOf, { print: () => undefined, warn: (text) => void warned.push(text) })
  expect({ code, err: warned.join('') }).toEqual({ code: 3, err: expect.stringMatching(origin) })
})

test('a misspelt key of the configuration is named with the line and the likely slip', async () => {
  const { code, err } = await call(['run', '--config', write('slip.yaml', 'areas: [events]\ntokns: []\n')])
  expect(code).toBe(2)
  expect(err).toContain('slip.yaml:2: unknown key "tokns"')
  expect(err).toContain('did you mean "tokens"?')
})

test('a variable of the environment that is not set is named', async () => {
  const { code, err } = await call(['run', '--config', write('unset.yaml', 'target: { baseUrl: "${NOWHERE_URL}" }\n')])
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('NOWHERE_URL is not set') })
})

test('a waiver of a check that does not exist is named with its line', async () => {
  const waiver = '{ check: events.public.statu, reason: r, owner: o, link: l, expires: 2099-01-01 }'
  const { code, err } = await call(['run', '--config', write('waiver.yaml', `waivers:\n  - ${waiver}\n`)])
  expect(code).toBe(2)
  expect(err).toContain('waiver.yaml:2: there is no check "events.public.statu"')
})

const empty = write('empty.yaml', 'areas: [events]\n')
const claims = write('claims.yaml', 'target: { reference: true }\nclaims: { except: ["GET /user", "GET /gist"] }\n')
const needs = write('needs.yaml', 'target: { reference: true }\nneeds: { public-repo: { owner: octo-org, repo: hello } }\n')
const twice = write('twice.yaml', 'areas: [events]\nareas: [events]\n')
const list = write('list.yaml', '- events\n')
const port = write('port.yaml', 'areas: [events]\ntarget: { baseUrl: "http://127.0.0.1:70000" }\n')
const method = write('method.yaml', 'target: { reference: true }\nclaims: { except: ["get /events"] }\n')
const member = write('member.yaml', 'target: { reference: true }\nneeds: { public-repository: { owner: mona, rep: hello } }\n')
const ftp = write('ftp.yaml', 'target: { reference: true }\nprovider: ftp://mona:p4ss@127.0.0.1/p\n')

test.each([
  [['run', '--config', method], 'method.yaml:2: claims.except.0 is "get /events": a method and a path are accepted'],
  [['run', '--config', member], '(did you mean "repo" instead of "rep"?)'],
  [['run', '--config', ftp], 'ftp.yaml:2: provider is "ftp://…@127.0.0.1/p": an http(s) URL or the path of a JavaScript module'],
  [['explain', 'G99'], 'there is no reading G99'],
  [['report', join(folder, 'none')], 'none"; a directory with run.json is accepted'],
  [['merge', folder, '--out', folder], 'there is no run.json in '],
  [['run', '--reference', '--out', join(empty, 'below')], 'empty.yaml is a file'],
  [['run', '--config', empty, '--only', 'events.pubic'], 'selects no check'],
  [['rum'], 'did you mean "run"?'],
  [['run', '--stict'], 'Did you mean --strict?'],
  [['run', '--area', 'event'], 'did you mean "events"?'],
  [['run', '--max-requests', '0'], 'a whole number from 1 on is accepted'],
  [['run', '--max-requests', 'many'], 'a whole number from 1 on is accepted'],
  [['run', '--seed', '-1'], 'a whole number is accepted'],
  [['run', '--shard', '3/2'], 'I/N with 1 ≤ I ≤ N'],
  [['run', '--config', empty], 'empty.yaml sets no target.baseUrl'],
  [['run', '--reference', '--base-url', 'http://127.0.0.1:1'], "cannot be used with option '--base-url <url>'"],
  [['serve', '--port', '-1'], 'a port from 0 to 65535 is accepted'],
  [['serve', '--fault', 'events.public.no-etg'], 'events.public.no-etg'],
  [['explain', 'events.public.statu'], 'did you mean "events.public.status"?'],
  [['init', '--login', 'owner'], 'role=login is accepted'],
  [['waive', 'events.public.status', '--expires', '2027-02-30'], 'a date is accepted'],
  [['openapi'], "required option '--api-version <version>' not specified"],
  [['serve', '--port', '99999'], 'a port from 0 to 65535 is accepted'],
  [['waive', 'events.public.status', '--expires', '2020-11-30'], 'the date is in the past'],
  [['waive', 'events.public.status', '--link', 'tracker'], 'an http(s) address is accepted'],
  [['waive', 'events.public.status', '--owner', 'mona'], '--reason, --link, --expires must be given'],
  [['run', '--config', claims], 'claims.yaml:2: claims.except: no check is about "GET /gist" (did you mean "GET /gists"?)'],
  [['run', '--config', needs], 'needs.yaml:2: there is no need "public-repo" (did you mean "public-repository"?)'],
  [
    ['run', '--reference', '--out', '/proc/reports', '--only', 'events.public.status'],
    'reports cannot be written to /proc/reports',
  ],
  [
    ['run', '--base-url', 'http://127.0.0.1:70000'],
    '--base-url "http://127.0.0.1:70000": an http(s) URL with a port from 1 to 65535',
  ],
  [['run', '--base-url', 'http://u:p4ssw0rd@127.0.0.1'], '--base-url "http://…@127.0.0.1": an http(s) URL'],
  [['run', '--base-url', 'http://127.0.0.1/?token=s3cret'], '--base-url "http://127.0.0.1/?…": an http(s) URL'],
  [['http://127.0.0.1/?token=s3cret'], 'did you mean "--base-url http://127.0.0.1/?…"?'],
  [['run', '--base-url', 'localhost:3000'], 'did you mean "http://localhost:3000"?'],
  [['init', '--base-url', 'ftp://127.0.0.1'], '--base-url "ftp://127.0.0.1"'],
  [['http://127.0.0.1:1'], 'did you mean "--base-url http://127.0.0.1:1"?'],
  [['run', '--config', folder], 'is a folder; a YAML file is accepted'],
  [['run', '--config', join(folder, 'clams.yaml')], 'clams.yaml (did you mean "claims.yaml"?)'],
  [['run', '--config', twice], 'twice.yaml:2 is not valid YAML: the map contains the key "areas" twice'],
  [['run', '--config', list], 'list.yaml:1 is a list; a map is accepted'],
  [['run', '--config', port], 'port.yaml:2: target.baseUrl is "http://127.0.0.1:70000": no connection can be made to it'],
  [['run', '--reference', '--only', 'Events.Public.Status'], 'did you mean "events.public.status"?'],
  [['run', '--reference', '--har', 'a.har', '--watch'], "cannot be used with option '--watch'"],
  [['serve', '--write-config', folder], 'it is a folder; a file is accepted'],
  [['init', '--base-url', 'http://127.0.0.1:9', '--config', join(list, 'a.yaml')], 'list.yaml is a file; the path of a folder'],
  [
    ['init', '--base-url', 'http://127.0.0.1:9', '--config', join(list, 'b', 'a.yaml')],
    'list.yaml is a file; the path of a folder',
  ],
  [['init', '--base-url', 'http://127.0.0.1:9', '--config', folder], 'is a folder; a YAML file is accepted'],
  [
    ['run', '--base-url', '--only', 'events.public'],
    '--base-url is followed by "--only", which is an option; a value is accepted',
  ],
  [['run', 'events.public.status'], 'did you mean "--only events.public.status"?'],
  [['run', '--format', 'html,json'], 'did you mean "--format html --format json"?'],
  [['provider', 'new', 'ruby'], 'accepted: python, node, go'],
])('the error for %j names the accepted form', async (words, text) => {
  const { code, out, err } = await call(words)
  expect({ code, out, err }).toMatchObject({ code: 2, out: '', err: expect.stringContaining(text) })
})

test('the error for a wrong value of an option is wrapped at the width of the terminal', async () => {
  const { columns } = process.stdout
  process.stdout.columns = 80
  const { err } = await call(['run', '--area', 'event'])
  process.stdout.columns = columns
  expect(err).toContain('did you mean')
  expect(err.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test.each(['run', 'doctor', 'plan'])('%s without a target names the three ways to choose one', async (command) => {
  const { code, out, err } = await call([command, '--config', empty])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  for (const way of ['--base-url', '--config', '--reference']) expect(err).toContain(`  ${way} `)
})

test('a configuration with both a base URL and the reference server is rejected with its line', async () => {
  const file = write('both.yaml', 'target:\n  baseUrl: "http://127.0.0.1:1"\n  reference: true\n')
  const { code, err } = await call(['run', '--config', file])
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('both.yaml:3: target.reference is true') })
})

test('the error for a port of another program names the port', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { code, err } = await call(['serve', '--port', String(port)])
  server.close()
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`--port ${port}: another program listens on this port`) })
})

/** The result of a run on a target that gets a key in a header. */
async function runWithKey(key: string, more: readonly string[] = []) {
  vi.stubEnv('GATEWAY_KEY', key)
  const running = await startReferenceServer()
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await running.close()
  })
  write('key.dialect.yaml', 'extraHeaders: { X-Key: "${GATEWAY_KEY}" }\n')
  const file = write(
    'key.yaml',
    `target: { baseUrl: "${running.baseUrl}", dialect: ./key.dialect.yaml }\ngate: { minJudged: 0 }\n`,
  )
  return call(['run', '--config', file, '--only', 'events.public.status', '--out', join(folder, 'key'), ...more])
}

test('a secret that is a word of the reports stays readable, and a warning names its variable before the run', async () => {
  const { code, out, err } = await runWithKey('service-conformance')
  expect({ code, out: /GATEWAY_KEY|withheld/.test(out) }).toEqual({ code: 0, out: false })
  expect(err).toMatch(/^warning +GATEWAY_KEY is a word/m)
})

test('a run whose reports are withheld says last why it ends with another code than its gate', async () => {
  // Without this text, run.json is no JSON.
  const { code, out } = await runWithKey('"seed": 471100,', ['--seed', '471100'])
  expect(code).toBe(3)
  expect(out).toContain(', gate passed\n')
  expect(out).toMatch(/was withheld: [^\n]*\nexit code 3 instead of the gate's, because the reports are incomplete\n$/)
})

test('a job summary that cannot be written is a warning', async () => {
  vi.stubEnv('GITHUB_ACTIONS', 'true')
  vi.stubEnv('GITHUB_STEP_SUMMARY', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const words = ['run', '--reference', '--api-version', '2026-03-10', '--only', 'events.public.status']
  const { code, err } = await call([...words, '--out', join(folder, 'summary')])
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringMatching(/^warning: the job summary was not written to GITHUB_STEP_SUMMARY: /m),
  })
})

test('the list of the needs of an area omits other needs and explains its columns', async () => {
  const { out } = await call(['list', 'needs', '--area', 'events'])
  expect(out).toMatch(/^busy-user /m)
  expect(out).not.toMatch(/^gist /m)
  expect(out).toMatch(/\n\d+ needs\nBelow a version: the number of its checks that ask for the need;/)
})

test.each([
  ['compare --help', 'compare'],
  ['help compare', 'compare'],
  ['help provider', 'provider'],
  ['help provider new', 'provider new'],
  ['provider help new', 'provider new'],
])('the words "%s" print the help of %s and are no mistake', async (words, command) => {
  const { code, out, err } = await call(words.split(' '))
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(new RegExp(`^Usage: service-conformance ${command} \\[`))
})

test('the command "list needs" states the needs to provide and sends no request', async () => {
  const { code, out } = await call(['list', 'needs', '--json'])
  const needs = JSON.parse(out) as { name: string; kind: string; checks: string[]; perVersion: object }[]
  expect(code).toBe(0)
  expect(needs.find(({ name }) => name === 'busy-user')).toMatchObject({
    kind: 'value',
    checks: expect.arrayContaining([expect.any(String)]),
  })
})

test('explain names the needs that a check requests while it runs', async () => {
  const { code, out } = await call(['explain', 'permissions.put-orgs-blocks-username.app-user-granted'])
  expect(code).toBe(0)
  expect(out).toMatch(/needs {8}permission-target \(asked for while it runs\): /)
  expect(out).toMatch(/needs {8}token \(asked for while it runs\): /)
  expect(out).not.toContain('  statuses ')
  const { out: feed } = await call(['explain', 'events.user.private-to-owner'])
  expect(feed).toMatch(/ {2}statuses {5}200 \(listed for the endpoint\)\n/)
  expect(feed).toContain('  needs        token:owner: add { role: owner, kind: classic, login: …, secret: "${…}" } to tokens\n')
})

test('explain prints a reading with its judgement and its checks', async () => {
  const { code, out } = await call(['explain', 'g13'])
  expect(code).toBe(0)
  expect(out).toMatch(/^G13 \(Authentication\)\n {2}left open {4}/)
  expect(out).toMatch(/bears on {5}\d+ checks\n {15}events\.public\.private-anonymous\n/)
  const { out: record } = await call(['explain', 'G13', '--json'])
  expect(JSON.parse(record).checks.length).toBeGreaterThan(100)
})

test('openapi prints the covered API of one version', async () => {
  const { code, out } = await call(['openapi', '--api-version', '2026-03-10'])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ openapi: '3.1.0', info: { version: '2026-03-10' } })
})

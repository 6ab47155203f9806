import { symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import { commandLine } from '../../../fixtures/samples/command-line.ts'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { listeningOn } from '../../../fixtures/samples/target/scripted-target.ts'

const { folder, at, write } = temporaryFolder('main')

test.each([
  ['a package that cannot be loaded', () => import(at('absent.mjs')), /^the installation is incomplete, or .*ulimit -n/m],
  ['an unexpected error', () => Promise.reject(new Error('no luck')), /^this is an error in the suite, .*main\.test\.ts/m],
])('the command names the origin of %s', async (_, suitesOf, origin) => {
  expect(await commandLine('list checks', suitesOf)).toMatchObject({ code: 3, err: expect.stringMatching(origin) })
})

/** The files that the wrong words name. */
const files: Readonly<Record<string, string>> = {
  slip: 'areas: [events]\ntokns: []',
  unset: 'target: { baseUrl: "${NOWHERE_URL}" }',
  waiver: 'waivers:\n  - { check: events.public.statu, reason: r, owner: o, link: l, expires: 2099-01-01 }',
  both: 'target:\n  baseUrl: "http://127.0.0.1:1"\n  reference: true',
  empty: 'areas: [events]',
  claims: 'target: { reference: true }\nclaims: { except: ["GET /user", "GET /gist"] }',
  needs: 'target: { reference: true }\nneeds: { public-repo: { owner: octo-org, repo: hello } }',
  twice: 'areas: [events]\nareas: [events]',
  list: '- events',
  port: 'areas: [events]\ntarget: { baseUrl: "http://127.0.0.1:70000" }',
  method: 'target: { reference: true }\nclaims: { except: ["get /events"] }',
  member: 'target: { reference: true }\nneeds: { public-repository: { owner: mona, rep: hello } }',
  ftp: 'target: { reference: true }\nprovider: ftp://mona:p4ss@127.0.0.1/p',
}
for (const [name, text] of Object.entries(files)) write(`${name}.yaml`, `${text}\n`)
symlinkSync(at('list.yaml'), at('link'))

/** Wrong words, in which HERE is the folder, and a part of the error. */
const wrong: Readonly<Record<string, string>> = {
  'run --config HERE/slip.yaml': 'slip.yaml:2: unknown key "tokns"',
  'run --config HERE/unset.yaml': 'NOWHERE_URL is not set',
  'run --config HERE/waiver.yaml': 'waiver.yaml:2: there is no check "events.public.statu"',
  'run --config HERE/both.yaml': 'both.yaml:3: target.reference is true',
  'run --config HERE/method.yaml': 'method.yaml:2: claims.except.0 is "get /events": a method and a path are accepted',
  'run --config HERE/member.yaml': '(did you mean "repo" instead of "rep"?)',
  'run --config HERE/ftp.yaml':
    'ftp.yaml:2: provider is "ftp://…@127.0.0.1/p": an http(s) URL or the path of a JavaScript module',
  'explain G99': 'there is no reading G99',
  'report HERE/none': 'none"; a directory with run.json is accepted',
  'merge HERE --out HERE': 'there is no run.json in ',
  'run --reference --out HERE/empty.yaml/below': 'empty.yaml is a file',
  'run --config HERE/empty.yaml --only events.pubic': 'selects no check',
  rum: 'did you mean "run"?',
  'run --stict': 'Did you mean --strict?',
  'run --area event': 'did you mean "events"?',
  'run --max-requests 0': 'a whole number from 1 on is accepted',
  'run --max-requests many': 'a whole number from 1 on is accepted',
  'run --seed -1': 'a whole number is accepted',
  'run --shard 3/2': 'I/N with 1 ≤ I ≤ N',
  'run --config HERE/empty.yaml': 'empty.yaml sets no target.baseUrl',
  'run --reference --base-url http://127.0.0.1:1': "cannot be used with option '--base-url <url>'",
  'serve --port -1': 'a port from 0 to 65535 is accepted',
  'serve --fault events.public.no-etg': 'events.public.no-etg',
  'explain events.public.statu': 'did you mean "events.public.status"?',
  'init --login owner': 'role=login is accepted',
  'waive events.public.status --expires 2027-02-30': 'a date is accepted',
  openapi: "required option '--api-version <version>' not specified",
  'serve --port 99999': 'a port from 0 to 65535 is accepted',
  'waive events.public.status --expires 2020-11-30': 'the date is in the past',
  'waive events.public.status --link tracker': 'an http(s) address is accepted',
  'waive events.public.status --owner mona': '--reason, --link, --expires must be given',
  'run --config HERE/claims.yaml': 'claims.yaml:2: claims.except: no check is about "GET /gist" (did you mean "GET /gists"?)',
  'run --config HERE/needs.yaml': 'needs.yaml:2: there is no need "public-repo" (did you mean "public-repository"?)',
  'run --reference --out /proc/reports --only events.public.status': 'reports cannot be written to /proc/reports',
  'run --base-url http://127.0.0.1:70000': '--base-url "http://127.0.0.1:70000": an http(s) URL with a port from 1 to 65535',
  'run --base-url http://u:p4ssw0rd@127.0.0.1': '--base-url "http://…@127.0.0.1": an http(s) URL',
  'run --base-url http://127.0.0.1/?token=s3cret': '--base-url "http://127.0.0.1/?…": an http(s) URL',
  'http://127.0.0.1/?token=s3cret': 'did you mean "--base-url http://127.0.0.1/?…"?',
  'run --base-url localhost:3000': 'did you mean "http://localhost:3000"?',
  'init --base-url ftp://127.0.0.1': '--base-url "ftp://127.0.0.1"',
  'http://127.0.0.1:1': 'did you mean "--base-url http://127.0.0.1:1"?',
  'run --config HERE': 'is a folder; a YAML file is accepted',
  'run --config HERE/clams.yaml': 'clams.yaml (did you mean "claims.yaml"?)',
  'run --config HERE/twice.yaml': 'twice.yaml:2 is not valid YAML: the map contains the key "areas" twice',
  'run --config HERE/list.yaml': 'list.yaml:1 is a list; a map is accepted',
  'run --config HERE/port.yaml': 'port.yaml:2: target.baseUrl is "http://127.0.0.1:70000": no connection can be made to it',
  'run --reference --only Events.Public.Status': 'did you mean "events.public.status"?',
  'run --reference --har a.har --watch': "cannot be used with option '--watch'",
  'run --bail 1 --watch': "cannot be used with option '--watch'",
  'serve --write-config HERE': 'it is a folder; a file is accepted',
  'serve --write-config HERE/link': 'it is a symbolic link; a file is accepted',
  'run --reference --har HERE/link': 'it is a symbolic link; a file is accepted',
  'init --base-url http://127.0.0.1:9 --config HERE/list.yaml/a.yaml': 'list.yaml is a file; the path of a folder',
  'init --base-url http://127.0.0.1:9 --config HERE/list.yaml/b/a.yaml': 'list.yaml is a file; the path of a folder',
  'init --base-url http://127.0.0.1:9 --config HERE': 'is a folder; a YAML file is accepted',
  'run --base-url --only events.public': '--base-url is followed by "--only", which is an option; a value is accepted',
  'run events.public.status': 'did you mean "--only events.public.status"?',
  'run --format html,json': 'did you mean "--format html --format json"?',
  'provider new ruby': 'accepted: python, node, go',
}

test.each(Object.entries(wrong))('the error for "%s" names the accepted form', async (words, text) => {
  const called = await commandLine(words.replaceAll('HERE', folder))
  expect(called).toMatchObject({ code: 2, out: '', err: expect.stringContaining(text) })
})

test('the error for a wrong value of an option is wrapped at the width of the terminal', async () => {
  const { columns } = process.stdout
  process.stdout.columns = 80
  const { err } = await commandLine('run --area event')
  process.stdout.columns = columns
  expect(err).toContain('did you mean')
  expect(err.split('\n').filter((line) => line.length > 80)).toEqual([])
})

test.each(['run', 'doctor', 'plan'])('%s without a target names the three ways to choose one', async (command) => {
  const { code, out, err } = await commandLine(`${command} --config ${at('empty.yaml')}`)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  for (const way of ['--base-url', '--config', '--reference']) expect(err).toContain(`  ${way} `)
})

test('the error for a port of another program names the port', async () => {
  const { port } = new URL(await listeningOn(createServer()))
  const { code, err } = await commandLine(`serve --port ${port}`)
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`--port ${port}: another program listens on this port`) })
})

/** The result of a run on a target that gets a key in a header. */
async function runWithKey(key: string, more = '') {
  vi.stubEnv('GATEWAY_KEY', key)
  const running = await startReferenceServer()
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await running.close()
  })
  write('key.dialect.yaml', 'extraHeaders: { X-Key: "${GATEWAY_KEY}" }\n')
  const target = `target: { baseUrl: "${running.baseUrl}", dialect: ./key.dialect.yaml }`
  const file = write('key.yaml', `${target}\ngate: { minJudged: 0 }\n`)
  return commandLine(`run --config ${file} --only events.public.status --out ${at('key')}${more}`)
}

test('a secret that is a word of the reports stays readable, and a warning names its variable before the run', async () => {
  const { code, out, err } = await runWithKey('service-conformance')
  expect({ code, out: /GATEWAY_KEY|withheld/.test(out) }).toEqual({ code: 0, out: false })
  expect(err).toMatch(/^warning +GATEWAY_KEY is a word/m)
})

test('a run whose reports are withheld says last why it ends with another code than its gate', async () => {
  // Without this text, run.json is no JSON.
  const { code, out } = await runWithKey('"seed": 471100,', ' --seed 471100')
  expect(code).toBe(3)
  expect(out).toContain(', gate passed\n')
  expect(out).toMatch(/was withheld: [^\n]*\nexit code 3 instead of the gate's, because the reports are incomplete\n$/)
  // The next run replaces the incomplete reports.
  expect((await runWithKey('a key that no report contains')).code).toBe(0)
})

test('a job summary that cannot be written is a warning', async () => {
  vi.stubEnv('GITHUB_ACTIONS', 'true')
  vi.stubEnv('GITHUB_STEP_SUMMARY', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const words = 'run --reference --api-version 2026-03-10 --only events.public.status --out'
  const { code, err } = await commandLine(`${words} ${at('summary')}`)
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringMatching(/^warning: the job summary was not written to GITHUB_STEP_SUMMARY: /m),
  })
})

test.each([
  ['compare --help', 'compare'],
  ['help compare', 'compare'],
  ['help provider', 'provider'],
  ['help provider new', 'provider new'],
  ['provider help new', 'provider new'],
])('the words "%s" print the help of %s and are no mistake', async (words, command) => {
  const { code, out, err } = await commandLine(words)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(new RegExp(`^Usage: service-conformance ${command} \\[`))
})

test.each<[words: string, patterns: readonly RegExp[], not?: RegExp]>([
  [
    'list needs --area events',
    [/^busy-user /m, /\n\d+ needs\nThe number of a version: its checks that ask for the need;/],
    /^gist /m,
  ],
  ['list needs --json', [/"name": "busy-user",\s+"kind": "value"/, /"checks": \[\s+"events\./]],
  [
    'explain permissions.put-orgs-blocks-username.app-user-granted',
    [/needs {8}permission-target \(asked for while it runs\): /, /needs {8}token \(asked for while it runs\): /],
    / {2}statuses /,
  ],
  [
    'explain events.user.private-to-owner',
    [
      / {2}statuses {5}200 \(listed for the endpoint\)\n/,
      / {2}needs {8}token:owner: add { role: owner, kind: classic, login: …, secret: "\${…}" } to tokens\n/,
    ],
  ],
  [
    'explain g13',
    [/^G13 \(Authentication\)\n {2}left open {4}/, /bears on {5}\d+ checks\n {15}events\.public\.private-anonymous\n/],
  ],
  ['explain G13 --json', [/"checks": \[(\s+"[\w.-]+",){100}/]],
  ['openapi --api-version 2026-03-10', [/"openapi": "3\.1\.0"/, /"version": "2026-03-10"/]],
])('the output of "%s" is complete', async (words, patterns, not = /^$/) => {
  const { code, out } = await commandLine(words)
  expect(code).toBe(0)
  for (const pattern of patterns) expect(out).toMatch(pattern)
  expect(out).not.toMatch(not)
})

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFault } from '../fixtures/reference/faults/index.ts'
import { type RunningServer, startReferenceServer } from '../fixtures/reference/server/start.ts'
import { temporaryFolder } from '../fixtures/samples/files/temporary-folder.ts'
import { packageRoot } from './package/root.ts'
import { validatorOf } from './package/schemas.ts'
import { apiVersions } from './spec/versions.ts'

const cli = join(packageRoot, 'dist', 'src', 'cli.js')
const { folder, at, read, write } = temporaryFolder('cli')

/** A server that is in order, for the runs of own checks. */
let honest: RunningServer

beforeAll(async () => {
  if (!existsSync(cli)) throw new Error('dist/src/cli.js is missing: run "npm run build" first')
  honest = await startReferenceServer()
})
afterAll(() => honest.close())

/** Calls the command line in a process of its own. */
async function call(words: readonly string[], watch?: (child: ChildProcess, err: string) => void) {
  const child = spawn(process.execPath, [cli, ...words], { cwd: folder, env: { PATH: process.env.PATH } })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => {
    err += chunk
    watch?.(child, err)
  })
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out, err }
}

const readJson = (...path: string[]) => JSON.parse(read(join(...path)))

/** The records that a run wrote are as their schemas say. */
function expectValid(directory: string) {
  const records = [['run', 'run.json'], ...apiVersions.map((version) => ['report', `${version}/report.json`])] as [
    string,
    string,
  ][]
  for (const [schema, file] of records) {
    const validate = validatorOf(schema)
    validate(readJson(directory, file))
    expect(validate.errors).toBeNull()
  }
}

test('the command exits with 0 for a target that conforms', async () => {
  const { code, out, err } = await call(['run', '--reference', '--only', 'events.public.status', '--out', 'green'])
  expect(code).toBe(0)
  expect(err).toMatch(/^target +the embedded reference server \(http:.*\)\nversions +2022-11-28, 2026-03-10\n/)
  expect(out).toContain('2026-03-10  conforms on a selection: 1 passed\n')
  expect(out).toMatch(/^conforms on a selection: 2 of \d,\d{3} checks, gate passed$/m)
  expect(out).not.toContain('%')
  expect(readJson('green', 'run.json')).toMatchObject({ verdict: 'conforms', gate: { result: 'passed' } })
  expectValid('green')
})

test('the command exits with 1 for a target that deviates and prints a curl line without secrets', async () => {
  const fault = findFault('events.public.no-poll-interval')
  const running = await startReferenceServer({ tampers: [fault] })
  const config = write(
    'red.yaml',
    `target: { baseUrl: "${running.baseUrl}" }\nprovider: ${running.providerUrl}\nversions: ["2022-11-28"]\n`,
  )
  const { code, out } = await call(['run', '--config', config, '--only', 'events.public.poll-interval', '--out', 'red'])
  await running.close()
  expect(code).toBe(1)
  expect(out).toContain('FAILED events.public.poll-interval')
  expect(out).toContain('curl -i')
})

test('exit 2: a mistake is reported on the standard error', async () => {
  const { code, out, err } = await call(['rum'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('did you mean "run"?')
})

test('the command exits with 3 when nothing listens, and the report states the attempts', async () => {
  const { code, err } = await call(['run', '--base-url', 'http://127.0.0.1:9', '--only', 'events.public', '--out', 'closed'])
  expect(code).toBe(3)
  expect(err).toMatch(/the target does not accept connections: http:\/\/127\.0\.0\.1:9: .*ECONNREFUSED.*--wait 60\n$/)
  expect(readJson('closed', 'run.json')).toMatchObject({ verdict: 'inconclusive', gate: { result: 'inconclusive' } })
})

test('the command exits with 130 on Ctrl-C and keeps the partial results, marked as partial', async () => {
  const { code, out } = await call(['run', '--reference', '--area', 'events', '--out', 'partial'], (child, err) => {
    // Four lines name the subject of the run; the next one is progress.
    if (!child.killed && err.split('\n').length > 5) child.kill('SIGINT')
  })
  expect(code).toBe(130)
  expect(out).toContain('interrupted: these reports are partial')
  expect(readJson('partial', 'run.json').interrupted).toBe(true)
  expectValid('partial')
})

/** The exit code of the command and its output, with a redirection by the shell. */
function redirected(words: string, redirection: string) {
  return shell(`"${process.execPath}" "${cli}" ${words} ${redirection}; exit \${PIPESTATUS[0]}`)
}

async function shell(script: string) {
  const child = spawn('bash', ['--norc', '-c', script], { cwd: folder, env: { PATH: process.env.PATH } })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out, err }
}

/** A configuration with one check of its own, whose body is `code`. */
function ownCheck(name: string, code: string) {
  const endpoint = "{ section: 'House rules', method: 'GET', path: '/rate_limit', success: {}, others: [] }"
  const check = `{ id: 'own.thread.${name}', requirement: 'events.event.fields', level: 'must', title: 'ends', needs: {}, run: async () => { ${code} } }`
  write(
    `${name}.mjs`,
    `import { existsSync, writeFileSync } from 'node:fs'\nexport default { area: 'events', endpoint: ${endpoint}, checks: [${check}] }`,
  )
  return write(`${name}.yaml`, `target: { baseUrl: "${honest.baseUrl}" }\nversions: ["2026-03-10"]\nsuites: [./${name}.mjs]\n`)
}

test.each([
  ['ends the process', 'process.exit(0)'],
  [
    'throws outside of the check',
    "setTimeout(() => { throw new Error('outside') }); await new Promise((end) => setTimeout(end, 60000))",
  ],
])('exit 3: a check of the configuration that %s allows no verdict', async (_, code) => {
  const ended = await call(['run', '--config', ownCheck('dies', code), '--only', 'own.*', '--out', 'dies'])
  expect(ended.code).toBe(3)
  expect(existsSync(at('dies', 'run.json'))).toBe(false)
})

test('exit 3: a check that waits for nothing ends the command with a message', async () => {
  const config = ownCheck('waits', 'await new Promise(() => {})')
  const ended = await call(['run', '--config', config, '--only', 'own.*', '--out', 'waits'])
  expect(ended).toMatchObject({ code: 3, err: expect.stringContaining('the command ended without a result') })
})

test('a reader that closes the pipe ends the command without a stack trace', async () => {
  expect(await redirected('list checks', '| head -1')).toMatchObject({ code: 0, err: '' })
})

test('a run whose reader goes away is judged to its end, and its exit code counts', async () => {
  const words = 'run --reference --api-version 2026-03-10 --only events.public.status --out gone'
  expect(await redirected(words, '2>&1 | head -1')).toMatchObject({ code: 0, err: '' })
  expect(readJson('gone', 'run.json').verdict).toBe('conforms')
})

test.runIf(existsSync('/dev/full'))('output that a full disk does not take is no success', async () => {
  const { code, err } = await redirected('list needs', '> /dev/full')
  expect({ code, err }).toEqual({
    code: 3,
    err: expect.stringMatching(/^service-conformance: the output could not be written: .*\n$/),
  })
})

test.each([
  ['is broken', 'export default {\n  a b\n}\n', /broken\.mjs:2 cannot be loaded: .*\n$/],
  ['throws', 'const luck = 0\n\nthrow new Error("no luck")\n', /broken\.mjs:3 cannot be loaded: no luck\n$/],
])('a provider module that %s is a configuration error with its line', async (_, text, says) => {
  write('broken.mjs', text)
  const config = write('broken.yaml', 'target: { reference: true }\nprovider: ./broken.mjs\n')
  const { code, err } = await call(['provider', 'check', '--config', config])
  expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(says) })
})

/** Resolves when a process has created a file in the folder. */
async function created(file: string) {
  while (!existsSync(at(file))) await delay(50)
}

test('a run keeps the reports that another run wrote into its directory meanwhile, and names a directory of its own', async () => {
  const until = "writeFileSync('begun', ''); while (!existsSync('go')) await new Promise((next) => setTimeout(next, 50))"
  const first = call(['run', '--config', ownCheck('waits', until), '--only', 'own.*', '--out', 'shared'])
  await created('begun')
  const second = await call(['run', '--reference', '--only', 'events.public.status', '--out', 'shared'])
  const written = read('shared/run.json')
  write('go', '')
  const { out, err } = await first
  expect(second.out).toContain('open shared/report.html\n')
  expect(out).toContain('open shared-2/report.html\n')
  expect(err).toContain('warning: another run wrote its reports to shared meanwhile; those of this run are in shared-2\n')
  expect(read('shared/run.json')).toBe(written)
  expect(readJson('shared-2', '2026-03-10', 'report.json').checks).toMatchObject([{ id: 'own.thread.waits' }])
})

/** Runs a few checks of the reference server after commands of a shell. */
const limited = (before: string, out: string) =>
  shell(
    `${before}; exec "${process.execPath}" "${cli}" run --reference --api-version 2026-03-10 --only events.public.status --out ${out}`,
  )

test.runIf(process.platform === 'linux').each([24, 40])(
  'with %i file descriptors: a run, or an error that names them',
  async (count) => {
    const { code, err } = await limited(`ulimit -n ${count}`, `descriptors-${count}`)
    expect(err).not.toMatch(/error in the suite|node:internal/)
    if (code !== 0) expect({ code, err }).toEqual({ code: 3, err: expect.stringMatching(/too many open files/) })
  },
)

test.runIf(process.platform === 'linux')('a run whose reports find no room names no reports', async () => {
  const full = "ulimit -f 2; trap '' XFSZ"
  const { code, out, err } = await limited(full, 'full')
  expect({ code, named: /open full|reports are in full/.test(out) }).toEqual({ code: 3, named: false })
  expect(err).toMatch(/^service-conformance: writing the reports to full failed: .*\. There are no reports in it$/m)
})

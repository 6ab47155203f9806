import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findFault } from '../../../fixtures/reference/faults/index.ts'
import { type RunningServer, startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import { packageRoot } from '../../package/root.ts'

const folder = mkdtempSync(join(tmpdir(), 'service-conformance-ci-'))
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
let running: RunningServer
let honest: RunningServer

beforeAll(async () => {
  running = await startReferenceServer({ tampers: [findFault('events.public.no-poll-interval')] })
  honest = await startReferenceServer()
})
afterAll(async () => {
  await running.close()
  await honest.close()
  rmSync(folder, { recursive: true, force: true })
})

async function bash(script: string, environment: Record<string, string>): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...environment }
    execFile('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd: folder, env }, (error, out) =>
      resolve({ code: error ? Number(error.code) : 0, out }),
    )
  })
}

test('the step of action.yml judges, annotates, summarises and hands on the gate', async () => {
  const { runs } = parse(readFileSync(join(packageRoot, 'action.yml'), 'utf8'))
  const judge = runs.steps.find((step: { id?: string }) => step.id === 'judge').run
  for (const name of ['output', 'summary']) writeFileSync(join(folder, name), '')
  const { code, out } = await bash(judge, {
    GITHUB_ACTIONS: 'true',
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    SUITE: packageRoot,
    CONFIG: '',
    BASE_URL: running.baseUrl,
    WAIT: '5',
    ARGUMENTS: '--only\nevents.public.poll-interval\n--api-version\n2026-03-10\n',
    OUT: 'reports',
  })
  expect(code).toBe(1)
  expect(out).toContain('::error title=events.public.poll-interval (2026-03-10)::')
  expect(read('output')).toBe('gate=failed\n')
  expect(read('summary')).toContain('# Conformance: deviates')
})

test.each([
  ['18.20.0', 2],
  ['20.18.1', 2],
  ['20.19.0', 0],
  ['24.1.0', 0],
])('the action leaves the Node of the job as it is and accepts it from 20.19 on: %s', async (version, code) => {
  const { runs } = parse(readFileSync(join(packageRoot, 'action.yml'), 'utf8'))
  const versions = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'bin', 'node'), `#!/bin/sh\nexec "${process.execPath}" -e "${versions}; $2"\n`, { mode: 0o755 })
  const ended = await bash(runs.steps[0].run, { PATH: `${join(folder, 'bin')}:${process.env.PATH}` })
  expect(ended.code).toBe(code)
  expect(ended.out.startsWith('::error::service-conformance needs Node 20.19')).toBe(code === 2)
  expect(JSON.stringify(runs.steps)).not.toContain('setup-node@')
})

/** The command that a pipeline finds after the installation. */
const npx = `npx() { shift; node "${join(packageRoot, 'dist', 'src', 'cli.js')}" "$@"; }\n`

/** The job of the GitLab recipe. */
function gitlabJob(): { before_script: string[]; script: string[]; artifacts: { reports: { junit: string } } } {
  const page = readFileSync(join(packageRoot, 'docs', 'ci.md'), 'utf8')
  const [, recipe = ''] = /```yaml\n(conformance:.*?)```/s.exec(page) ?? []
  return parse(recipe).conformance
}

test('the GitLab recipe installs the package as the README does, and builds no clone', () => {
  const [install = '', ...others] = gitlabJob().before_script
  expect(others).toEqual([])
  const [, source = ''] = /^npm install .*("\S+")$/.exec(install) ?? []
  expect(readFileSync(join(packageRoot, 'README.md'), 'utf8')).toContain(`npm install --save-dev ${source}\n`)
})

test('the script of the GitLab recipe judges and writes the files that the job collects', async () => {
  const conformance = gitlabJob()
  writeFileSync(join(folder, 'conformance.config.yaml'), `target: { baseUrl: "${running.baseUrl}" }\n`)
  // The package is built already; the test runs the judging line unchanged.
  const { code } = await bash(`${npx}${conformance.script.at(-1)} --only events.public.poll-interval`, { GITLAB_CI: 'true' })
  expect(code).toBe(1)
  expect(conformance.artifacts.reports.junit).toBe('reports/*/junit.xml')
  expect(read('reports/2022-11-28/junit.xml')).toContain('<failure ')
})

// The situations of a pipeline: the target, and the expected exit code of its last step.
const down = { name: 'is down', target: () => 'http://127.0.0.1:9', ends: 3 }
const deviating = { name: 'deviates', target: () => running.baseUrl, ends: 1 }
const conforming = { name: 'conforms', target: () => honest.baseUrl, ends: 0 }
const only = '--only events.public.poll-interval'

test.each([down, conforming])('the step of action.yml ends as it must for a target that $name', async ({ target, ends }) => {
  const { runs } = parse(readFileSync(join(packageRoot, 'action.yml'), 'utf8'))
  const step = runs.steps.find(({ id }: { id?: string }) => id === 'judge').run
  writeFileSync(join(folder, 'gate'), '')
  const { code } = await bash(step, {
    GITHUB_OUTPUT: join(folder, 'gate'),
    SUITE: packageRoot,
    CONFIG: '',
    BASE_URL: target(),
    WAIT: '1',
    ARGUMENTS: '--only\nevents.public.poll-interval\n',
    OUT: 'situation',
  })
  expect(code).toBe(ends)
  expect(read('gate')).toBe(`gate=${['passed', 'failed', '', 'inconclusive'][ends]}\n`)
})

test.each([deviating, conforming])(
  'the recipe that compares with the main branch ends as it must for a target that $name',
  async ({ target, ends }) => {
    const page = readFileSync(join(packageRoot, 'docs', 'ci.md'), 'utf8')
    const recipe = [...page.matchAll(/```sh\n(.*?)```/gs)]
      .map(([, text]) => text as string)
      .find((text) => text.includes('compare main/reports'))
    const cli = `service-conformance() { node "${join(packageRoot, 'dist', 'src', 'cli.js')}" "$@"; }\n`
    const configured = (baseUrl: string) =>
      writeFileSync(join(folder, 'conformance.config.yaml'), `target: { baseUrl: "${baseUrl}" }\n`)
    configured(honest.baseUrl)
    await bash(`${cli} service-conformance run ${only} --out main/reports`, {})
    configured(target())
    const script = (recipe ?? '').replace('--wait 60', `--wait 1 ${only}`)
    expect((await bash(`${cli}${script}`, {})).code).toBe(ends)
    expect(read('comment.md')).toContain(ends === 0 ? '# No regressions' : '#')
  },
)

test.each([down])('the script of the GitLab recipe ends as it must for a target that $name', async ({ target, ends }) => {
  const script = gitlabJob().script.at(-1)?.replace('--wait 60', '--wait 1')
  writeFileSync(join(folder, 'conformance.config.yaml'), `target: { baseUrl: "${target()}" }\n`)
  expect((await bash(`${npx}${script} ${only}`, {})).code).toBe(ends)
})

test.each([deviating])('the recipe of several jobs ends as one run would for a target that $name', async ({ target, ends }) => {
  const page = readFileSync(join(packageRoot, 'docs', 'ci.md'), 'utf8')
  const recipe = [...page.matchAll(/```sh\n(.*?)```/gs)]
    .map(([, text]) => text as string)
    .find((text) => text.includes('--shard'))
  const jobs = (recipe ?? '').trim().split('\n')
  expect(jobs.map((job) => job.split(' ')[1])).toEqual(['run', 'run', 'merge'])
  writeFileSync(join(folder, 'conformance.config.yaml'), `target: { baseUrl: "${target()}" }\n`)
  const cli = `service-conformance() { node "${join(packageRoot, 'dist', 'src', 'cli.js')}" "$@"; }\n`
  const codes: number[] = []
  for (const job of jobs) {
    const whole = job.replace('--shard', `--only events.public.poll-interval --only events.public.status --shard`)
    codes.push((await bash(`${cli}${whole}`, {})).code)
  }
  expect(codes.at(-1)).toBe(ends)
})

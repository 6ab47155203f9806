import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { findFault } from '../../../fixtures/reference/faults/index.ts'
import { servedFolder } from '../../../fixtures/samples/served-folder.ts'
import { packageRoot } from '../../package/root.ts'

const { folder, at, read, write, server } = servedFolder('ci', [findFault('events.public.no-poll-interval')])
const { server: honest } = servedFolder('ci-honest')

/** The configuration that the recipes find. */
const configured = (baseUrl: string) => write('conformance.config.yaml', `target: { baseUrl: "${baseUrl}" }\n`)

/** The text of a file of the package. */
const packaged = (...names: string[]) => readFileSync(join(packageRoot, ...names), 'utf8')

/** The steps of action.yml. */
const steps = parse(packaged('action.yml')).runs.steps

/** The judging step of action.yml with a file for its outputs. */
function judge(output: string, environment: Record<string, string>) {
  const { run } = steps.find(({ id }: { id?: string }) => id === 'judge')
  return bash(run, { GITHUB_OUTPUT: write(output), SUITE: packageRoot, CONFIG: '', ...environment })
}

const cli = join(packageRoot, 'dist', 'src', 'cli.js')

/** The command that a pipeline finds after the installation. */
const npx = `npx() { shift; node "${cli}" "$@"; }\n`
const installed = `service-conformance() { node "${cli}" "$@"; }\n`

/** The recipe for a shell that contains a text. */
function recipeWith(wanted: string) {
  const recipes = [...packaged('docs', 'ci.md').matchAll(/```sh\n(.*?)```/gs)]
  return recipes.map(([, text = '']) => text).find((text) => text.includes(wanted)) ?? ''
}

async function bash(script: string, environment: Record<string, string>): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...environment }
    execFile('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd: folder, env }, (error, out) =>
      resolve({ code: error ? Number(error.code) : 0, out }),
    )
  })
}

test('the step of action.yml judges, annotates, summarises and hands on the gate', async () => {
  const { code, out } = await judge('output', {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: write('summary'),
    BASE_URL: server().baseUrl,
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
  const versions = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`
  mkdirSync(at('bin'), { recursive: true })
  writeFileSync(at('bin', 'node'), `#!/bin/sh\nexec "${process.execPath}" -e "${versions}; $2"\n`, { mode: 0o755 })
  const ended = await bash(steps[0].run, { PATH: `${at('bin')}:${process.env.PATH}` })
  expect(ended.code).toBe(code)
  expect(ended.out.startsWith('::error::service-conformance needs Node 20.19')).toBe(code === 2)
  expect(JSON.stringify(steps)).not.toContain('setup-node@')
})

/** The job of the GitLab recipe. */
function gitlabJob(): { before_script: string[]; script: string[]; artifacts: { reports: { junit: string } } } {
  const [, recipe = ''] = /```yaml\n(conformance:.*?)```/s.exec(packaged('docs', 'ci.md')) ?? []
  return parse(recipe).conformance
}

test('the GitLab recipe installs the package as the README does, and builds no clone', () => {
  const [install = '', ...others] = gitlabJob().before_script
  expect(others).toEqual([])
  const [, source = ''] = /^npm install .*("\S+")$/.exec(install) ?? []
  expect(packaged('README.md')).toContain(`npm install --save-dev ${source}\n`)
})

test('the script of the GitLab recipe judges and writes the files that the job collects', async () => {
  const conformance = gitlabJob()
  configured(server().baseUrl)
  // The package is built already; the test runs the judging line unchanged.
  const { code } = await bash(`${npx}${conformance.script.at(-1)} --only events.public.poll-interval`, { GITLAB_CI: 'true' })
  expect(code).toBe(1)
  expect(conformance.artifacts.reports.junit).toBe('reports/*/junit.xml')
  expect(read('reports/2022-11-28/junit.xml')).toContain('<failure ')
})

// The situations of a pipeline: the target, and the expected exit code of its last step.
const down = { name: 'is down', target: () => 'http://127.0.0.1:9', ends: 3 }
const deviating = { name: 'deviates', target: () => server().baseUrl, ends: 1 }
const conforming = { name: 'conforms', target: () => honest().baseUrl, ends: 0 }
const only = '--only events.public.poll-interval'

test.each([down, conforming])('the step of action.yml ends as it must for a target that $name', async ({ target, ends }) => {
  const { code } = await judge('gate', {
    BASE_URL: target(),
    WAIT: '1',
    ARGUMENTS: '--only\nevents.public.poll-interval\n',
    OUT: 'situation',
  })
  expect(code).toBe(ends)
  expect(read('gate')).toBe(`gate=${['passed', 'failed', '', 'inconclusive'][ends]}\n`)
})

test('the recipe that compares with the main branch ends as it must for a target that deviates, and one that conforms', async () => {
  configured(honest().baseUrl)
  await bash(`${installed} service-conformance run ${only} --out main/reports`, {})
  const script = recipeWith('compare main/reports').replace('--wait 60', `--wait 1 ${only}`)
  for (const { target, ends } of [deviating, conforming]) {
    configured(target())
    expect((await bash(`${installed}${script}`, {})).code).toBe(ends)
    expect(read('comment.md')).toContain(ends === 0 ? '# No regressions' : '#')
  }
})

test.each([down])('the script of the GitLab recipe ends as it must for a target that $name', async ({ target, ends }) => {
  const script = gitlabJob().script.at(-1)?.replace('--wait 60', '--wait 1')
  configured(target())
  expect((await bash(`${npx}${script} ${only}`, {})).code).toBe(ends)
})

test.each([deviating])('the recipe of several jobs ends as one run would for a target that $name', async ({ target, ends }) => {
  const jobs = recipeWith('--shard').trim().split('\n')
  expect(jobs.map((job) => job.split(' ')[1])).toEqual(['run', 'run', 'merge'])
  configured(target())
  const codes: number[] = []
  for (const job of jobs) {
    const whole = job.replace('--shard', `--only events.public.poll-interval --only events.public.status --shard`)
    codes.push((await bash(`${installed}${whole}`, {})).code)
  }
  expect(codes.at(-1)).toBe(ends)
})

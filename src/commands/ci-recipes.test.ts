import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findFault } from '../../fixtures/reference/faults/index.ts'
import { type RunningServer, startReferenceServer } from '../../fixtures/reference/server/start.ts'
import { packageRoot } from '../package/root.ts'

const folder = mkdtempSync(join(tmpdir(), 'service-conformance-ci-'))
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
let running: RunningServer

beforeAll(async () => {
  running = await startReferenceServer({ tampers: [findFault('events.public.no-poll-interval')] })
  symlinkSync(packageRoot, join(folder, 'service-conformance'))
})
afterAll(async () => {
  await running.close()
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
    ARGUMENTS: '--only\nevents.public.poll-interval\n--api-version\n2026-03-10\n',
    OUT: 'reports',
  })
  expect(code).toBe(1)
  expect(out).toContain('::error title=events.public.poll-interval (2026-03-10)::')
  expect(read('output')).toBe('gate=failed\n')
  expect(read('summary')).toContain('# Conformance: deviates')
})

test('the script of the GitLab recipe judges and writes what the job collects', async () => {
  const page = readFileSync(join(packageRoot, 'docs', 'ci.md'), 'utf8')
  const recipe = [...page.matchAll(/```yaml\n(.*?)```/gs)]
    .map(([, text]) => text as string)
    .find((text) => text.startsWith('conformance:'))
  const { conformance } = parse(recipe ?? '')
  writeFileSync(join(folder, 'conformance.config.yaml'), `target: { baseUrl: "${running.baseUrl}" }\n`)
  // Installing and building are what the test runs on; the judging line is tried as it stands.
  const script = (conformance.script as string[]).at(-1) ?? ''
  const { code } = await bash(`${script} --only events.public.poll-interval`, { GITLAB_CI: 'true' })
  expect(code).toBe(1)
  expect(conformance.artifacts.reports.junit).toBe('reports/*/junit.xml')
  expect(read('reports/2022-11-28/junit.xml')).toContain('<failure ')
})

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findFault } from '../../../fixtures/reference/faults/index.ts'
import { type RunningServer, startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import { suites } from '../../../suites/index.ts'
import { reportLanes } from '../../record/report-lanes.ts'
import { readRun } from '../../report/files/read.ts'
import { main } from '../program.ts'

const folder = mkdtempSync(join(tmpdir(), 'service-conformance-again-'))
const reports = join(folder, 'reports')
const only = ['--only', 'events.public.status', '--only', 'events.public.poll-interval']
let server: RunningServer

beforeAll(async () => {
  server = await startReferenceServer({ tampers: [findFault('events.public.no-poll-interval')] })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

async function run(...words: readonly string[]): Promise<{ code: number; err: string }> {
  const err: string[] = []
  const output = { print: () => {}, warn: (text: string) => void err.push(text) }
  const code = await main(['run', '--base-url', server.baseUrl, ...words], async () => suites, output)
  return {
    code,
    get err() {
      return err.join('')
    },
  }
}

const checksIn = (directory: string) =>
  reportLanes(readRun(directory)).flatMap(({ report }) => report.checks.map(({ id, outcome }) => `${id} ${outcome}`))

test('the checks that failed in a run are judged again, and no other', async () => {
  await run(...only, '--out', reports)
  expect(new Set(checksIn(reports))).toEqual(new Set(['events.public.status passed', 'events.public.poll-interval failed']))
  const again = join(folder, 'again')
  expect((await run('--failed', reports, '--out', again)).code).toBe(1)
  expect(new Set(checksIn(again))).toEqual(new Set(['events.public.poll-interval failed']))
  expect(readRun(again).run.selection).toMatchObject({ by: ['--failed'], selected: 2 })
  expect((await run('--failed', '--out', again)).code).toBe(1)
  expect(new Set(checksIn(again))).toEqual(new Set(['events.public.poll-interval failed']))
})

test('--failed with a new --out reads the run of the configuration, as without --out', async () => {
  const file = join(folder, 'usual.yaml')
  const usual = join(folder, 'usual')
  writeFileSync(file, `report: { directory: ${JSON.stringify(usual)} }\n`)
  await run('--config', file, ...only)
  const next = join(folder, 'next')
  expect((await run('--config', file, '--failed', '--out', next)).code).toBe(1)
  expect(new Set(checksIn(next))).toEqual(new Set(['events.public.poll-interval failed']))
  expect(new Set(checksIn(usual))).toEqual(new Set(['events.public.status passed', 'events.public.poll-interval failed']))
})

test.each([
  ['without reports', join(folder, 'nowhere'), [], 'there is no "'],
  ['without a failure', join(folder, 'green'), [], 'no check failed or errored in the run of '],
  ['with other checks selected', join(folder, 'red'), ['--only', 'events.public.status'], 'are not among the selected ones'],
])('a directory %s is refused before any request', async (_, directory, more, sentence) => {
  if (directory.endsWith('green')) await run('--only', 'events.public.status', '--out', directory)
  if (directory.endsWith('red')) await run(...only, '--out', directory)
  const out = join(folder, 'refused')
  const { code, err } = await run('--failed', directory, ...more, '--out', out)
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(sentence) })
  expect(existsSync(out)).toBe(false)
})

test.runIf(process.platform === 'linux')('--open opens the page, also where other formats are chosen', async () => {
  const [program, opened] = [join(folder, 'xdg-open'), join(folder, 'opened')]
  writeFileSync(program, `#!/bin/sh\necho "$1" > ${opened}\n`)
  chmodSync(program, 0o755)
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  const page = join(folder, 'open', 'report.html')
  await run(...only, '--open', '--format', 'badge', '--out', join(folder, 'open'))
  await vi.waitFor(() => expect(readFileSync(opened, 'utf8')).toBe(`${page}\n`), 60_000)
  expect(existsSync(page)).toBe(true)
  vi.unstubAllEnvs()
})

test.runIf(process.platform === 'linux')('a system without a browser gets a warning', async () => {
  vi.stubEnv('PATH', '/nowhere')
  const ended = await run('--only', 'events.public.status', '--open', '--out', join(folder, 'unopened'))
  vi.unstubAllEnvs()
  expect(ended.code).toBe(0)
  await vi.waitFor(() => expect(ended.err).toMatch(/warning: .*report\.html was not opened/), 60_000)
})

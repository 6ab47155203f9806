import { chmodSync, existsSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { findFault } from '../../../fixtures/reference/faults/index.ts'
import { commandLine } from '../../../fixtures/samples/command-line.ts'
import { servedFolder } from '../../../fixtures/samples/served-folder.ts'
import { reportLanes } from '../../record/report-lanes.ts'
import { readRun } from '../../report/files/read.ts'

const fault = findFault('events.public.no-poll-interval')
const { folder, at, read, server, write } = servedFolder('again', [fault])
const reports = at('reports')
const only = ['--only', 'events.public.status', '--only', 'events.public.poll-interval']
const run = (...words: readonly string[]) => commandLine(['run', '--base-url', server().baseUrl, ...words])

const checksIn = (directory: string) =>
  reportLanes(readRun(directory)).flatMap(({ report }) => report.checks.map(({ id, outcome }) => `${id} ${outcome}`))

test('the checks that failed in a run are judged again, and no other', async () => {
  await run(...only, '--out', reports)
  expect(new Set(checksIn(reports))).toEqual(new Set(['events.public.status passed', 'events.public.poll-interval failed']))
  const again = at('again')
  expect((await run('--failed', reports, '--out', again)).code).toBe(1)
  expect(new Set(checksIn(again))).toEqual(new Set(['events.public.poll-interval failed']))
  expect(readRun(again).run.selection).toMatchObject({ by: ['--failed'], selected: 2 })
  expect((await run('--failed', '--out', again)).code).toBe(1)
  expect(new Set(checksIn(again))).toEqual(new Set(['events.public.poll-interval failed']))
})

test('--failed with a new --out reads the run of the configuration, as without --out', async () => {
  const usual = at('usual')
  const file = write('usual.yaml', `report: { directory: ${JSON.stringify(usual)} }\n`)
  await run('--config', file, ...only)
  const next = at('next')
  expect((await run('--config', file, '--failed', '--out', next)).code).toBe(1)
  expect(new Set(checksIn(next))).toEqual(new Set(['events.public.poll-interval failed']))
  expect(new Set(checksIn(usual))).toEqual(new Set(['events.public.status passed', 'events.public.poll-interval failed']))
})

test.each([
  ['without reports', at('nowhere'), [], 'there is no "'],
  ['without a failure', at('green'), [], 'no check failed or errored in the run of '],
  ['with other checks selected', at('red'), ['--only', 'events.public.status'], 'are not among the selected ones'],
])('a directory %s is refused before any request', async (_, directory, more, sentence) => {
  if (directory.endsWith('green')) await run('--only', 'events.public.status', '--out', directory)
  if (directory.endsWith('red')) await run(...only, '--out', directory)
  const out = at('refused')
  const { code, err } = await run('--failed', directory, ...more, '--out', out)
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(sentence) })
  expect(existsSync(out)).toBe(false)
})

test.runIf(process.platform === 'linux')('--open opens the page, also where other formats are chosen', async () => {
  chmodSync(write('xdg-open', `#!/bin/sh\necho "$1" > ${at('opened')}\n`), 0o755)
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  const page = at('open', 'report.html')
  await run(...only, '--open', '--format', 'badge', '--out', at('open'))
  await vi.waitFor(() => expect(read('opened')).toBe(`${page}\n`), 60_000)
  expect(existsSync(page)).toBe(true)
  vi.unstubAllEnvs()
})

test.runIf(process.platform === 'linux')('a system without a browser gets a warning', async () => {
  vi.stubEnv('PATH', '/nowhere')
  const ended = await run('--only', 'events.public.status', '--open', '--out', at('unopened'))
  vi.unstubAllEnvs()
  expect(ended.code).toBe(0)
  await vi.waitFor(() => expect(ended.err).toMatch(/warning: .*report\.html was not opened/), 60_000)
})

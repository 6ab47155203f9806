import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandLine } from '../../../fixtures/samples/command-line.ts'
import { servedFolder } from '../../../fixtures/samples/served-folder.ts'
import { json, listeningOn, scriptedTarget } from '../../../fixtures/samples/target/scripted-target.ts'
import { readRun } from '../../report/files/read.ts'

const { folder, server, write } = servedFolder('deadline')

/** Time-outs that outlast the test, and a deadline after 1.2 s. */
const limits = 'limits: { timeoutSeconds: 600, runMinutes: 0.02, requestsPerSecond: 1000 }'
const silent = () => listeningOn(createServer(() => {}))
const module = (text: string) => `provider: ${write(`${text.length}.mjs`, text)}`

/** The parts of a run that may stay pending, and the lines of its configuration after `limits`. */
const pending: [string, () => Promise<readonly string[]>][] = [
  ['the target', async () => [`target: { baseUrl: "${await silent()}" }`]],
  ['the provider', async () => [targetLine(), `provider: ${await silent()}`]],
  ['the import of a provider', async () => [targetLine(), module('await new Promise(() => {})')]],
  ['a function of a provider', async () => [targetLine(), module('export default { user: () => new Promise(() => {}) }')]],
  ['the release', async () => [targetLine(), module('export default { release: () => new Promise(() => {}) }')]],
  ['the body of a list', async () => [`target: { baseUrl: "${await dripping()}" }`]],
]

const targetLine = () => `target: { baseUrl: "${server().baseUrl}" }`

/** A target whose later bodies have no end. */
async function dripping() {
  const { baseUrl } = await scriptedTarget((_, response, count) =>
    count < 3 ? json(response, 200, []) : void response.write('['),
  )
  return baseUrl
}

test.each(pending)('a run at its deadline writes a whole report while it waits for %s', async (what, lines) => {
  const config = write('pending.yaml', [limits, ...(await lines()), ''].join('\n'))
  const out = join(folder, what)
  const only = ['--only', 'events.public.status', '--only', 'events.user.status']
  const { said } = await commandLine(['run', '--config', config, ...only, '--out', out])
  expect(said).toContain('report.html')
  const { run, reports } = readRun(out)
  expect(run.interrupted).toBe(false)
  const outcomes = reports.flatMap(({ checks }) => checks.map(({ outcome }) => outcome))
  expect(outcomes.filter((outcome) => outcome !== 'passed' && outcome !== 'untested')).toEqual([])
})

test('a file of others in the place of a report ends the run with 2 before its first request', async () => {
  const { baseUrl, received } = await scriptedTarget((_, response) => json(response, 200, []))
  const page = write('report.html', 'mine')
  const { code, said } = await commandLine(['run', '--base-url', baseUrl, '--out', folder])
  expect([code, said]).toEqual([2, expect.stringContaining(`${page} is not of a run of this suite`)])
  expect(received).toEqual([])
})

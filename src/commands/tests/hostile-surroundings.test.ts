import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandLine } from '../../../fixtures/samples/command-line.ts'
import { servedFolder } from '../../../fixtures/samples/served-folder.ts'
import { json, listeningOn, scriptedTarget } from '../../../fixtures/samples/target/scripted-target.ts'
import { briefSleeps } from '../../../fixtures/samples/time/brief-sleeps.ts'
import { suites } from '../../../suites/index.ts'
import { systemClock } from '../../http/transport/time/clock.ts'
import { readRun } from '../../report/files/read.ts'
import { endingSignals } from '../../run/interruption.ts'
import { main } from '../program.ts'

const { at, folder, server, write } = servedFolder('deadline')

/** Time-outs that outlast the test, and a deadline after 0.3 s. */
const limits = 'limits: { timeoutSeconds: 600, runMinutes: 0.005, requestsPerSecond: 1000 }'

// A command that is pending at the deadline has some seconds more.
briefSleeps(systemClock)
const silent = () => listeningOn(createServer(() => {}))
const module = (text: string) => `provider: ${write(`${text.length}.mjs`, text)}`

/** The parts of a run that may stay pending, and the lines of its configuration after `limits`. */
const pending: [string, () => Promise<readonly string[]>][] = [
  ['the target', async () => [`target: { baseUrl: "${await silent()}" }`]],
  ['the provider', async () => [targetLine(), `provider: ${await silent()}`]],
  ['the import of a provider', async () => [targetLine(), module('await new Promise(() => {})')]],
  ['a function of a provider', async () => [targetLine(), module('export default { user: () => new Promise(() => {}) }')]],
  ['the release', async () => [targetLine(), module('export default { release: () => new Promise(() => {}) }')]],
  ['a body of the preflight', async () => [`target: { baseUrl: "${await dripping(0)}" }`]],
  ['the body of a list', async () => [`target: { baseUrl: "${await dripping(2)}" }`]],
]

const targetLine = () => `target: { baseUrl: "${server().baseUrl}" }`

/** A target whose bodies have no end after some whole ones. */
async function dripping(whole: number) {
  const { baseUrl } = await scriptedTarget((_, response, count) =>
    count <= whole ? json(response, 200, []) : void response.write('['),
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

test.each(pending.slice(0, -1))('doctor and init end at the deadline while they wait for %s', async (_, lines) => {
  const config = write('examined.yaml', [limits, ...(await lines()), ''].join('\n'))
  const ended = ['doctor --only events.*', 'init --discover'].map((command) => commandLine(`${command} --config ${config}`))
  const err = 'service-conformance: limits.runMinutes had passed before the command had a result\n'
  for (const called of await Promise.all(ended)) expect(called).toMatchObject({ code: 3, out: '', err })
})

test.each(endingSignals)('%s ends a run with its reports, and doctor and init without a result', async (signal) => {
  const ended = async (words: string, served = 0) => {
    const { baseUrl } = await scriptedTarget((_, response, count) => {
      if (count <= served) json(response, 200, [])
      if (count === served + 1) process.emit(signal)
    })
    return commandLine(`${words} --base-url ${baseUrl} --config ${write('slow.yaml', limits.replace('0.005', '60'))}`)
  }
  const err = 'service-conformance: the command was interrupted before the command had a result\n'
  for (const command of ['doctor', 'init']) expect(await ended(command)).toMatchObject({ code: 130, out: '', err })
  expect(await ended(`run --only events.public.* --out ${at(signal)}`, 1)).toMatchObject({ code: 130 })
  expect(readRun(at(signal)).run.interrupted).toBe(true)
})

test('init that is interrupted in its forecast says that its file is written', async () => {
  const config = at('forecast.yaml')
  const said: string[] = []
  const warn = (text: string) => {
    // A second signal would end the process at once.
    const isFirst = !said.some((earlier) => earlier.includes('predicting'))
    said.push(text)
    if (isFirst && text.includes('predicting')) process.emit('SIGINT')
  }
  const words = ['init', '--discover', '--base-url', server().baseUrl, '--config', config]
  expect(await main(words, async () => suites, { print: () => {}, warn, terminal: { isTTY: true } })).toBe(130)
  expect(said.at(-1)).toBe(`service-conformance: the command was interrupted before the forecast; ${config} is written\n`)
})

test('a file of others in the place of a report ends the run with 2 before its first request', async () => {
  const { baseUrl, received } = await scriptedTarget((_, response) => json(response, 200, []))
  const page = write('report.html', 'mine')
  const { code, said } = await commandLine(['run', '--base-url', baseUrl, '--out', folder])
  expect([code, said]).toEqual([2, expect.stringContaining(`${page} is not of a run of this suite`)])
  expect(received).toEqual([])
})

import { expect, test } from 'vitest'
import { commandLine } from '../../../fixtures/samples/command-line.ts'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { json, scriptedTarget } from '../../../fixtures/samples/target/scripted-target.ts'
import { defaults } from '../../config/config.ts'
import { anonymous } from '../../http/exchange/caller.ts'
import { scriptedStart, VirtualClock } from '../../http/transport/time/test-clock.ts'
import type { ProgressEvent } from '../../record/progress-event.ts'
import { exitCode } from '../../record/verdict.ts'
import { readRun } from '../../report/files/read.ts'
import { causeLimit } from '../../report/view/cause-limit.ts'
import { type JudgingOptions, judgeTarget } from '../../run/run.ts'
import { endpoints } from '../../spec/endpoints.ts'
import { check, suite } from '../../suite/check.ts'
import type { CheckContext } from '../../suite/context.ts'
import { eventually } from '../../suite/observe.ts'

const { at, write } = temporaryFolder('quick')

const endpoint = endpoints.publicEvents

/** A check of the public feed. */
function claim(name: string, run: (t: CheckContext) => Promise<void>) {
  const id = `events.public.${name}`
  return check({ id, requirement: 'events.feeds.status', level: 'must', title: 'claims something', needs: {}, run })
}

const passes = claim('passes', async (t) => t.examined(1))

/** Looks for an effect that does not appear. */
const misses = claim('misses', async (t) => {
  const { met } = await eventually(t, 'an effect', async () => false, Boolean)
  t.examined(1)
  if (!met) t.deviation({ expected: 'the effect', actual: 'none', exchanges: [await t.read({ endpoint, as: anonymous })] })
})

const deviates = (name: string, actual: string) =>
  claim(name, async (t) => {
    t.deviation({ expected: 'nothing else', actual, exchanges: [await t.read({ endpoint, as: anonymous })] })
  })

/** Thirty checks that deviate for a cause each. */
const others = Array.from({ length: 30 }, (_, index) => deviates(`other-${index}`, `the value ${index}`))

/** Judges some checks under one version, one after the other, by a virtual clock. */
async function judged(checks: readonly ReturnType<typeof claim>[], options: JudgingOptions = {}) {
  const { baseUrl } = await scriptedTarget((_, response) => json(response, 200, []))
  const own = suite({ area: 'events', endpoint, checks })
  const clock = new VirtualClock(scriptedStart)
  const limits = { ...defaults.limits, concurrency: 1 }
  const config = { ...structuredClone(defaults), limits, versions: ['2026-03-10' as const], target: { paths: {}, baseUrl } }
  const placed = checks.map((each) => ({ check: each, suite: own }))
  const { run, reports } = await judgeTarget(config, placed, { seed: 1, clock, ...options })
  return { run, checks: reports[0]?.checks ?? [], seconds: (clock.now() - scriptedStart) / 1000 }
}

test('a quick run looks only briefly for an effect, and is red by its suspicion', async () => {
  const { run, checks, seconds } = await judged([passes, misses], { quick: true })
  expect(checks).toMatchObject([{ outcome: 'passed' }, { outcome: 'failed', suspicions: ['events.public: an effect'] }])
  expect(checks[1]?.repeats).toBeUndefined()
  expect(seconds).toBeLessThan(10)
  expect(run).toMatchObject({ provisional: true, verdict: 'deviates', gate: { result: 'failed' } })
  expect(exitCode(run)).toBe(1)
})

test('a quick run in which all checks pass is provisional and green', async () => {
  const { run } = await judged([passes], { quick: true })
  expect(run).toMatchObject({ provisional: true, verdict: 'conforms' })
  expect(exitCode(run)).toBe(0)
})

/** A run that ends after so many causes, with its events. */
async function bailing(most: number, checks: readonly ReturnType<typeof claim>[], strict = false) {
  const limit = causeLimit(most, { strict })
  const reached: string[] = []
  const progress = (event: ProgressEvent) => {
    if (limit.note(event) && event.type === 'check') reached.push(event.record.id)
  }
  return { ...(await judged(checks, { enough: limit.signal, listener: { progress } })), reached }
}

test('no further check begins after the wanted number of causes, and the suspicions found so far are confirmed', async () => {
  const { run, checks, reached } = await bailing(3, [misses, ...others])
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  expect(reached).toHaveLength(1)
  // Checks that ran at the same time as the last one end as well.
  expect(failed.length).toBeGreaterThanOrEqual(3)
  expect(failed.length).toBeLessThan(10)
  for (const { repeats = [] } of failed) expect(repeats).not.toEqual([])
  const left = checks.filter(({ outcome }) => outcome === 'untested')
  expect(left).toHaveLength(31 - failed.length)
  for (const { reason } of left) expect(reason).toEqual({ code: 'left-out', by: 'bail' })
  expect(run).toMatchObject({ verdict: 'deviates', interrupted: false })
})

test('failures with one cause count once', async () => {
  const same = Array.from({ length: 20 }, (_, index) => deviates(`same-${index}`, 'the same value'))
  const { checks, reached } = await bailing(2, same)
  expect(reached).toEqual([])
  expect(checks.map(({ outcome }) => outcome)).toEqual(same.map(() => 'failed'))
})

test.each([
  [false, 0],
  [true, 1],
])('with strict: %s, warnings count as causes', async (strict, times) => {
  const { reached } = await bailing(1, [{ ...deviates('warns', 'a value'), level: 'should' }], strict)
  expect(reached).toHaveLength(times)
})

/** Calls `run` for some checks of a target that never shows an effect. The configuration lets no wait take time. */
async function called(checks: readonly ReturnType<typeof claim>[], words: string) {
  const { baseUrl } = await scriptedTarget((_, response) => json(response, 200, []))
  const file = write('run.yaml', 'versions: ["2026-03-10"]\npolling: { maxWaitSeconds: 0 }\ngate: { repeats: 0 }\n')
  const folder = at(`reports-${Math.random()}`)
  const own = suite({ area: 'events', endpoint, checks })
  const all = `run --config ${file} --base-url ${baseUrl} --out ${folder} --format markdown ${words}`
  return { ...(await commandLine(all, async () => [own])), folder }
}

test('run --quick marks each suspicion, and run --failed judges it again', async () => {
  const { code, said: text, folder } = await called([passes, misses], '--quick')
  expect(code).toBe(1)
  expect(text).toMatch(/^2026-03-10 {2}suspected events\.public\.misses$/m)
  expect(text).toMatch(/^SUSPECTED events\.public\.misses$/m)
  expect(text).toMatch(/^ {2}effect {4}suspected: looked for \d+\.\d s \(events\.public: an effect\)$/m)
  expect(text).toMatch(/^deviates \(provisional\), /m)
  expect(readRun(folder).run.provisional).toBe(true)
  const again = await called([passes, misses], `--failed ${folder}`)
  expect(again.said).toMatch(/^FAILED events\.public\.misses$/m)
  expect(readRun(again.folder).reports[0]?.checks).toHaveLength(1)
})

test('run --bail says that it found enough, and reports the checks that it left out', async () => {
  const { code, said: text, folder } = await called(others, '--bail 1')
  expect(code).toBe(1)
  expect(text).toMatch(/^1 cause of failures found: no further check begins \(--bail\)$/m)
  expect(text).toMatch(/^ +\d+ {2}left out: limit of causes reached$/m)
  expect(readRun(folder).run.interrupted).toBe(false)
})

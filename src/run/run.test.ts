import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { queryObjects } from 'node:v8'
import { afterEach, expect, test, vi } from 'vitest'
import { startReferenceServer } from '../../fixtures/reference/server/start.ts'
import { listeningOn } from '../../fixtures/samples/target/scripted-target.ts'
import { suites } from '../../suites/index.ts'
import { defaults } from '../config/config.ts'
import { knownSecrets } from '../http/redaction/redaction.ts'
import { systemClock } from '../http/transport/time/clock.ts'
import type { ProgressEvent } from '../record/progress-event.ts'
import { Session } from './judge/session.ts'
import { judgeTarget } from './run.ts'
import { allChecks, findCheck } from './selection/selection.ts'

afterEach(() => void vi.restoreAllMocks())

test('no session of a run stays in memory after it, while its signal can still abort', async () => {
  const running = await startReferenceServer()
  const checks = [findCheck(suites, 'events.public.event-shape')]
  const stop = new AbortController()
  // Tests of other files in the same thread may have left some.
  const sessions = () => Number(queryObjects(Session))
  const before = sessions()
  const judging = judgeTarget(running.configure(defaults), checks, { signal: stop.signal })
  const { reports } = await judging.finally(() => running.close())
  for (const { totals } of reports) expect(totals.passed).toBeGreaterThan(0)
  await expect.poll(sessions).toBeLessThanOrEqual(before)
  expect(stop.signal.aborted).toBe(false)
})

test('a run ends at its deadline, whatever is pending', async () => {
  const config = {
    ...defaults,
    target: { ...defaults.target, baseUrl: await listeningOn(createServer(() => {})) },
    limits: { ...defaults.limits, timeoutSeconds: 3600, runMinutes: 0.01 },
  }
  const checks = [findCheck(suites, 'events.public.status')]
  const { run, reports } = await judgeTarget(config, checks, {})
  expect(run.interrupted).toBe(false)
  for (const {
    checks: [record],
  } of reports)
    expect(record).toMatchObject({ outcome: 'untested', reason: { code: 'left-out', by: 'time-limit' } })
})

test('a time of day that is set back shortens no duration below nothing', async () => {
  let time = Date.parse('2026-01-01')
  vi.spyOn(Date, 'now').mockImplementation(() => (time -= 3_600_000))
  const config = { ...defaults, target: { ...defaults.target, baseUrl: 'http://127.0.0.1:9' } }
  const checks = allChecks(suites).slice(0, 1)
  const { reports } = await judgeTarget(config, checks, { unreachable: 'no server listens' })
  expect(reports.length).toBeGreaterThan(0)
  for (const { durationMs } of reports) expect(durationMs).toBeGreaterThanOrEqual(0)
})

test('a secret in the reason of an unreachable target is in no record', async () => {
  const secret = 'unusual-5d1c'
  const config = { ...defaults, target: { ...defaults.target, baseUrl: 'http://127.0.0.1:9' } }
  const checks = allChecks(suites).slice(0, 1)
  knownSecrets.add(secret, 'OWNER_TOKEN')
  const records = await judgeTarget(config, checks, { unreachable: `because of ${secret}` })
  expect(JSON.stringify(records)).toContain('because of $OWNER_TOKEN')
  expect(JSON.stringify(records)).not.toContain(secret)
})

test('an interrupted run whose provider never releases keeps its requests, and no check of another version is errored', async () => {
  // The run waits some seconds for the release.
  const { sleep } = systemClock
  vi.spyOn(systemClock, 'sleep').mockImplementation((time, signal) => sleep(time / 100, signal))
  const running = await startReferenceServer()
  const provider = createServer(async (request, response) => {
    const body = await text(request)
    if (body.includes('"release"')) return
    const asked = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
    // The end of the test closes the connections of the last questions.
    const relayed = await fetch(running.providerUrl, asked).catch(() => Response.error())
    if (relayed.ok) response.writeHead(relayed.status, { 'content-type': 'application/json' }).end(await relayed.text())
  })
  const address = await listeningOn(provider)
  const stop = new AbortController()
  const checks = allChecks(suites).filter(({ suite }) => suite.area === 'events')
  const progress = (event: ProgressEvent) => {
    if (event.type === 'check' && event.record.outcome === 'passed' && event.record.exchanges.length > 0) stop.abort()
  }
  const { reports } = await judgeTarget({ ...running.configure(defaults), provider: address }, checks, {
    listener: { progress },
    signal: stop.signal,
  })
  await running.close()
  expect(Math.max(...reports.map(({ requests }) => requests.sent))).toBeGreaterThan(0)
  expect(reports.flatMap(({ exchanges }) => exchanges)).not.toEqual([])
  const others = reports.flatMap(({ apiVersion, checks }) =>
    checks.filter(({ id, outcome }) => outcome === 'errored' && otherVersion(id, apiVersion)),
  )
  expect(others).toEqual([])
})

function otherVersion(id: string, apiVersion: string) {
  const { versions } = findCheck(suites, id).check
  return versions !== undefined && !versions.some((version) => version === apiVersion)
}

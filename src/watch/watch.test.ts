import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { sampleRecords } from '../../fixtures/samples/run/records.ts'
import { drawnPort } from '../../fixtures/samples/target/scripted-target.ts'
import type { Outcome } from '../record/reason.ts'
import type { RunRecords } from '../record/report-lanes.ts'
import { endpoints } from '../spec/endpoints.ts'
import { check, suite } from '../suite/check.ts'
import { nextTrigger, type Trigger, watch } from './watch.ts'

async function listen(port: number) {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return server
}

const close = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()))

describe('the triggers of a watch', () => {
  test('a watch continues on Enter', async () => {
    const input = new PassThrough()
    const next = nextTrigger(input, 'http://127.0.0.1:9', 60_000)
    input.write('\n')
    expect(await next).toBe('enter')
  })

  test('a watch continues when the target is available again, and not earlier', async () => {
    const port = drawnPort()
    const server = await listen(port)
    const seen: Trigger[] = []
    const next = nextTrigger(new PassThrough(), `http://127.0.0.1:${port}`, 5).then((trigger) => seen.push(trigger))
    for (let looks = 0; looks < 2; looks += 1) await once(server, 'connection')
    await close(server)
    await delay(20)
    expect(seen).toEqual([])
    // A busy machine may miss a short absence, so the target is away again until the watch saw it.
    while (seen.length === 0) {
      const back = await listen(port)
      await delay(20)
      await close(back)
      await delay(20)
    }
    await next
    expect(seen).toEqual(['back'])
  })

  test('a watch does not continue after Ctrl-C', async () => {
    const next = nextTrigger(new PassThrough(), 'http://127.0.0.1:9', 60_000)
    process.emit('SIGINT')
    expect(await next).toBe('end')
  })
})

test.each([
  ['passed', '1 of 1'],
  ['untested', '0 of 1'],
  ['errored', '0 of 1'],
] as const)(
  'a watch judges earlier failures first, then everything, and counts one that is %s then as %s',
  async (second, counted) => {
    const selection = eightChecks()
    const first = selection[1]
    const judged: number[] = []
    const printed: string[] = []
    const failing = rename(sampleRecords(), first?.check.id ?? '')
    const triggers: Trigger[] = ['back', 'end']
    await watch(selection, {
      judge: async (chosen) => {
        judged.push(chosen.length)
        return judged.length === 1 ? failing : mended(failing, judged.length === 2 ? second : 'passed')
      },
      wait: async () => triggers.shift() ?? 'end',
      print: (text) => void printed.push(text),
      conclude: () => {},
    })
    expect(judged).toEqual([8, 1, 8])
    expect(printed.join('')).toContain('the target is available again')
    expect(printed.join('')).toContain(`failed before: ${counted} now pass\n`)
    const open = `${first?.check.id} is no longer failing, now untested because `
    expect(printed.join('').includes(open)).toBe(second === 'untested')
    expect(printed.join('')).toContain(`fix (2): better than before\n  2022-11-28  ${first?.check.id}  failed → passed`)
  },
)

function eightChecks() {
  const checks = Array.from({ length: 8 }, (_, index) =>
    check({
      id: `events.public.claim-${index}`,
      requirement: 'events.feeds.status',
      level: 'must',
      title: 'claims something',
      needs: {},
      run: async () => {},
    }),
  )
  const owner = suite({ area: 'events', endpoint: endpoints.publicEvents, checks })
  return owner.checks.map((each) => ({ check: each, suite: owner }))
}

/** The sample with its failing check under an id that the suite has. */
function rename(records: RunRecords, id: string) {
  const reports = records.reports.map((report) => ({
    ...report,
    checks: report.checks
      .filter(({ outcome }) => outcome === 'failed' || outcome === 'passed')
      .map((check) => (check.outcome === 'failed' ? { ...check, id } : check)),
  }))
  return { run: { ...records.run, crossVersion: { ...records.run.crossVersion, checks: [] } }, reports }
}

function mended(records: RunRecords, outcome: Outcome) {
  const reports = records.reports.map((report) => ({
    ...report,
    checks: report.checks.map((check) => ({ ...check, outcome })),
  }))
  return { ...records, reports }
}

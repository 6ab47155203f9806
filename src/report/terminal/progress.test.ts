import { expect, test, vi } from 'vitest'
import type { CheckRecord } from '../../record/check-record.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { Outcome } from '../../record/reason.ts'
import { Progress, type ProgressStream, withStatus } from './progress.ts'

/** A stream that collects its text, and a clock that the test sets. */
function surroundings(stream: Partial<ProgressStream> = {}, total = 2) {
  const written: string[] = []
  const clock = { now: 0 }
  const progress = new Progress(
    { write: (text) => void written.push(text), redraw: (line) => void written.push(`\r${line}`), ...stream },
    () => total,
    () => clock.now,
  )
  return { written, clock, progress }
}

const judged = (lane: LaneName, outcome: Outcome) =>
  ({ type: 'check', lane, record: { id: 'events.public.status', outcome } as CheckRecord }) as const

test('redirected output mentions a wait after five seconds without a line', () => {
  const { written, clock, progress } = surroundings()
  for (const time of [0, 4000, 6000, 9000, 12_000]) {
    clock.now = time
    progress.receive({ type: 'waiting', lane: '2026-03-10', what: 'a notification', seconds: 4.2 })
  }
  const line = '0 of 2 checks, 0 failed  waiting 5 s for a notification\n'
  expect(written).toEqual([`0:06  ${line}`, `0:12  ${line}`])
})

test('redirected output names failures, the end of a version with the time it took, and breaks a long silence', () => {
  const { written, clock, progress } = surroundings()
  progress.receive(judged('2026-03-10', 'failed'))
  clock.now = 31_000
  progress.receive({ type: 'requests', lane: '2026-03-10', sent: 10 })
  progress.receive({ type: 'requests', lane: '2026-03-10', sent: 20 })
  clock.now = 65_000
  progress.receive(judged('2026-03-10', 'passed'))
  expect(written).toEqual([
    '2026-03-10  failed events.public.status\n',
    '0:31  1 of 2 checks, 1 failed\n',
    '2026-03-10  2 of 2 checks, 1 failed in 1:05\n',
  ])
})

test('a terminal shows one line with the checks of all versions, the elapsed time and the current wait, within its width', () => {
  const { written, clock, progress } = surroundings({ isTTY: true, columns: 90 })
  progress.receive(judged('2022-11-28', 'passed'))
  clock.now = 9_000
  progress.receive({ type: 'waiting', lane: '2026-03-10', what: `\u001b[2J${'x'.repeat(100)}`, seconds: 3 })
  const line = written.at(-1) ?? ''
  expect(line.slice(0, 1)).toBe('\r')
  expect(line.slice(1)).toMatch(/^0:09 {2}1 of 4 checks, 0 failed {2}waiting 3 s for .*…$/)
  expect(line.slice(1).length).toBeLessThan(90)
  expect(line.slice(1)).not.toContain('\u001b')
})

test('the time that is left is counted down, and absent once it has passed and for the last checks', () => {
  const { written, clock, progress } = surroundings({ isTTY: true }, 100)
  const lineAt = (seconds: number, count = 0) => {
    clock.now = seconds * 1000
    for (let index = 0; index < count; index += 1) progress.receive(judged('2026-03-10', 'passed'))
    progress.receive({ type: 'requests', lane: '2026-03-10', sent: 10 })
    return written.at(-1)?.slice(1)
  }
  expect(lineAt(10, 50)).toBe('0:10  50 of 100 checks, 0 failed, about 0:10 left')
  expect(lineAt(16)).toBe('0:16  50 of 100 checks, 0 failed, about 0:04 left')
  expect(lineAt(21)).toBe('0:21  50 of 100 checks, 0 failed')
  expect(lineAt(22, 46)).toBe('0:22  96 of 100 checks, 0 failed')
  expect(lineAt(90)).toBe('1:30  96 of 100 checks, 0 failed')
})

/** The lines that a stream gets while two steps of five seconds are done. */
async function statusLines(stream: Partial<ProgressStream>): Promise<string[]> {
  vi.useFakeTimers()
  try {
    const lines: string[] = []
    const collecting = { write: (text: string) => void lines.push(text), redraw: (line: string) => void lines.push(line) }
    await withStatus({ ...collecting, ...stream }, async (showStep) => {
      showStep('examining the target')
      for (const step of [1, 2, 3]) {
        showStep('predicting', step, 3)
        await vi.advanceTimersByTimeAsync(1500)
      }
    })
    return lines
  } finally {
    vi.useRealTimers()
  }
}

test('a terminal shows the step of some work, the elapsed time and the time that is left, and removes the line', async () => {
  const lines = await statusLines({ isTTY: true, columns: 60 })
  expect(lines[0]).toBe('0:00  examining the target')
  expect(lines).toContain('0:01  predicting, 1 of 3')
  expect(lines).toContain('0:03  predicting, 3 of 3, about 0:01 left')
  expect(lines.at(-1)).toBe('')
})

test('a stream that is no terminal gets no status', async () => {
  expect(await statusLines({ isTTY: false })).toEqual([])
})

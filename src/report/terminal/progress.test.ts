import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sampleChecks } from '../../../fixtures/samples/report/report.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import type { LaneName } from '../../record/lane-name.ts'
import type { Waiting } from '../../record/progress-event.ts'
import { type ProgressStream, type RunFacts, showProgress, withStatus } from './progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const [older, newer] = ['2022-11-28', '2026-03-10'] as const

/** A stream that collects its lines, and the progress of a run that writes to it. */
function surroundings(stream: Partial<ProgressStream> = {}, facts: Partial<RunFacts> = {}) {
  const written: string[] = []
  const collecting = {
    write: (text: string) => void written.push(text),
    redraw: (line: string) => void written.push(`\r${line}`),
  }
  const totals = new Map([[newer, 2]])
  const progress = showProgress({ ...collecting, ...stream }, { totals, patience: 120, ...facts })
  return { written, progress, live: () => written.at(-1)?.replace('\r', '') }
}

const terminal = { isTTY: true, columns: 200 }

const [sample] = sampleChecks()
const judged = (lane: LaneName, change: Partial<CheckRecord>) =>
  ({ type: 'check', lane, record: { ...(sample as CheckRecord), id: 'events.public.status', ...change } }) as const

const passed = judged(newer, { outcome: 'passed' })

/** The events at the beginning and at the end of a pause. */
function pause(waiting: Partial<Waiting> = {}, lane: LaneName = newer) {
  const whole = { what: 'a notification', seconds: 5, check: 'notifications.thread.shape', ...waiting }
  return { begin: { type: 'waiting', lane, waiting: whole }, end: { type: 'waited', lane, waiting: whole } } as const
}

const advance = (seconds: number) => vi.advanceTimersByTime(seconds * 1000)

/** Pauses several times, for so many seconds each time. */
function pauseOften({ receive }: ReturnType<typeof showProgress>, times: number, waiting: Partial<Waiting>) {
  const { begin, end } = pause(waiting)
  for (let time = 0; time < times; time += 1) {
    receive(begin)
    advance(begin.waiting.seconds)
    receive(end)
  }
}

describe('redirected output', () => {
  test('prints a wait soon after it has begun, once, without any further event', () => {
    const { written, progress } = surroundings()
    progress.receive(pause({ seconds: 120 }).begin)
    advance(2)
    expect(written).toEqual([])
    advance(1)
    const line = '0:03  waiting 3 of at most 120 s for a notification (notifications.thread.shape)\n'
    expect(written).toEqual([line])
    advance(20)
    expect(written).toEqual([line])
  })

  test('does not mention short waits', () => {
    const { written, progress } = surroundings()
    pauseOften(progress, 5, { seconds: 2 })
    expect(written).toEqual([])
  })

  test('names an error at once: the first one with its claim, the expected and the actual value, further ones by their ids', () => {
    const { written, progress } = surroundings()
    const failed = judged(newer, {
      outcome: 'failed',
      deviation: { expected: 'the status 200', actual: '\u001b[2J500', exchanges: [] },
    })
    progress.receive(failed)
    progress.receive(failed)
    expect(written).toEqual([
      '2026-03-10  failed events.public.status\n',
      `  claim     ${sample?.endpoint} ${sample?.title} (${sample?.section})\n`,
      '  expected  the status 200\n',
      '  actual    \\u001b[2J500\n',
      '2026-03-10  failed events.public.status\n',
      '2026-03-10  2 of 2 checks, 2 failed in 0:00\n',
    ])
  })

  test.each([
    [120, '2026-03-10  suspected, to be confirmed: events.public.status\n'],
    [undefined, '2026-03-10  suspected events.public.status\n'],
  ])('marks a suspicion, with the patience %s', (patience, line) => {
    const { written, progress } = surroundings({}, { patience })
    progress.receive(judged(newer, { outcome: 'failed', suspicions: ['an effect'] }))
    expect(written[0]).toBe(line)
  })

  test('breaks a long silence, and prints the end of a version with the time it took', () => {
    const { written, progress } = surroundings()
    progress.receive(passed)
    advance(65)
    progress.receive(passed)
    expect(written).toEqual([
      '0:30  1 of 2 checks, 0 failed\n',
      '1:00  1 of 2 checks, 0 failed\n',
      '2026-03-10  2 of 2 checks, 0 failed in 1:05\n',
    ])
  })

  test('is silent after the end', () => {
    const { written, progress } = surroundings()
    progress.receive(passed)
    progress.end()
    advance(100)
    expect(written).toEqual([])
  })
})

describe('a terminal', () => {
  test('has one line with the checks of all versions, the elapsed time and the current wait, within its width', () => {
    const totals = new Map([
      [older, 2],
      [newer, 2],
    ])
    const { progress, live } = surroundings({ isTTY: true, columns: 90 }, { totals })
    progress.receive(judged(older, { outcome: 'passed' }))
    advance(6)
    progress.receive(pause({ what: `\u001b[2J${'x'.repeat(100)}`, seconds: 9 }).begin)
    advance(3)
    const line = live() ?? ''
    expect(line).toMatch(/^0:09 {2}1 of 4 checks, 0 failed {2}waiting 3 of at most 9 s for .*…$/)
    expect(line.length).toBeLessThan(90)
    expect(line).not.toContain('\u001b')
  })

  test('counts the pauses of one watch as one wait, also while the check reads between them', () => {
    const { progress, live } = surroundings(terminal)
    pauseOften(progress, 3, { seconds: 5, atMost: 120 })
    expect(live()).toContain('  waiting 15 of at most 120 s for a notification (notifications.thread.shape)')
    advance(2)
    expect(live()).not.toContain('waiting')
  })

  test('counts each poll interval as a wait of its own', () => {
    const { progress, live } = surroundings(terminal)
    const { begin, end } = pause({ what: 'the poll interval of /events', seconds: 10, check: '' })
    for (const event of [begin, end, begin]) {
      progress.receive(event)
      advance(6)
    }
    expect(live()).toContain('  waiting 6 of at most 10 s for the poll interval of /events')
  })

  test('has all waits of one kind together, and the number of those of other kinds', () => {
    const { progress, live } = surroundings(terminal)
    for (const check of ['a', 'b', 'c']) progress.receive(pause({ check, atMost: 60 }).begin)
    progress.receive(pause({ check: 'a', atMost: 60 }, older).begin)
    advance(5)
    progress.receive(pause({ what: 'an export', check: 'd', atMost: 60 }).begin)
    advance(3)
    expect(live()).toMatch(/ {2}waiting 8 of at most 60 s for a notification \(3 checks\) and 1 other wait$/)
  })

  test('forgets the wait of a check that was judged', () => {
    const { progress, live } = surroundings(terminal)
    progress.receive(pause({ check: 'events.public.status', atMost: 60 }).begin)
    advance(4)
    expect(live()).toContain('waiting 4 of at most 60 s')
    progress.receive(passed)
    expect(live()).not.toContain('waiting')
  })

  test('does not count inapplicable checks, which the total leaves out', () => {
    const { progress, live } = surroundings(terminal)
    progress.receive(passed)
    progress.receive(judged(newer, { outcome: 'inapplicable' }))
    expect(live()).toBe('0:00  1 of 2 checks, 0 failed')
  })
})

describe('the time left', () => {
  test('is counted down, and absent once it has passed and for the last checks', () => {
    const { progress, live } = surroundings(terminal, { totals: new Map([[newer, 100]]) })
    const lineAfter = (seconds: number, count = 0) => {
      advance(seconds)
      for (let index = 0; index < count; index += 1) progress.receive(passed)
      return live()
    }
    expect(lineAfter(10, 50)).toBe('0:10  50 of 100 checks, 0 failed, about 0:10 left at this pace')
    expect(lineAfter(6)).toBe('0:16  50 of 100 checks, 0 failed, about 0:04 left at this pace')
    expect(lineAfter(5)).toBe('0:21  50 of 100 checks, 0 failed')
    expect(lineAfter(1, 46)).toBe('0:22  96 of 100 checks, 0 failed')
    expect(lineAfter(68)).toBe('1:30  96 of 100 checks, 0 failed')
  })

  test('is the patience while suspicions are open, and absent once they have been confirmed', () => {
    const { progress, live } = surroundings(terminal, { totals: new Map([[newer, 10]]) })
    for (let count = 0; count < 7; count += 1) progress.receive(passed)
    progress.receive(judged(newer, { outcome: 'failed', suspicions: ['an effect'] }))
    progress.receive(judged(newer, { outcome: 'untested', suspicions: ['an effect'] }))
    expect(live()).toBe('0:00  9 of 10 checks, 0 failed, 2 suspected, then up to 2:00 to confirm 2 suspicions')
    progress.receive({ type: 'confirming', suspected: 2, patience: 90 })
    advance(20)
    expect(live()).toBe('0:20  9 of 10 checks, 0 failed, 2 suspected, up to 1:10 to confirm 2 suspicions')
    advance(80)
    expect(live()).toBe('1:40  9 of 10 checks, 0 failed, 2 suspected, confirming 2 suspicions')
    progress.receive(passed)
    expect(live()).toBe('1:40  10 of 10 checks, 0 failed, 2 suspected')
  })

  test('is unknown in a run that confirms nothing', () => {
    const { progress, live } = surroundings(terminal, { patience: undefined })
    progress.receive(judged(newer, { outcome: 'failed', suspicions: ['an effect'] }))
    expect(live()).toBe('0:00  1 of 2 checks, 0 failed, 1 suspected')
  })
})

test('the poll interval of the target is explained once, with the ways to a shorter run', () => {
  const { written, progress } = surroundings()
  const { begin, end } = pause({ what: 'the poll interval of /events', seconds: 60, check: '' })
  // Two callers wait for it, the second one a little later.
  for (const event of [begin, begin, end, end, begin, end]) {
    progress.receive(event)
    advance(event === begin ? 1 : 59)
  }
  const notes = written.filter((line) => line.startsWith('note: '))
  expect(notes).toEqual([
    expect.stringMatching(/asks for a pause .*: here of 60 seconds\. .* smaller X-Poll-Interval, .* obey: false/),
  ])
})

/** The lines that a stream gets while two steps of five seconds are done. */
async function statusLines(stream: Partial<ProgressStream>) {
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

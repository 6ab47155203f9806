import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endingSignals, onInterrupt } from './interruption.ts'

const listeners = () => endingSignals.map((signal) => process.listenerCount(signal))
const before = listeners()
const one = before.map((count) => count + 1)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a run that was not interrupted releases the signals at its end', () => {
  const interruption = onInterrupt()
  expect(listeners()).toEqual(one)
  interruption.stop()
  expect(listeners()).toEqual(before)
})

test.each(endingSignals)('%s ends a run, and one that repeats it finds the process listening, also at its end', (signal) => {
  const interruption = onInterrupt()
  process.emit(signal)
  expect(interruption.signal.aborted).toBe(true)
  vi.advanceTimersByTime(1900)
  interruption.stop()
  expect(listeners()).toEqual(one)
  vi.advanceTimersByTime(1900)
  process.emit('SIGINT')
  vi.advanceTimersByTime(2000)
  expect(listeners()).toEqual(before)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onInterrupt } from './interruption.ts'

const listeners = () => ['SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal))
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

test('a signal that repeats an interruption finds the process listening, also when the run has just ended', () => {
  const interruption = onInterrupt()
  process.emit('SIGTERM')
  expect(interruption.signal.aborted).toBe(true)
  interruption.stop()
  expect(listeners()).toEqual(one)
  process.emit('SIGINT')
  vi.advanceTimersByTime(2000)
  expect(listeners()).toEqual(before)
})

import { expect, test } from 'vitest'
import { NotSent } from '../../exchange/no-response.ts'
import { beginBudget, unlessEnded, withDeadline, withinBudget } from './budget.ts'
import { VirtualClock } from './test-clock.ts'
import { nextTurn } from './timers.ts'

const clockAt = (begun: number) => ({ begun, clock: new VirtualClock(begun) })

test('a sleep beyond the deadline ends there, a shorter one at its own time', async () => {
  const times = clockAt(1000)
  const { clock, signal, stop } = beginBudget({ ...times, minutes: 1 })
  await clock.sleep(20_000)
  expect([clock.now(), signal.aborted]).toEqual([21_000, false])
  await expect(clock.sleep(120_000)).rejects.toThrow(NotSent)
  expect(clock.now()).toBe(61_000)
  expect(signal.reason).toMatchObject({ reason: { code: 'time-limit' } })
  await expect(clock.sleep(1)).rejects.toThrow(NotSent)
  expect(clock.now()).toBe(61_000)
  stop()
})

test('a budget whose deadline has passed ends at once, and an interrupted one with the reason of the user', () => {
  const late = beginBudget({ begun: 0, minutes: 1, clock: new VirtualClock(60_000) })
  expect(late.signal.reason).toMatchObject({ reason: { code: 'time-limit' } })
  const user = new AbortController()
  const budgets = [beginBudget({ ...clockAt(0), minutes: undefined }, user.signal)]
  user.abort(new Error('interrupted'))
  budgets.push(beginBudget({ ...clockAt(0), minutes: 1 }, user.signal))
  for (const { signal } of budgets) expect(signal.reason).toBe(user.signal.reason)
})

test('work that listens to no signal is left at the end of the budget or of its own time', async () => {
  const never = new Promise<never>(() => {})
  const user = new AbortController()
  const left = unlessEnded(user.signal, never)
  user.abort(new Error('interrupted'))
  await expect(left).rejects.toThrow('interrupted')
  await expect(unlessEnded(user.signal, never)).rejects.toThrow('interrupted')
  const late = withDeadline(1, undefined, (ending) => unlessEnded(ending, never), new Error('too late'))
  await expect(late).rejects.toThrow('too late')
  expect(await unlessEnded(new AbortController().signal, Promise.resolve('done'))).toBe('done')
})

test('work removes its objects after the end of its budget, before the result is stated', async () => {
  const steps: string[] = []
  const work = (signal: AbortSignal) =>
    unlessEnded(signal, new Promise<never>(() => {})).finally(async () => {
      await nextTurn()
      steps.push('removed')
    })
  const late = () => void steps.push('late')
  await withinBudget({ begun: 0, minutes: 0 }, new AbortController().signal, work, late)
  expect(steps).toEqual(['removed', 'late'])
})

import { expect, test } from 'vitest'
import { NotSent } from '../../exchange/no-response.ts'
import { budgetUntil } from './budget.ts'
import { VirtualClock } from './test-clock.ts'

test('a sleep beyond the deadline ends there, a shorter one at its own time', async () => {
  const clock = new VirtualClock(1000)
  const reasons: NotSent[] = []
  const budget = budgetUntil(61_000, clock, (reason) => reasons.push(reason))
  await budget.clock.sleep(20_000)
  expect([clock.now(), reasons.length]).toEqual([21_000, 0])
  await expect(budget.clock.sleep(120_000)).rejects.toThrow(NotSent)
  expect(clock.now()).toBe(61_000)
  expect(reasons[0]?.reason).toEqual({ code: 'time-limit' })
  await expect(budget.clock.sleep(1)).rejects.toThrow(NotSent)
  expect(clock.now()).toBe(61_000)
  budget.stop()
})

test('a budget whose deadline has passed ends at once', () => {
  let reason: NotSent | undefined
  budgetUntil(999, new VirtualClock(1000), (ended) => (reason = ended)).stop()
  expect(reason?.reason.code).toBe('time-limit')
})

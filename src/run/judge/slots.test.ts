import { setImmediate as settle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Slots } from './slots.ts'
import { occupy } from './testing/session.ts'

test('no more checks work at the same time than there are slots', async () => {
  const slots = new Slots(2)
  let working = 0
  const most: number[] = []
  const work = async () => {
    working += 1
    most.push(working)
    await settle()
    working -= 1
  }
  await Promise.all(Array.from({ length: 8 }, () => occupy(slots, work)))
  expect(Math.max(...most)).toBe(2)
})

test('a waiting check releases its slot and takes one again afterwards', async () => {
  const slots = new Slots(1)
  const order: string[] = []
  let wake = () => {}
  const waited = new Promise<void>((resolve) => (wake = resolve))
  const first = occupy(slots, async () => {
    await slots.vacate(() => waited)
    order.push('first')
  })
  await occupy(slots, async () => {
    wake()
    await settle()
    order.push('second')
  })
  await first
  expect(order).toEqual(['second', 'first'])
})

test('a slot is free again after work or a wait has failed', async () => {
  const slots = new Slots(1)
  await expect(occupy(slots, () => Promise.reject(new Error('work')))).rejects.toThrow('work')
  const waiting = occupy(slots, () => slots.vacate(() => Promise.reject(new Error('wait'))))
  await expect(waiting).rejects.toThrow('wait')
  expect(await occupy(slots, async () => 'next')).toBe('next')
})

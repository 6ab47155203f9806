import { expect, onTestFinished, test, vi } from 'vitest'
import type { Treatment } from '../../suite/touch.ts'
import { Slots } from '../judge/slots.ts'
import type { Turn } from '../judge/trace.ts'
import { type Job, runJobs } from './scheduler.ts'

/** The seed and enough slots for all jobs. */
const running = (seed = 1, slots = 1000) => ({ seed, slots: new Slots(slots) })

/** Jobs that record which other jobs ran at the same time. */
function recorder() {
  const running = new Set<string>()
  const beside = new Map<string, Set<string>>()
  const order: string[] = []
  const job = (name: string, how: Treatment, what: string, more: Partial<Job> = {}) => ({
    touches: [{ what, how }],
    rank: 1,
    batch: '',
    run: async () => {
      order.push(name)
      for (const other of running) {
        beside.get(other)?.add(name)
      }
      beside.set(name, new Set(running))
      running.add(name)
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      running.delete(name)
    },
    ...more,
  })
  const met = (name: string) => [...(beside.get(name) ?? [])].sort()
  return { job, met, order }
}

test('jobs that keep the same object run beside each other', async () => {
  const { job, met } = recorder()
  await runJobs([job('a', 'keeps', 'inbox'), job('b', 'keeps', 'inbox')], running())
  expect(met('a')).toEqual(['b'])
})

test.each(['adds', 'changes-part', 'changes'] as const)(
  'a job that %s an object waits for those that keep a part of it',
  async (how) => {
    const { job, met, order } = recorder()
    await runJobs([job('later', how, 'inbox', { rank: 0 }), job('first', 'keeps', 'inbox/owner')], running())
    expect(met('later')).toEqual([])
    expect(order).toEqual(['first', 'later'])
  },
)

test('one job at a time changes an object, while others change other objects', async () => {
  const { job, met } = recorder()
  await runJobs([job('a', 'changes', 'inbox'), job('b', 'changes', 'inbox'), job('c', 'changes', 'migrations')], running())
  expect(met('a')).not.toContain('b')
  expect([...met('a'), ...met('b')]).toContain('c')
})

test('the parts of an object are changed before the whole, each beside the other', async () => {
  const { job, met, order } = recorder()
  const parts = [1, 2].flatMap((number) => ['a', 'b'].map((part) => job(`${part}${number}`, 'changes', `inbox/${part}`)))
  await runJobs([job('whole', 'changes', 'inbox', { rank: 0 }), ...parts], running())
  expect(order.at(-1)).toBe('whole')
  expect(met('a1').some((name) => name.startsWith('b'))).toBe(true)
})

test('names of objects are compared part by part', async () => {
  const { job, met } = recorder()
  await runJobs([job('a', 'changes', 'objects/user'), job('b', 'changes', 'objects/user-keys')], running())
  expect(met('a')).toEqual(['b'])
})

test('no other job runs between two jobs of a batch that change an object', async () => {
  const { job, order } = recorder()
  const jobs = [1, 2, 3].flatMap((index) => ['x', 'y'].map((batch) => job(`${batch}${index}`, 'changes', 'inbox', { batch })))
  await runJobs(jobs, running(7))
  expect(['xxxyyy', 'yyyxxx']).toContain(order.map(([batch]) => batch).join(''))
})

test('the seed decides the order within a rank, and a lower rank is begun first', async () => {
  const orderOf = async (seed: number) => {
    const { job, order } = recorder()
    const names = [...'abcdefgh']
    await runJobs([...names.map((name) => job(name, 'keeps', 'x')), job('first', 'keeps', 'x', { rank: 0 })], running(seed))
    return order.join('')
  }
  const [one, two, again] = [await orderOf(1), await orderOf(2), await orderOf(1)]
  expect(one.startsWith('first')).toBe(true)
  expect(one).toBe(again)
  expect(one).not.toBe(two)
})

test('no job begins after an abort', async () => {
  const { job, order } = recorder()
  const controller = new AbortController()
  const stop = job('a', 'changes', 'x', { rank: 0 })
  const ends = { ...stop, run: (turn: Turn) => stop.run(turn).then(() => controller.abort()) }
  await runJobs([ends, job('b', 'changes', 'x')], { ...running(), signal: controller.signal })
  expect(order).toEqual(['a'])
})

test('a job that rejects ends the run', async () => {
  const { job } = recorder()
  const broken = job('a', 'keeps', 'x', { run: () => Promise.reject(new Error('broken')) })
  await expect(runJobs([broken], running())).rejects.toThrow('broken')
})

test('no more jobs run at the same time than there are slots', async () => {
  const { job, met } = recorder()
  await runJobs(
    [...'abcdef'].map((name) => job(name, 'keeps', 'feeds')),
    running(1, 2),
  )
  for (const name of 'abcdef') expect(met(name).length).toBeLessThanOrEqual(3)
})

test('jobs that delay others begin before jobs that fill gaps, however many those are', async () => {
  const { job, order } = recorder()
  const feeds = Array.from({ length: 40 }, (_, index) => job(`feed ${index}`, 'keeps', 'feeds'))
  const changes = Array.from({ length: 20 }, (_, index) => job(`change ${index}`, 'changes', 'inbox'))
  await runJobs([...feeds, ...changes, job('before', 'keeps', 'inbox')], running(1, 2))
  expect(order[0]).toBe('before')
  // The second slot is for the feeds meanwhile.
  const begun = order.slice(0, 12).filter((name) => name.startsWith('change'))
  expect(begun.length).toBeGreaterThan(3)
})

test('a job begins as early as a job of rank 0 that waits for it', async () => {
  const { job, order } = recorder()
  const others = Array.from({ length: 10 }, (_, index) => job(`other ${index}`, 'keeps', 'objects'))
  await runJobs([...others, job('before', 'keeps', 'feeds'), job('slow', 'adds', 'feeds', { rank: 0 })], running(1, 1))
  expect(order.slice(0, 2)).toEqual(['before', 'slow'])
})

test.each([1, 2, 3, 4, 5, 6])(
  'the longest line of jobs begins first, after the jobs that it waits for (seed %i)',
  async (seed) => {
    const { job, order } = recorder()
    const line = (what: string, length: number) => Array.from({ length }, (_, index) => job(`${what} ${index}`, 'changes', what))
    await runJobs([...line('gists', 2), ...line('inbox', 5), job('before', 'keeps', 'inbox')], running(seed, 1))
    expect(order[0]).toBe('before')
    expect(order.findIndex((name) => name.startsWith('gists'))).toBe(6)
  },
)

test('a job that waits gives its objects to others, and continues once these are done', async () => {
  const order: string[] = []
  let resume = () => {}
  const awaited = new Promise<void>((resolve) => {
    resume = resolve
  })
  const { job } = recorder()
  const waiting = job('waiting', 'changes', 'inbox', {
    rank: 0,
    run: async (turn) => {
      order.push('begins')
      await turn.vacate(() => awaited)
      order.push('continues')
    },
  })
  const other = job('other', 'changes', 'inbox', {
    run: async () => {
      order.push('other begins')
      resume()
      for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      order.push('other ends')
    },
  })
  await runJobs([waiting, other], running(1, 1))
  expect(order).toEqual(['begins', 'other begins', 'other ends', 'continues'])
})

test('the event loop turns between jobs that only compute', async () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  let hasTurned = false
  setImmediate(() => (hasTurned = true))
  const { job } = recorder()
  const compute = async () => {
    if (!hasTurned) now += 4
  }
  const jobs = Array.from({ length: 40 }, (_, index) => job(`${index}`, 'keeps', 'feeds', { run: compute }))
  await runJobs(jobs, running(1, 1))
  expect(now).toBe(12)
})

test('the jobs that follow from a job run in the same schedule', async () => {
  const { job, order } = recorder()
  const further = job('further', 'changes', 'inbox')
  await runJobs([job('first', 'changes', 'inbox', { next: () => [further] })], running(1, 1))
  expect(order).toEqual(['first', 'further'])
})

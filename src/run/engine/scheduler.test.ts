import { expect, test } from 'vitest'
import type { Treatment } from '../../suite/touch.ts'
import { type Job, runJobs } from './scheduler.ts'

/** Jobs that note who else ran at some time while they ran. */
function recorder() {
  const running = new Set<string>()
  const beside = new Map<string, Set<string>>()
  const order: string[] = []
  const job = (name: string, how: Treatment, what: string, more: Partial<Job> = {}): Job => ({
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

test('jobs that keep the same thing run beside each other', async () => {
  const { job, met } = recorder()
  await runJobs([job('a', 'keeps', 'inbox'), job('b', 'keeps', 'inbox')], 1)
  expect(met('a')).toEqual(['b'])
})

test.each(['adds', 'changes-part', 'changes'] as const)(
  'a job that %s a thing waits for those that keep a part of it',
  async (how) => {
    const { job, met, order } = recorder()
    await runJobs([job('later', how, 'inbox', { rank: 0 }), job('first', 'keeps', 'inbox/owner')], 1)
    expect(met('later')).toEqual([])
    expect(order).toEqual(['first', 'later'])
  },
)

test('a thing is changed by one job at a time, while other things are changed', async () => {
  const { job, met } = recorder()
  await runJobs([job('a', 'changes', 'inbox'), job('b', 'changes', 'inbox'), job('c', 'changes', 'migrations')], 1)
  expect(met('a')).not.toContain('b')
  expect([...met('a'), ...met('b')]).toContain('c')
})

test('the parts of a thing are changed before the whole of it, each beside the other', async () => {
  const { job, met, order } = recorder()
  const parts = [1, 2].flatMap((number) => ['a', 'b'].map((part) => job(`${part}${number}`, 'changes', `inbox/${part}`)))
  await runJobs([job('whole', 'changes', 'inbox', { rank: 0 }), ...parts], 1)
  expect(order.at(-1)).toBe('whole')
  expect(met('a1').some((name) => name.startsWith('b'))).toBe(true)
})

test('what nobody waits for and runs side by side has its turn last, however much it is', async () => {
  const turns = new Map<string, number>()
  const { job } = recorder()
  const noting = (name: string, how: Treatment, what: string) =>
    job(name, how, what, { run: async (turn) => void turns.set(name, turn) })
  const feeds = Array.from({ length: 400 }, (_, index) => noting(`feed ${index}`, 'keeps', 'feeds'))
  await runJobs([...feeds, ...[1, 2].map((index) => noting(`change ${index}`, 'changes', 'inbox'))], 1)
  expect(turns.get('change 1')).toBeLessThan(turns.get('feed 0') ?? 0)
})

test('a row in which something waits for the target has its turn before a longer one in which nothing does', async () => {
  const turns = new Map<string, number>()
  const { job } = recorder()
  const noting = (name: string, what: string, slow?: boolean) =>
    job(name, 'changes', what, { slow, run: async (turn) => void turns.set(name, turn) })
  const many = Array.from({ length: 20 }, (_, index) => noting(`quick ${index}`, 'objects'))
  await runJobs([...many, noting('waits', 'migrations', true)], 1)
  expect(turns.get('waits')).toBeLessThan(turns.get('quick 0') ?? 0)
})

test('names are compared part by part', async () => {
  const { job, met } = recorder()
  await runJobs([job('a', 'changes', 'objects/user'), job('b', 'changes', 'objects/user-keys')], 1)
  expect(met('a')).toEqual(['b'])
})

test('a batch that changes a thing is not interrupted by another one', async () => {
  const { job, order } = recorder()
  const jobs = [1, 2, 3].flatMap((index) => ['x', 'y'].map((batch) => job(`${batch}${index}`, 'changes', 'inbox', { batch })))
  await runJobs(jobs, 7)
  expect(
    new Set([
      order
        .slice(0, 3)
        .map(([batch]) => batch)
        .join(''),
      order
        .slice(3)
        .map(([batch]) => batch)
        .join(''),
    ]),
  ).toEqual(new Set(['xxx', 'yyy']))
})

test('the seed decides the order within a rank, and a lower rank is begun first', async () => {
  const orderOf = async (seed: number) => {
    const { job, order } = recorder()
    const names = [...'abcdefgh']
    await runJobs([...names.map((name) => job(name, 'keeps', 'x')), job('first', 'keeps', 'x', { rank: 0 })], seed)
    return order.join('')
  }
  const [one, two, again] = [await orderOf(1), await orderOf(2), await orderOf(1)]
  expect(one.startsWith('first')).toBe(true)
  expect(one).toBe(again)
  expect(one).not.toBe(two)
})

test('nothing more is begun once the run is interrupted', async () => {
  const { job, order } = recorder()
  const controller = new AbortController()
  const stop = job('a', 'changes', 'x', { rank: 0 })
  const ends = { ...stop, run: async (turn: number) => stop.run(turn).then(() => controller.abort()) }
  await runJobs([ends, job('b', 'changes', 'x')], 1, controller.signal)
  expect(order).toEqual(['a'])
})

test('a job that rejects ends the run', async () => {
  const { job } = recorder()
  const broken = job('a', 'keeps', 'x', { run: () => Promise.reject(new Error('broken')) })
  await expect(runJobs([broken], 1)).rejects.toThrow('broken')
})

test('what the longest row of jobs waits for has its turn first', async () => {
  const turns = new Map<string, number>()
  const { job } = recorder()
  const noting = (name: string, how: Treatment, what: string) =>
    job(name, how, what, { run: async (turn) => void turns.set(name, turn) })
  const changes = Array.from({ length: 20 }, (_, index) => noting(`change ${index}`, 'changes', 'inbox'))
  const feeds = Array.from({ length: 40 }, (_, index) => noting(`feed ${index}`, 'keeps', 'feeds'))
  await runJobs([...feeds, ...changes, noting('before', 'keeps', 'inbox')], 1)
  expect(turns.get('before')).toBeLessThan(turns.get('feed 0') ?? 0)
  expect(turns.get('change 0')).toBeLessThan(turns.get('feed 0') ?? 0)
})

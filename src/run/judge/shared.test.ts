import { expect, test } from 'vitest'
import { json, scriptedTarget } from '../../../fixtures/samples/target/scripted-target.ts'
import { createContext } from './context.ts'
import { occupy, openSession } from './testing/session.ts'
import { newTrace } from './trace.ts'

const trace = () => newTrace('events.public.status')

async function session() {
  const { baseUrl } = await scriptedTarget((_, response) => json(response, 200, []))
  return openSession(baseUrl, {
    limits: { concurrency: 1, requestsPerSecond: 1e6, timeoutSeconds: 5, versions: 'side-by-side', archiveBytes: 1000 },
  })
}

test('a shared resource is created once and removed after the version has been judged', async () => {
  const open = await session()
  const events: string[] = []
  const ask = () =>
    createContext(open, trace()).shared('thing', async (t) => {
      events.push('made')
      t.cleanUp('the thing', async () => void events.push('undone'))
      return 7
    })
  await occupy(open.slots, ask)
  expect(await occupy(open.slots, ask)).toBe(7)
  expect(events).toEqual(['made'])
  await open.release()
  expect(events).toEqual(['made', 'undone'])
})

test('a shared resource that cannot be removed is reported as left behind', async () => {
  const open = await session()
  await createContext(open, trace()).shared('thing', async (t) => t.cleanUp('the thing', () => Promise.reject(new Error('no'))))
  await open.release()
  expect(open.leftBehind).toEqual(['the thing'])
})

test('a check that waits for a shared resource passes its slot to the check that creates it', async () => {
  const open = await session()
  const make = () =>
    occupy(open.slots, () =>
      createContext(open, trace()).shared('slow thing', async (t) => {
        await t.wait(0, 'the thing')
        return 'done'
      }),
    )
  expect(await Promise.all([make(), make(), make()])).toEqual(['done', 'done', 'done'])
})

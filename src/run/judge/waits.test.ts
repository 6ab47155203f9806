import { describe, expect, test } from 'vitest'
import { json, scriptedTarget } from '../../../fixtures/samples/target/scripted-target.ts'
import { anonymous } from '../../http/exchange/caller.ts'
import { endpoints } from '../../spec/endpoints.ts'
import { briefly, completed, eventually, type Looking } from '../../suite/observe.ts'
import { createContext } from './context.ts'
import { unknownLag } from './patience.ts'
import type { Session } from './session.ts'
import { openSession } from './testing/session.ts'
import { type Manner, newTrace } from './trace.ts'

const longest = 120

async function opened(headers: Record<string, string> = {}) {
  const { baseUrl } = await scriptedTarget((_, response) => json(response, 200, [], headers))
  return openSession(baseUrl, { polling: { obey: true, maxWaitSeconds: longest } })
}

/** Looks for an effect that appears after so many seconds. Returns the seconds that it took, and whether the effect was seen. */
async function lookedFor(session: Session, look: Looking, lag: number, manner: Manner = {}) {
  const { clock } = session
  const trace = newTrace('events.public.status', manner)
  const began = clock.now()
  const read = async () => clock.now() - began >= lag * 1000
  const { met } = await look(createContext(session, trace), 'the effect', read, Boolean)
  return { met, seconds: (clock.now() - began) / 1000, isSuspicious: trace.suspicions.size > 0 }
}

const never = 1000

describe('the first judgement', () => {
  test('looks three seconds for an effect of an unknown kind, and suspects the target', async () => {
    const look = await lookedFor(await opened(), eventually, never)
    expect(look).toEqual({ met: false, seconds: unknownLag, isSuspicious: true })
  })

  test.each([0, 2])(
    'after an effect that took %i s, looks for the next one three times as long, then once as long, but at least a second',
    async (lag) => {
      const session = await opened()
      const { met, seconds } = await lookedFor(session, eventually, lag)
      expect(met).toBe(true)
      for (const times of [3, 1])
        expect(await lookedFor(session, eventually, never)).toMatchObject({
          seconds: Math.max(times * seconds, 1),
          isSuspicious: true,
        })
    },
  )

  test('reads once for an effect that was missed twice and never seen', async () => {
    const session = await opened()
    for (let time = 0; time < 2; time += 1) await lookedFor(session, eventually, never)
    expect(await lookedFor(session, eventually, never)).toEqual({ met: false, seconds: 0, isSuspicious: true })
  })

  test('leaves the repetition of a request to the confirmation, which soon has it', async () => {
    const session = await opened()
    const mayRepeat = (isConfirming = false) => createContext(session, newTrace('events.a.b', { isConfirming })).mayRepeat('c')
    expect([mayRepeat(), session.patience.probably('events.a.b: c'), mayRepeat(true)]).toEqual([false, 10, true])
  })

  test('suspects nothing after a glance at an effect that is often missing', async () => {
    expect(await lookedFor(await opened(), briefly, never)).toMatchObject({ met: false, isSuspicious: false })
  })
})

describe('a confirmation', () => {
  const isConfirming = true

  test('waits as long as polling.maxWaitSeconds for an effect that was never seen', async () => {
    expect(await lookedFor(await opened(), eventually, never, { isConfirming })).toMatchObject({ seconds: longest })
  })

  test('waits twenty times as long as the slowest effect of the kind took, at least ten seconds', async () => {
    const session = await opened()
    await lookedFor(session, eventually, 0)
    expect(await lookedFor(session, eventually, never, { isConfirming })).toMatchObject({ met: false, seconds: 10 })
  })

  test('gives its objects to others while it waits', async () => {
    let waits = 0
    const turn = {
      vacate<Result>(wait: () => Promise<Result>) {
        waits += 1
        return wait()
      },
      awaitWork: () => {},
      isLast: () => false,
    }
    await lookedFor(await opened(), eventually, 5, { isConfirming, turn })
    expect(waits).not.toBe(0)
  })

  test('is left open where the run has no time for the whole patience', async () => {
    const session = await opened()
    session.patience.endConfirmations(session.clock.now() + 20_000)
    const look = lookedFor(session, eventually, never, { isConfirming })
    await expect(look).rejects.toMatchObject({ reason: { code: 'not-confirmed' } })
  })

  test('ends with the run where an effect of its kind was missed with the whole patience before', async () => {
    const session = await opened()
    session.patience.endConfirmations(session.clock.now() + (longest + 2) * 1000)
    await lookedFor(session, eventually, never, { isConfirming })
    expect(await lookedFor(session, eventually, never, { isConfirming })).toMatchObject({ met: false, seconds: 2 })
  })
})

describe('work in the background', () => {
  test('is waited for with the whole patience at once', async () => {
    expect(await lookedFor(await opened(), completed, 60)).toMatchObject({ met: true, isSuspicious: false })
  })

  test('is left to the confirmation when no other check is judged any more', async () => {
    const turn = { vacate: <Result>(wait: () => Promise<Result>) => wait(), awaitWork: () => {}, isLast: () => true }
    const session = await opened()
    const look = await lookedFor(session, completed, 60, { turn })
    expect(look).toEqual({ met: false, seconds: unknownLag, isSuspicious: true })
    expect(await lookedFor(session, completed, 60, { turn, isConfirming: true })).toMatchObject({ met: true })
  })

  test('is waited for five seconds after two others that never ended', async () => {
    const session = await opened()
    const both = await Promise.all([1, 2].map(() => lookedFor(session, completed, never)))
    expect(both.map(({ seconds }) => seconds)).toEqual([longest, longest])
    expect(await lookedFor(session, completed, never)).toMatchObject({ met: false, seconds: 5 })
  })
})

describe('a comparison', () => {
  async function compared(headers: Record<string, string>, haveDiffered = false) {
    const session = await opened(headers)
    const trace = newTrace('events.public.status')
    const context = createContext(session, trace)
    await context.send({ endpoint: endpoints.publicEvents, as: anonymous })
    await context.outlastCopies(haveDiffered)
    return trace.suspicions.size > 0
  }

  test('is no suspicion where no response shows a cache', async () => {
    expect(await compared({ 'cache-control': 'private, max-age=0' })).toBe(false)
  })

  test.each([{ age: '7' }, { 'cache-control': 'private, max-age=60' }, { 'x-cache': 'HIT' }])(
    'is a suspicion where a response has %j',
    async (headers) => expect(await compared(headers)).toBe(true),
  )

  test('is a suspicion where two readings of one address have differed', async () => {
    expect(await compared({}, true)).toBe(true)
  })
})

import { expect, test } from 'vitest'
import { withHeaders } from '../../../fixtures/reference/server/message.ts'
import { startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import type { Tamper } from '../../../fixtures/reference/server/tamper.ts'
import { suites } from '../../../suites/index.ts'
import { defaults } from '../../config/defaults.ts'
import { anonymous } from '../../http/caller.ts'
import type { Check } from '../../suite/check.ts'
import type { CheckContext } from '../../suite/context.ts'
import { judge } from '../judge/judge.ts'
import { openSession } from '../judge/session.ts'
import { findCheck } from '../selection.ts'
import { repeatFailures } from './repeats.ts'

/** Leaves out the poll interval of the first `times` answers. */
function forgetful(times: number): Tamper {
  let left = times
  return {
    id: 'forgetful',
    story: 'forgets its poll interval for a while',
    endpoints: ['GET /events'],
    reply: (reply) => (reply.status === 200 && left-- > 0 ? withHeaders(reply, { 'X-Poll-Interval': undefined }) : reply),
  }
}

async function judged(times: number, claim: Pick<Check, 'conclusive' | 'asks'> = {}) {
  const running = await startReferenceServer({ tampers: [forgetful(times)] })
  const session = await openSession(running.configure(defaults), '2022-11-28')
  const placed = findCheck(suites, 'events.public.status')
  // A claim that reads one answer, so that each judging sees one more.
  const check = {
    ...placed.check,
    ...claim,
    run: async (t: CheckContext) => {
      const answer = await t.read({ endpoint: placed.suite.endpoint, as: anonymous })
      t.examined(1)
      if (answer.header('x-poll-interval') === undefined)
        t.deviation({ expected: 'an interval', actual: 'none', exchanges: [answer] })
    },
  }
  const record = await judge(check, placed.suite, session)
  const repeated = await repeatFailures([record], [{ check, suite: placed.suite }], session)
  await session.release()
  await running.close()
  return { record, repeated: repeated.records[0] }
}

test('a failure that passes when it is repeated is flaky, with the exchanges of both attempts', async () => {
  const { record, repeated } = await judged(1)
  expect(record.outcome).toBe('failed')
  expect(repeated).toMatchObject({ outcome: 'warned', flaky: true, repeats: [{ outcome: 'passed' }, { outcome: 'passed' }] })
  expect(repeated?.repeats?.[0]?.exchanges).not.toEqual(record.exchanges)
})

test('a failure that is repeated with the same result remains a failure', async () => {
  const { repeated } = await judged(10)
  expect(repeated).toMatchObject({ outcome: 'failed', repeats: [{ outcome: 'failed' }, { outcome: 'failed' }] })
})

test('a single failure of a check that moves the clock of the target is not repeated, so it remains a failure', async () => {
  const { record, repeated } = await judged(1, { asks: ['advance-clock'] })
  expect(record.outcome).toBe('failed')
  expect(repeated).toBeUndefined()
})

test('a single failure of a conclusive check is not repeated, so it remains a failure', async () => {
  const { record, repeated } = await judged(1, { conclusive: true })
  expect(record.outcome).toBe('failed')
  expect(repeated).toBeUndefined()
})

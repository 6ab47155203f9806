import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { withHeaders } from '../../../fixtures/reference/server/protocol/message.ts'
import { startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import type { Tamper } from '../../../fixtures/reference/server/state/tamper.ts'
import { suites } from '../../../suites/index.ts'
import { defaults } from '../../config/defaults.ts'
import { anonymous } from '../../http/exchange/caller.ts'
import type { CheckRecord } from '../../record/check-record.ts'
import { sampleChecks } from '../../record/testing/sample-report.ts'
import type { Check } from '../../suite/check.ts'
import type { CheckContext } from '../../suite/context.ts'
import { judge } from '../judge/judge.ts'
import { openSession } from '../judge/session.ts'
import { findCheck } from '../selection/selection.ts'
import { repeatFailures, settle } from './repeats.ts'

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

/** Answers 200, but for the first `times` writes, which it drops with their connections. */
async function dropping(times: number): Promise<string> {
  let left = times
  const server = createServer((request, response) =>
    request.method === 'POST' && left-- > 0 ? request.socket.destroy() : response.end('{}'),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function judgedWhileDropping(times: number, { answersOtherwise = false, sharing = 1 } = {}) {
  const config = { ...structuredClone(defaults), target: { paths: {}, baseUrl: await dropping(times) } }
  const session = await openSession(config, '2022-11-28')
  const { suite, check: known } = findCheck(suites, 'migrations.start.status')
  const { suite: feed } = findCheck(suites, 'events.public.status')
  const check = {
    ...known,
    needs: {},
    run: async (t: CheckContext) => {
      // A target that has answered nothing yet is given up at once.
      await t.read({ endpoint: feed.endpoint, as: anonymous })
      const answer = await t.send({ endpoint: suite.endpoint, as: anonymous })
      t.examined(1)
      if (answersOtherwise) t.deviation({ expected: '202', actual: '200', exchanges: [answer] })
    },
  }
  const record = await judge(check, suite, session)
  const placed = Array.from({ length: sharing }, (_, index) => ({ check: { ...check, id: `${check.id}-${index}` }, suite }))
  const lost = placed.map((each) => ({ ...record, id: each.check.id }))
  const { records } = await repeatFailures(lost, placed, session)
  await session.release()
  return { record, repeated: records[0], passed: records.filter(({ outcome }) => outcome === 'passed').length }
}

test.for([1, 3])('a check that lost a write with its connection %i times is judged again, and a pass counts', async (times) => {
  const { record, repeated } = await judgedWhileDropping(times)
  expect(record.outcome).toBe('errored')
  expect(repeated).toMatchObject({ outcome: 'passed', repeats: [{ outcome: 'passed' }] })
  expect(repeated?.detail).toContain(record.detail)
})

test('all checks that lost one write that they share are judged again, however many they are', async () => {
  expect((await judgedWhileDropping(1, { sharing: 60 })).passed).toBe(60)
})

test('a check that loses its write each time remains errored', async () => {
  const { record, repeated } = await judgedWhileDropping(10)
  expect(record.outcome).toBe('errored')
  expect(repeated).toBeUndefined()
})

test('a failure behind a write that was lost is not believed, since the lost one may have had its effect', async () => {
  const { repeated } = await judgedWhileDropping(1, { answersOtherwise: true })
  expect(repeated).toBeUndefined()
})

describe('a failed check that was judged again', () => {
  const failed = sampleChecks()[0] as CheckRecord
  const repeat = (outcome: CheckRecord['outcome']) => ({ outcome, detail: '', exchanges: [] })

  test.each([
    [['failed', 'failed'], 'warn', 'failed', undefined],
    [['passed', 'failed'], 'warn', 'warned', true],
    [['passed', 'failed'], 'fail', 'failed', true],
    [['untested', 'errored'], 'warn', 'failed', undefined],
  ] as const)('a failed check repeated as %j with flaky: %s is %s', (outcomes, flaky, outcome, changed) => {
    const concluded = settle({ ...failed, repeats: outcomes.map(repeat) }, flaky)
    expect([concluded.outcome, concluded.flaky]).toEqual([outcome, changed])
  })
})

import { expect, test } from 'vitest'
import { endpoints } from '../../spec/endpoints.ts'
import { check, suite } from '../../suite/check.ts'
import { buildReport } from './build-report.ts'

const claim = check({
  id: 'events.public.claim',
  requirement: 'events.feeds.status',
  level: 'must',
  title: 'claims something',
  needs: {},
  run: async () => {},
})
const placed = { check: claim, suite: suite({ area: 'events', endpoint: endpoints.publicEvents, checks: [claim] }) }

test.each([
  [{ broken: 'connect ECONNREFUSED', unreachable: true }, false, 'unreachable', 'connect ECONNREFUSED'],
  [{ broken: 'the engine ended' }, false, 'engine-error', 'the engine ended'],
  [{}, true, 'not-begun', 'the run was interrupted before this check'],
  [{}, false, 'engine-error', 'the engine returned no record of this check'],
] as const)(
  'a check without a record of its own is errored with its reason: %j, interrupted: %s',
  (outcome, interrupted, code, detail) => {
    const frame = { apiVersion: '2026-03-10', baseUrl: 'http://127.0.0.1:1', startedAt: '2026-11-20T12:00:00.000Z' } as const
    const limits = { strict: false }
    const report = buildReport(
      [placed],
      { records: new Map(), leftBehind: [], ...outcome },
      { ...frame, durationMs: 1, limits, seed: 1, interrupted },
    )
    expect(report.checks).toMatchObject([{ id: claim.id, outcome: 'errored', reason: { code }, detail }])
  },
)

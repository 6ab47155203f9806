import { afterEach, expect, test, vi } from 'vitest'
import { suites } from '../../suites/index.ts'
import { defaults } from '../config/defaults.ts'
import { silent } from './engine/lane-outcome.ts'
import { judgeTarget } from './run.ts'
import { allChecks } from './selection/selection.ts'

afterEach(() => void vi.restoreAllMocks())

test('a time of day that is set back shortens no duration below nothing', async () => {
  let time = Date.parse('2026-01-01')
  vi.spyOn(Date, 'now').mockImplementation(() => (time -= 3_600_000))
  const config = { ...defaults, target: { ...defaults.target, baseUrl: 'http://127.0.0.1:9' } }
  const checks = allChecks(suites).slice(0, 1)
  const { reports } = await judgeTarget(config, checks, { listener: silent, unreachable: 'nobody listens' })
  expect(reports.length).toBeGreaterThan(0)
  for (const { durationMs } of reports) expect(durationMs).toBeGreaterThanOrEqual(0)
})

import { afterAll, inject, test } from 'vitest'
import { suites } from '../../../suites/index.ts'
import { loadSuites } from '../load-suites.ts'
import { openWorker } from './worker.ts'

/** The one entry module: registers every selected check of one version as a vitest test. */
const plan = inject('plan')
const worker = await openWorker(plan, await loadSuites(plan.config, suites))

for (const { check, suite } of worker.checks) {
  const register = check.schedule === 'alone' ? test : test.concurrent
  register(check.id, () => worker.judge(check, suite))
}

afterAll(() => worker.finish())

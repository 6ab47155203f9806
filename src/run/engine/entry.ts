import { afterAll, inject, test } from 'vitest'
import { suites } from '../../../suites/index.ts'
import { openWorker } from './worker.ts'

/** The one entry module: registers every selected check of one version as a vitest test. */
const worker = await openWorker(inject('plan'), suites)

for (const { check, suite } of worker.checks) {
  const register = check.schedule === 'alone' ? test : test.concurrent
  register(check.id, () => worker.judge(check, suite))
}

afterAll(() => worker.finish())

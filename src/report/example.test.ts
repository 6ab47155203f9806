import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../package/root.ts'
import { readRun } from './read.ts'

test('the example is a record of this suite and contains no secret', () => {
  const records = readRun(join(packageRoot, 'reports', 'example'))
  expect(records.run.verdict).toBe('deviates')
  expect(
    new Set(
      records.reports.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'failed').map(({ area }) => area)),
    ),
  ).toEqual(new Set(['events', 'notifications', 'migrations', 'permissions', 'versioning']))
  expect(JSON.stringify(records)).not.toMatch(/reference-(owner|outsider|member)-/)
})

import { expect, test } from 'vitest'
import { allChecks } from '../src/run/selection/selection.ts'
import { readings } from '../src/spec/readings.ts'
import { judgedBy, requirements } from '../src/spec/requirements.ts'
import { suites } from './index.ts'

const checks = allChecks(suites).map(({ check }) => check)
const narrowed = readings.flatMap(({ id, checks: globs = [] }) => globs.map((glob) => [id, glob] as const))

test.each(narrowed)('Reading %s bears on %s, which matches a check of a requirement that cites the reading.', (id, glob) => {
  const citing = requirements.filter((requirement) => requirement.readings?.includes(id)).map((requirement) => requirement.id)
  const found = checks.filter((check) => citing.includes(check.requirement) && judgedBy({ checks: [glob] }, check.id))
  expect(found.length).toBeGreaterThan(0)
})

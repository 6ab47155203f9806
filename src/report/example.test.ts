import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faults } from '../../fixtures/reference/faults/index.ts'
import { suites } from '../../suites/index.ts'
import { packageRoot } from '../package/root.ts'
import { allChecks, select } from '../run/selection/selection.ts'
import { documentRequirements } from '../spec/requirements.ts'
import { readRun } from './files/read.ts'

const folder = join(packageRoot, 'reports', 'example')
const records = readRun(folder)
const recorded = [...records.reports, records.run.crossVersion].flatMap(({ checks }) => checks)

test('the example is a record of this suite and contains no secret', () => {
  expect(records.run.verdict).toBe('deviates')
  expect(
    new Set(
      records.reports.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'failed').map(({ area }) => area)),
    ),
  ).toEqual(new Set(['events', 'notifications', 'migrations', 'permissions', 'versioning']))
  expect(JSON.stringify(records)).not.toMatch(/reference-(owner|outsider|member)-/)
})

test('every check and requirement of the example exists, and so do the faults and patterns of its command', () => {
  const known = new Set(allChecks(suites).map(({ check }) => check.id))
  expect(recorded.filter(({ id }) => !known.has(id))).toEqual([])
  const stated = new Set(documentRequirements.map(({ id }) => id))
  expect(recorded.flatMap(({ requirements }) => requirements).filter((id) => !stated.has(id))).toEqual([])
  const command = readFileSync(join(folder, 'README.md'), 'utf8')
  const words = (flag: string) => [...command.matchAll(new RegExp(`${flag} '?([^' \\n]+)`, 'g'))].map(([, word]) => word ?? '')
  expect(words('--fault').filter((id) => !faults.some((fault) => fault.id === id))).toEqual([])
  const selected = new Set(select(suites, { only: words('--only') }).map(({ check }) => check.id))
  expect(recorded.filter(({ id }) => !selected.has(id))).toEqual([])
})

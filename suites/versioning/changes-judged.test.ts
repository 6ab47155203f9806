import { describe, expect, test } from 'vitest'
import { allChecks } from '../../src/run/selection.ts'
import { changes } from '../../src/spec/changes.ts'
import { endpointLabel } from '../../src/spec/endpoint.ts'
import { judgedBy, type Requirement, requirements } from '../../src/spec/requirements.ts'
import { firstVersion, latestVersion } from '../../src/spec/versions.ts'
import { endpointOf } from '../../src/suite/check.ts'
import { suites } from '../index.ts'

const checks = allChecks(suites)

/** The checks of a change: those that its requirement names. */
function judging(change: number) {
  const requirement = requirements.find(({ id }) => id === `versioning.change-${change}`) as Requirement
  return checks.filter(({ check }) => judgedBy(requirement, check.id))
}

describe.each(changes)('change $number', ({ number, affects, early }) => {
  test('is judged on every endpoint that it names', () => {
    const judged = new Set(judging(number).map(({ check, suite }) => endpointLabel(endpointOf(check, suite))))
    const missing = affects.map(endpointLabel).filter((label) => !judged.has(label))
    expect(missing.filter((label) => !judgedElsewhere[number]?.includes(label))).toEqual([])
  })

  test('is judged under the newer version', () => {
    const found = judging(number).filter(({ check }) => check.versions?.includes(latestVersion) ?? true)
    expect(found.length).toBeGreaterThan(0)
  })

  test('is judged under the older version where an early change shows', () => {
    const found = judging(number).filter(({ check }) => check.versions?.includes(firstVersion) ?? true)
    expect(found.some(({ check }) => check.level === early)).toBe(early !== undefined)
  })
})

/** Repositories that lose default_branch show when the versions are compared: no change names the loss, so it is not this one's. */
const judgedElsewhere: Readonly<Record<number, readonly string[]>> = { 7: ['GET (version-request of change 5)'] }

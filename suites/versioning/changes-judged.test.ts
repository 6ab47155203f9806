import { describe, expect, test } from 'vitest'
import { allChecks } from '../../src/run/selection/selection.ts'
import { changes } from '../../src/spec/changes.ts'
import { endpointLabel } from '../../src/spec/endpoints.ts'
import { judgedBy, requirements } from '../../src/spec/requirements.ts'
import { type ApiVersion, firstVersion, latestVersion } from '../../src/spec/versions.ts'
import { endpointOf, isAcross } from '../../src/suite/check.ts'
import { suites } from '../index.ts'

const checks = allChecks(suites)

/** The checks of a change under a version: those that its requirement names. */
function judging(change: number, version?: ApiVersion) {
  const requirement = requirements.find(({ id }) => id === `versioning.change-${change}`)
  return checks.filter(
    ({ check }) =>
      requirement && judgedBy(requirement, check.id) && (version === undefined || (check.versions?.includes(version) ?? true)),
  )
}

function endpointsOf(found: typeof checks): Set<string> {
  return new Set(found.map(({ check, suite }) => endpointLabel(endpointOf(check, suite))))
}

/** The endpoints whose answers are compared between the versions, whatever change they belong to. */
const compared = endpointsOf(checks.filter(({ check }) => isAcross(check)))

describe.each(changes)('change $number', ({ number, affects, parts }) => {
  test(`change ${number} is judged on every endpoint that it names`, () => {
    const judged = endpointsOf(judging(number))
    const missing = affects.map(endpointLabel).filter((label) => !judged.has(label))
    expect(missing.filter((label) => !(number === deprecating && isCompared(label)))).toEqual([])
  })

  test(`change ${number} is judged under the newer version`, () => {
    expect(judging(number, latestVersion).length).toBeGreaterThan(0)
  })

  test(`change ${number} is judged under the older version at every level of its early forms`, () => {
    const levels = new Set(parts.flatMap(({ early }) => (early === 'open' ? [] : [early])))
    const found = judging(number, firstVersion)
    const judged = [...new Set(found.map(({ check }) => check.level))]
    // What is only expected, or seen only where something else has it, is judged as should, whatever the change.
    expect(judged.filter((level) => level !== 'should' && !levels.has(level))).toEqual([])
    for (const level of levels) expect(judged).toContain(level)
  })
})

/** The change that only deprecates: the loss of a new form shows when the answers of both versions are compared. */
const deprecating = 7

/** What a write returns is not compared; its objects are those that reads return. */
function isCompared(label: string): boolean {
  return compared.has(label) || !label.startsWith('GET ')
}

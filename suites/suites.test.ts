import { describe, expect, test } from 'vitest'
import { needCatalogue } from '../src/run/needs/need-catalogue.ts'
import { allChecks } from '../src/run/selection.ts'
import { areas, endpointLabel } from '../src/spec/endpoint.ts'
import { endpoints } from '../src/spec/endpoints.ts'
import { judgedBy, type Requirement, requirements } from '../src/spec/requirements.ts'
import { apiVersions } from '../src/spec/versions.ts'
import { endpointOf, needsOf, type Suite } from '../src/suite/check.ts'
import { suites } from './index.ts'

/** The longest title, exclusive. Characters. */
const titleLimit = 90

const checks = allChecks(suites)
const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]))

describe('the suites', () => {
  test('every covered endpoint has one', () => {
    const covered = new Set(checks.map(({ check, suite }) => endpointLabel(endpointOf(check, suite))))
    const missing = Object.values(endpoints).map(endpointLabel)
    expect(missing.filter((label) => !covered.has(label))).toEqual([])
  })

  test('no endpoint of the tables is written down a second time', () => {
    const known = new Map<string, unknown>(Object.values(endpoints).map((endpoint) => [endpointLabel(endpoint), endpoint]))
    const strays = checks.filter(({ check, suite }) => {
      const endpoint = endpointOf(check, suite)
      const row = known.get(endpointLabel(endpoint))
      return row !== undefined && row !== endpoint
    })
    expect(strays.map(({ check }) => check.id)).toEqual([])
  })

  test.each(areas)('no suite of the area %s is empty', (area) => {
    const own = suites.filter((suite) => suite.area === area)
    expect(own.length).toBeGreaterThan(0)
    expect(own.filter((suite) => suite.checks.length === 0).map(({ endpoint }) => endpointLabel(endpoint))).toEqual([])
  })
})

describe.each(areas)('the checks of %s', (area) => {
  const own = checks.filter(({ suite }) => suite.area === area)

  test('are named area.operation.aspect, each once', () => {
    const ids = own.map(({ check }) => check.id)
    expect(ids.filter((id) => !/^[a-z]+\.[a-z0-9-]+\.[a-z0-9-]+$/.test(id) || !id.startsWith(`${area}.`))).toEqual([])
    expect(repeated(ids)).toEqual([])
  })

  test('claim in statements', () => {
    const odd = own.filter(
      ({ check: { title } }) =>
        title.length >= titleLimit || /\bshould\b/i.test(title) || /(^|[^.])[.!?]$/.test(title) || title !== title.trim(),
    )
    expect(odd.map(({ check }) => `${check.id}: ${check.title}`)).toEqual([])
  })

  test('hold in at least one known version', () => {
    const odd = own.filter(({ check: { versions } }) => versions && (versions.length === 0 || versions.some(isUnknown)))
    expect(odd.map(({ check }) => check.id)).toEqual([])
  })

  test('need what the catalogue has', () => {
    const unknown = own.flatMap(({ check }) =>
      Object.values(needsOf(check)).flatMap((need) => (need.type === 'need' && !needCatalogue.has(need.name) ? [need.name] : [])),
    )
    expect(unknown).toEqual([])
  })

  test('judge requirements that exist and name them', () => {
    const unclaimed = own.filter(({ check }) => {
      const requirement = byId.get(check.requirement)
      return !requirement || !judgedBy(requirement, check.id)
    })
    expect(unclaimed.map(({ check }) => `${check.id} → ${check.requirement}`)).toEqual([])
  })

  test('are no stricter than their requirement', () => {
    const stricter = own.filter(({ check }) => check.level === 'must' && byId.get(check.requirement)?.level === 'should')
    expect(stricter.map(({ check }) => `${check.id} → ${check.requirement}`)).toEqual([])
  })

  test('declare what changes anything', () => {
    const silent = own.filter(
      ({ check, suite }) => endpointOf(check, suite).method !== 'GET' && !check.writes && !judgesRecord(check),
    )
    expect(silent.map(({ check }) => check.id)).toEqual([])
  })
})

test.each(suites.map((suite) => [endpointLabel(suite.endpoint), suite] as const))(
  'no two checks of %s claim the same',
  (_, suite) => {
    expect(repeated(claims(suite))).toEqual([])
  },
)

describe('the requirements', () => {
  test('name checks that exist', () => {
    const empty = requirements.flatMap((requirement) =>
      (requirement.checks ?? [])
        .filter((glob) => !checks.some(({ check }) => judgedBy({ checks: [glob] } as unknown as Requirement, check.id)))
        .map((glob) => `${requirement.id}: ${glob}`),
    )
    expect(empty).toEqual([])
  })

  test('each has a check at its own level', () => {
    const softened = requirements.filter((requirement) => {
      const judging = checks.filter(({ check }) => judgedBy(requirement, check.id))
      return requirement.level === 'must' && judging.length > 0 && judging.every(({ check }) => check.level === 'should')
    })
    expect(softened.map(({ id }) => id)).toEqual([])
  })
})

function claims(suite: Suite): string[] {
  return suite.checks.map(({ title, endpoint }) => `${endpoint ? endpointLabel(endpoint) : ''} ${title}`)
}

function judgesRecord(check: { schedule?: string }): boolean {
  return check.schedule === 'afterwards'
}

function isUnknown(version: string): boolean {
  return !(apiVersions as readonly string[]).includes(version)
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

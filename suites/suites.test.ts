import { describe, expect, test } from 'vitest'
import { needCatalogue } from '../src/run/needs/need-catalogue.ts'
import { allChecks } from '../src/run/selection/selection.ts'
import { areas, endpointLabel, endpoints } from '../src/spec/endpoints.ts'
import { judgedBy, type Requirement, requirements } from '../src/spec/requirements.ts'
import { apiVersions } from '../src/spec/versions.ts'
import { endpointOf, needsOf, type Suite } from '../src/suite/check.ts'
import { suites } from './index.ts'

/** The longest title, inclusive. Characters. */
const titleLimit = 80

/** What a title may say that the server does. A title is read alone, so its subject is always the server. */
const titleVerbs = [
  'accepts',
  'applies',
  'creates',
  'ignores',
  'includes',
  'keeps',
  'limits',
  'lists',
  'marks',
  'omits',
  'orders',
  'redirects',
  'rejects',
  'removes',
  'returns',
  'sends',
  'starts',
  'supports',
]

const checks = allChecks(suites)
const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]))

describe('the suites', () => {
  test('every covered endpoint has a suite', () => {
    const covered = new Set(checks.map(({ check, suite }) => endpointLabel(endpointOf(check, suite))))
    const missing = Object.values(endpoints).map(endpointLabel)
    expect(missing.filter((label) => !covered.has(label))).toEqual([])
  })

  test('no suite repeats an endpoint of the tables', () => {
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

  test(`every check of ${area} has a unique id of the form area.operation.aspect`, () => {
    const ids = own.map(({ check }) => check.id)
    expect(ids.filter((id) => !/^[a-z]+\.[a-z0-9-]+\.[a-z0-9-]+$/.test(id) || !id.startsWith(`${area}.`))).toEqual([])
    expect(repeated(ids)).toEqual([])
  })

  test(`every title of ${area} begins with a listed verb`, () => {
    const odd = own.filter(({ check: { title } }) => !titleVerbs.includes(title.split(' ')[0] ?? ''))
    expect(odd.map(({ check }) => `${check.id}: ${check.title}`)).toEqual([])
  })

  test(`every title of ${area} is a statement of at most ${titleLimit} characters`, () => {
    const odd = own.filter(
      ({ check: { title } }) =>
        title.length > titleLimit || /\bshould\b/i.test(title) || /(^|[^.])[.!?]$/.test(title) || title !== title.trim(),
    )
    expect(odd.map(({ check }) => `${check.id}: ${check.title}`)).toEqual([])
  })

  test(`every check of ${area} applies to at least one known version`, () => {
    const odd = own.filter(({ check: { versions } }) => versions && (versions.length === 0 || versions.some(isUnknown)))
    expect(odd.map(({ check }) => check.id)).toEqual([])
  })

  test(`every check of ${area} uses only needs from the catalogue`, () => {
    const unknown = own.flatMap(({ check }) =>
      Object.values(needsOf(check)).flatMap((need) => (need.type === 'need' && !needCatalogue.has(need.name) ? [need.name] : [])),
    )
    expect(unknown).toEqual([])
  })

  test(`every check of ${area} judges an existing requirement that names the check`, () => {
    const unclaimed = own.filter(({ check }) => {
      const requirement = byId.get(check.requirement)
      return !requirement || !judgedBy(requirement, check.id)
    })
    expect(unclaimed.map(({ check }) => `${check.id} → ${check.requirement}`)).toEqual([])
  })

  test(`no check of ${area} is stricter than its requirement`, () => {
    const stricter = own.filter(({ check }) => check.level === 'must' && byId.get(check.requirement)?.level === 'should')
    expect(stricter.map(({ check }) => `${check.id} → ${check.requirement}`)).toEqual([])
  })

  test(`every check of ${area} that changes data declares it`, () => {
    const silent = own.filter(
      ({ check, suite }) => endpointOf(check, suite).method !== 'GET' && !check.writes && !judgesRecord(check),
    )
    expect(silent.map(({ check }) => check.id)).toEqual([])
  })
})

test('every listed verb begins some title', () => {
  const used = new Set(checks.map(({ check: { title } }) => title.split(' ')[0]))
  expect(titleVerbs.filter((verb) => !used.has(verb))).toEqual([])
})

test.each(suites.map((suite) => [endpointLabel(suite.endpoint), suite] as const))(
  'no two checks of %s have the same title',
  (_, suite) => {
    expect(repeated(claims(suite))).toEqual([])
  },
)

describe('the requirements', () => {
  test('every requirement names checks that exist', () => {
    const empty = requirements.flatMap((requirement) =>
      (requirement.checks ?? [])
        .filter((glob) => !checks.some(({ check }) => judgedBy({ checks: [glob] } as unknown as Requirement, check.id)))
        .map((glob) => `${requirement.id}: ${glob}`),
    )
    expect(empty).toEqual([])
  })

  test('every requirement has a check at its own level', () => {
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

import { describe, expect, test } from 'vitest'
import { readSchema, schemaNames, validatorOf } from '../package/schemas.ts'
import { areas, endpointLabel, endpoints, pathMatches, pathParameters } from './endpoints.ts'
import { judgedBy, type Requirement, documentRequirements as requirements } from './requirements.ts'
import { apiVersions } from './versions.ts'

const rows = Object.entries(endpoints)

/** The document's table rows, counted by hand. */
const counted = { 'Endpoints, Event feeds': 9, 'Endpoints, Notifications': 10, 'Endpoints, User migrations': 7 }

describe('the endpoint table', () => {
  test('the endpoint table has as many rows as the document, each with its own name', () => {
    const sections = Object.keys(counted).map((section) => [section, rows.filter(([, row]) => row.section === section).length])
    expect(Object.fromEntries(sections)).toEqual(counted)
    expect(new Set(rows.map(([, row]) => endpointLabel(row))).size).toBe(26)
  })

  test('the endpoint table gives the two exceptional lists their own page sizes and pages only lists', () => {
    const paging = Object.fromEntries(rows.flatMap(([name, row]) => ('paging' in row ? [[name, row.paging]] : [])))
    const others = Object.fromEntries(Object.keys(paging).map((name) => [name, { default: 30, max: 100 }]))
    const odd = { publicEvents: { default: 15, max: 100 }, listNotifications: { default: 50, max: 50 } }
    expect(paging).toEqual({ ...others, ...odd })
    expect(Object.keys(paging)).toHaveLength(13)
  })

  test.each(rows)('the endpoint row %s names schemas that exist', (_, row) => {
    const bodies = Object.values(row.success).filter((schema) => schema !== null)
    for (const schema of bodies) expect(() => validatorOf(schema.replace(/\[\]$/, ''))).not.toThrow()
  })

  test('an endpoint is labelled by method and path, or by the member of target.paths that configures it', () => {
    expect(endpointLabel(endpoints.publicEvents)).toBe('GET /events')
    expect(endpointLabel(endpoints.downloadArchive)).toBe('GET (download archive)')
  })
})

describe('path templates', () => {
  test('a path template names its parameters in order', () => {
    expect(pathParameters('/repos/{owner}/{repo}/events')).toEqual(['owner', 'repo'])
    expect(pathParameters('/events')).toEqual([])
  })

  test('a path template matches concrete paths with the same number of non-empty segments', () => {
    expect(pathMatches('/orgs/{org}/events', '/orgs/octo-org/events')).toBe(true)
    expect(pathMatches('/orgs/{org}/events', '/orgs//events')).toBe(false)
    expect(pathMatches('/orgs/{org}/events', '/orgs/octo-org/events/more')).toBe(false)
    expect(pathMatches('/orgs/{org}/events', '/users/octo-org/events')).toBe(false)
  })
})

describe('the versions', () => {
  test('the versions are listed oldest first', () => {
    expect([...apiVersions].sort()).toEqual([...apiVersions])
  })
})

describe('the schemas', () => {
  test.each(schemaNames().map((name) => [name]))('the schema %s compiles and is found under its own name', (name) => {
    expect(readSchema(name).$id).toBe(name)
    expect(() => validatorOf(name)).not.toThrow()
  })
})

describe('the requirements', () => {
  test('each requirement is listed once, with a section, a level and a paraphrase', () => {
    expect(duplicates(requirements.map(({ id }) => id))).toEqual([])
    const malformed = requirements.filter(
      ({ id, section, level, text }) =>
        !/^[a-z]+(\.[a-z0-9-]+)+$/.test(id) || !section || !/^(must|should)$/.test(level) || !text,
    )
    expect(malformed).toEqual([])
  })

  test('each requirement is either judged by checks or excluded with a reason', () => {
    const stated = (of: Requirement) => [(of.checks ?? []).length > 0, (of.excluded ?? '').length > 0].filter(Boolean).length
    expect(requirements.filter((requirement) => stated(requirement) !== 1).map(({ id }) => id)).toEqual([])
  })

  test('each requirement applies to known versions', () => {
    const unknown = requirements.filter(({ versions = [] }) => !versions.every((version) => apiVersions.includes(version)))
    expect(unknown.map(({ id }) => id)).toEqual([])
  })

  test('each requirement has only known members', () => {
    const known = ['id', 'section', 'level', 'text', 'versions', 'checks', 'excluded', 'readings', 'kinds']
    const odd = requirements.flatMap((requirement) => Object.keys(requirement).filter((key) => !known.includes(key)))
    expect(odd).toEqual([])
  })

  test('a glob matches one part of an id', () => {
    const requirement = { checks: ['*.*.etag', 'events.user.private-*'] } as unknown as Requirement
    expect(judgedBy(requirement, 'events.public.etag')).toBe(true)
    expect(judgedBy(requirement, 'events.user.private-marked')).toBe(true)
    expect(judgedBy(requirement, 'events.public.etag-quotes')).toBe(false)
    expect(judgedBy(requirement, 'events.etag')).toBe(false)
    expect(judgedBy(requirement, 'events.user.public')).toBe(false)
  })

  test('the requirements cover every area', () => {
    const missing = areas.filter((area) => !requirements.some(({ id }) => id.startsWith(`${area}.`)))
    expect(missing).toEqual([])
  })
})

function duplicates(values: readonly string[]) {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../package/root.ts'
import { endpointLabel } from '../endpoints.ts'
import { documentRequirements as requirements } from '../requirements.ts'
import { newestOf, releasedAt, supportEnds } from '../versions.ts'
import { changeEndpoints, changes } from './changes.ts'

describe('the table of changes', () => {
  test('the table of changes contains the 21 changes of the document in its order', () => {
    expect(changes.map(({ number }) => number)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
  })

  test('the table of changes has a requirement for each change', () => {
    const ids = requirements.map(({ id }) => id)
    expect(changes.map(({ number }) => `versioning.change-${number}`).filter((id) => !ids.includes(id))).toEqual([])
  })

  test('names the objects of every field that other objects may have, too', () => {
    const fields = changes.flatMap(({ parts }) => parts.filter((part) => part.part === 'field'))
    expect(fields.filter((field) => field.in.length === 0 && !field.unmistakable)).toEqual([])
  })

  test('the table of changes is contained in docs/areas/versioning.md, with each field that a change names', () => {
    const page = readFileSync(join(packageRoot, 'docs', 'areas', 'versioning.md'), 'utf8')
    const rows = [...page.matchAll(/^\| (\d+) \| .*$/gm)].map(([row, number]) => ({ number: Number(number), row }))
    expect(rows.map(({ number }) => number)).toEqual(changes.map(({ number }) => number))
    const missing = changes.flatMap(({ number, parts }) => {
      const fields = parts.flatMap((part) => ('field' in part && part.field !== '*' && part.early !== 'open' ? [part.field] : []))
      return fields.filter((field) => !rows[number - 1]?.row.includes(`\`${field}\``)).map((field) => `${number}: ${field}`)
    })
    expect(missing).toEqual([])
  })

  test('the table of changes names no endpoint twice in one change', () => {
    for (const { affects } of changes) expect(new Set(affects.map(endpointLabel)).size).toBe(affects.length)
  })

  test('the table of changes names every endpoint that is listed for it', () => {
    const named = new Set(changes.flatMap(({ affects }) => affects.map(endpointLabel)))
    expect(
      Object.values(changeEndpoints)
        .map(endpointLabel)
        .filter((label) => !named.has(label)),
    ).toEqual([])
  })

  /** Counted in the document's table; a family that is read, created and updated counts three times. */
  test.each([
    [1, 1],
    [5, 16],
    [7, 20],
    [8, 10],
    [10, 2],
    [12, 19],
    [13, 2],
    [14, 4],
    [16, 6],
    [17, 12],
    [19, 12],
    [21, 5],
  ] as const)('the change %i affects %i endpoints', (number, count) => {
    expect(changes.find((change) => change.number === number)?.affects).toHaveLength(count)
  })
})

describe('versions', () => {
  test('the newest of them is found in any order, and none among none', () => {
    expect(newestOf(['2026-03-10', '2022-11-28'])).toBe('2026-03-10')
    expect(newestOf(['2022-11-28'])).toBe('2022-11-28')
    expect(newestOf([])).toBeUndefined()
  })

  test('the older version is supported for 24 months after the release of the newer version', () => {
    expect(new Date(releasedAt('2026-03-10')).toISOString()).toBe('2026-03-10T00:00:00.000Z')
    expect(new Date(supportEnds('2026-03-10')).toISOString()).toBe('2028-03-10T00:00:00.000Z')
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { suites } from '../../../suites/index.ts'
import { packageRoot } from '../../package/root.ts'
import type { Suite } from '../../suite/check.ts'
import { currentRelease, type FrozenChecks, freeze, frozenSuites, knownReleases, suitesAsOf } from './load-suites.ts'
import { allChecks } from './selection.ts'

const idsOf = (chosen: readonly Suite[]) => allChecks(chosen).map(({ check }) => check.id)

describe('the requirements of a release', () => {
  test('leave out the checks that were added since', () => {
    const frozen: FrozenChecks = { 'events.public': { must: ['status'] }, 'notifications.inbox': { must: ['status'] } }
    expect(idsOf(suitesAsOf(frozen, suites))).toEqual(['events.public.status', 'notifications.inbox.status'])
  })

  test('judge a check whose level was raised at its level of then', () => {
    const [placed] = allChecks(suitesAsOf({ 'events.public': { should: ['status'] } }, suites))
    expect(placed?.check).toMatchObject({ id: 'events.public.status', level: 'should' })
  })

  test('contain every check when they are frozen and judged at once', () => {
    const frozen = suitesAsOf(JSON.parse(JSON.stringify(freeze(suites))), suites)
    const placed = (chosen: readonly Suite[]) => allChecks(chosen).map(({ check: { id, level } }) => `${id} ${level}`)
    expect(placed(frozen)).toEqual(placed(suites))
  })

  test('are those of the installed suite under its own release', () => expect(frozenSuites(suites, currentRelease)).toBe(suites))

  test('are refused for a release that does not exist', () =>
    expect(() => frozenSuites(suites, '99.1')).toThrow(`accepted: ${knownReleases().join(', ')}`))
})

describe('the frozen lists', () => {
  const released = [...readFileSync(join(packageRoot, 'CHANGELOG.md'), 'utf8').matchAll(/^## (\d+\.\d+)\.\d+ \(\d{4}/gm)].map(
    ([, one]) => one,
  )

  test('exist for every minor release of the change log', () => expect(knownReleases()).toEqual(expect.arrayContaining(released)))

  test('name only checks that still exist', () => {
    const known = new Set(idsOf(suites))
    const folder = join(packageRoot, 'src', 'spec', 'releases')
    const lists = readdirSync(folder).filter((file) => file.endsWith('.json'))
    const frozen = lists.flatMap((file) =>
      Object.entries(JSON.parse(readFileSync(join(folder, file), 'utf8')) as FrozenChecks).flatMap(([operation, levels]) =>
        Object.values(levels).flatMap((aspects) => aspects.map((aspect) => `${operation}.${aspect}`)),
      ),
    )
    expect(frozen.filter((id) => !known.has(id))).toEqual([])
  })
})

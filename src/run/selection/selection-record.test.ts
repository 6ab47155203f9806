import { expect, test } from 'vitest'
import { suites } from '../../../suites/index.ts'
import { defaults } from '../../config/config.ts'
import { select, selectionRecord } from './selection.ts'

const whole = select(suites, {})

test('a run of all checks has no selection', () => {
  expect(selectionRecord(whole, defaults, { only: ['**'], apiVersion: defaults.versions }, suites)).toBeUndefined()
})

test('a selection names its cause, and counts each check once for each version', () => {
  const only = ['events.public.status']
  const record = selectionRecord(select(suites, { only }), defaults, { only }, suites)
  expect(record).toEqual({ by: ['--only events.public.status'], selected: 2, of: expect.any(Number) })
  expect(record?.of).toBeGreaterThan(whole.length)
})

test.each([
  ['areas of the configuration', { areas: ['events' as const] }, {}, 'areas: events'],
  ['a version', { versions: ['2026-03-10' as const] }, { apiVersion: ['2026-03-10'] }, '--api-version 2026-03-10'],
  ['a profile', {}, { profile: 'smoke' as const }, '--profile smoke'],
  ['reads', {}, { readOnly: true }, '--read-only'],
  ['a shard', {}, { shard: { index: 1, of: 2 } }, '--shard 1/2'],
])('%s are a selection', (_, config, words, by) => {
  const chosen = { ...defaults, ...config }
  const record = selectionRecord(select(suites, { areas: chosen.areas, ...words }), chosen, words, suites)
  expect(record?.by).toEqual([by])
  expect(record?.selected).toBeLessThan(record?.of ?? 0)
})

test('a target that offers one version, or fewer endpoints, is judged as a whole', () => {
  const claims = { except: ['GET /events'] }
  expect(selectionRecord(whole, { ...defaults, claims, versions: ['2026-03-10'] }, {}, suites)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { suites } from '../../../suites/index.ts'
import { touchesOf } from '../../suite/check.ts'
import { allChecks, select, shardOf, shardRecord } from './selection.ts'

const all = allChecks(suites)
const shards = [1, 2, 3, 4].map((index) => shardOf(all, { index, of: 4 }))

test('every check is in exactly one shard', () => {
  expect(
    shards
      .flat()
      .map(({ check }) => check.id)
      .sort(),
  ).toEqual(all.map(({ check }) => check.id).sort())
})

test('checks that change the same thing are in one shard', () => {
  const placesOf = (what: string) =>
    shards.flatMap((shard, index) =>
      shard.some(({ check, suite }) => touchesOf(check, suite)[0]?.what.startsWith(what)) ? [index] : [],
    )
  expect(placesOf('inbox')).toHaveLength(1)
  expect(placesOf('migrations')).toHaveLength(1)
  expect(placesOf('objects/organization/blocking_users')).toHaveLength(1)
})

test('no shard costs much more than another one', () => {
  const sizes = shards.map((shard) => shard.length)
  expect(Math.max(...sizes)).toBeLessThan(2.5 * Math.min(...sizes))
})

test('the record of a shard distinguishes selections', () => {
  const [one, two] = [all, all.slice(1)].map((whole) => shardRecord(whole, { index: 1, of: 4 }).selection)
  expect(one).not.toBe(two)
})

test('the smoke profile reads each endpoint once and changes nothing', () => {
  const smoke = select(suites, { profile: 'smoke' })
  expect(smoke.length).toBeGreaterThan(20)
  expect(smoke.length).toBeLessThan(60)
  expect(smoke.filter(({ check }) => check.writes)).toEqual([])
})

import { describe, expect, test } from 'vitest'
import type { Area } from '../../spec/endpoints.ts'
import { endpoints } from '../../spec/endpoints.ts'
import { check, type Schedule, suite } from '../../suite/check.ts'
import { UsageError } from '../../text/errors.ts'
import { type SelectionOptions, select } from './selection.ts'

function checkOf(id: string, schedule?: Schedule) {
  return check({
    id,
    requirement: 'events.feeds.status',
    level: 'must',
    title: 'claims',
    needs: {},
    run: async () => {},
    ...(schedule ? { schedule } : {}),
  })
}

const suiteOf = (area: Area, ...ids: string[]) =>
  suite({ area, endpoint: endpoints.publicEvents, checks: ids.map((id) => checkOf(id)) })

const suites = [
  suiteOf('events', 'events.public.etag', 'events.public.status', 'events.public.status-exact', 'events.user.etag'),
  suiteOf('notifications', 'notifications.inbox.status', 'notifications.inbox.etag'),
]

const ids = (options: SelectionOptions) => select(suites, options).map(({ check }) => check.id)

describe('a selection', () => {
  test('a selection without arguments contains every check in order', () => {
    expect(ids({})).toEqual(suites.flatMap(({ checks }) => checks.map(({ id }) => id)))
  })

  test.each<[string, SelectionOptions, string[]]>([
    ['an area', { areas: ['notifications'] }, ['notifications.inbox.status', 'notifications.inbox.etag']],
    ['a check, not those whose names it begins', { only: ['events.public.status'] }, ['events.public.status']],
    ['an operation with all its checks', { only: ['events.user'] }, ['events.user.etag']],
    ['one part of a name', { only: ['*.*.etag'] }, ['events.public.etag', 'events.user.etag', 'notifications.inbox.etag']],
    ['a piece of a part', { only: ['events.*.status*'] }, ['events.public.status', 'events.public.status-exact']],
    ['any number of parts', { only: ['**.etag'] }, ['events.public.etag', 'events.user.etag', 'notifications.inbox.etag']],
    ['several globs, each check once', { only: ['events.user', 'events.user.etag'] }, ['events.user.etag']],
    ['an area and a glob', { areas: ['notifications'], only: ['*.*.etag'] }, ['notifications.inbox.etag']],
  ])('a selection by %s contains the expected checks', (_, options, expected) => expect(ids(options)).toEqual(expected))

  test('a selection in shards contains every check in exactly one shard', () => {
    const parts = [1, 2, 3].map((index) => ids({ shard: { index, of: 3 } }))
    expect(parts.map((part) => part.length)).toEqual([2, 2, 2])
    expect(parts.flat().sort()).toEqual(ids({}).sort())
  })
})

describe('empty selections', () => {
  test.each<[string, SelectionOptions, RegExp]>([
    [
      'a glob like no check',
      { only: ['events.public.etags'] },
      /--only "events\.public\.etags" selects no check \(did you mean "events\.public\.etag"\?\)/,
    ],
    ['one glob of several', { only: ['events', 'quux'] }, /--only "quux" selects no check; /],
    ['an empty glob', { only: [''] }, /selects no check/],
    ['a glob with a dot for any letter', { only: ['events.public.et.g'] }, /selects no check/],
    [
      'a glob of another area',
      { areas: ['events'], only: ['notifications'] },
      /"notifications" selects no check in the selected areas;/,
    ],
    ['an area without checks', { areas: ['migrations'] }, /the selection contains no check/],
    ['a shard too many', { only: ['events.user'], shard: { index: 2, of: 2 } }, /the selection contains no check/],
  ])('a selection without a check is rejected: %s', (_, options, message) => {
    expect(() => select(suites, options)).toThrow(UsageError)
    expect(() => select(suites, options)).toThrow(message)
  })
})

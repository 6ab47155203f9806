import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { suites } from '../../suites/index.ts'
import { packageRoot } from '../package/root.ts'
import { findCheck } from '../run/selection/selection.ts'

test('a check and its suite know the files in which they are defined', () => {
  const { check, suite } = findCheck(suites, 'events.public.per-page-default')
  expect([check.source, suite.source]).toEqual(['suites/common/paging.ts', 'suites/events/feeds.ts'])
})

test('every check and every suite is defined in a file of the suites', () => {
  const sources = new Set(suites.flatMap(({ source, checks }) => [source, ...checks.map((check) => check.source)]))
  const missing = [...sources].filter((source) => !source?.startsWith('suites/') || !existsSync(join(packageRoot, source)))
  expect(missing).toEqual([])
})

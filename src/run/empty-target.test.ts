import { describe, expect, test } from 'vitest'
import { judgeAll } from '../../fixtures/proof/judge-reference.ts'
import { json, openSession, scriptedTarget } from '../../fixtures/proof/scripted-target.ts'
import { eventsSuites } from '../../suites/events/index.ts'
import type { CheckRecord } from './record.ts'
import { allChecks } from './selection.ts'

const tokens = (['owner', 'member', 'outsider'] as const).map((role) => ({
  role,
  kind: 'classic' as const,
  login: `${role}-login`,
  secret: `secret-of-${role}`,
}))

const needs = {
  'public-repository': { owner: 'octo-org', repo: 'hello' },
  'private-repository': { owner: 'octo-org', repo: 'secret' },
  'foreign-private-repository': { owner: 'dora', repo: 'vault', followed: 'dora' },
  organization: { org: 'octo-org' },
  'empty-organization': { org: 'empty-org' },
  'empty-repository': { owner: 'octo-org', repo: 'empty' },
  'renamed-repository': { owner: 'octo-org', repo: 'old', newOwner: 'octo-org', newRepo: 'new' },
  'busy-user': { login: 'busybee' },
  'busy-repository': { owner: 'busy-org', repo: 'hive' },
  'busy-organization': { org: 'busy-org' },
  'received-events': { watchedRepository: 'octo-org/hello', followedLogin: 'dora' },
}

/** What an empty list shows, and all of it: how it was answered, to whom, and that nothing is in it. */
const shown = [
  'status',
  'media-type',
  'no-redirect',
  'without-accept',
  'anonymous',
  'foreign-validator',
  'paging-robust',
  'empty',
  'moved',
]

/** What such an answer breaks: the headers, the missing network, and the dashboard that is open to everybody. */
const broken = ['etag', 'poll-interval', 'missing', 'anonymous', 'other-user', 'other-member']

const aspect = ({ id }: CheckRecord) => id.split('.')[2] ?? ''

let records: Promise<CheckRecord[]> | undefined

/** What the checks came to, judged once for all tests. */
async function judgedEmpty(): Promise<CheckRecord[]> {
  const { baseUrl } = await scriptedTarget((_, response) => json(response, 200, []))
  return judgeAll(allChecks(eventsSuites), await openSession(baseUrl, { tokens, needs }))
}

async function recordsOf(...outcomes: CheckRecord['outcome'][]): Promise<CheckRecord[]> {
  records ??= judgedEmpty()
  return (await records).filter(({ outcome }) => outcomes.includes(outcome))
}

describe('a target that answers 200 and an empty list to everything', () => {
  test('is judged to the end', async () => {
    const judged = await recordsOf('passed', 'failed', 'untested')
    expect(judged.map(({ id }) => id).sort()).toEqual(
      allChecks(eventsSuites)
        .map(({ check }) => check.id)
        .sort(),
    )
  })

  test('passes nothing that an empty list does not show', async () => {
    const passed = await recordsOf('passed')
    expect([...new Set(passed.map(aspect))].sort()).toEqual([...shown].sort())
  })

  test('fails what it breaks, and its headers on every feed', async () => {
    const failed = await recordsOf('failed')
    expect([...new Set(failed.map(aspect))].sort()).toEqual([...broken].sort())
    for (const name of ['etag', 'poll-interval']) expect(failed.filter((record) => aspect(record) === name)).toHaveLength(9)
  })

  test('leaves every other check untested, with a reason', async () => {
    const untested = await recordsOf('untested')
    expect(untested.length).toBeGreaterThan(200)
    expect(untested.filter(({ detail }) => detail === '').map(({ id }) => id)).toEqual([])
  })
})

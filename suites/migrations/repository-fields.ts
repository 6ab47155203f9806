import type { Exchange } from '../../src/http/exchange.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { isObject, type JsonObject, type Located } from '../../src/suite/located.ts'
import { topLevelOf } from '../common/removable-objects.ts'
import { type MigrationNeeds, needs } from './started.ts'

/** Where a migration's repositories are answered. */
export interface RepositorySource {
  readonly id: string
  readonly read: (t: CheckContext, resolved: MigrationNeeds, version: string | undefined) => Promise<unknown>
}

const before = '2022-11-28'

/** Version 2026-03-10 shows fewer fields of a migration's repositories; which ones is open (document: Versioning, change 16; readings E11, V17). */
export function repositoryFieldsCheck({ id, read }: RepositorySource): Check {
  return check({
    id: `${id}.fewer-repository-fields`,
    requirement: 'migrations.repository-fields',
    level: 'should',
    title: 'returns fewer repository fields than under version 2022-11-28',
    needs,
    versions: ['2026-03-10'],
    writes: true,
    run: async (t, resolved) => {
      const now = firstOf(t, await read(t, resolved, undefined))
      const then = firstOf(t, await read(t, resolved, before))
      expectFewer(t, Object.keys(now), Object.keys(then))
    },
  })
}

function firstOf(t: CheckContext, repositories: unknown): JsonObject {
  const first = Array.isArray(repositories) ? repositories[0] : undefined
  return isObject(first) ? first : t.untested('no repository was returned under one of the versions')
}

function expectFewer(t: CheckContext, now: readonly string[], then: readonly string[]): void {
  const added = now.filter((key) => !then.includes(key))
  if (added.length > 0 || now.length >= then.length) {
    const expected = `fewer fields than the ${then.length} of version ${before}, and no new ones`
    t.deviation({
      expected,
      actual: `${now.length} fields${added.length > 0 ? `, ${added.join(', ')} among them` : ''}`,
      exchanges: [],
    })
  }
  t.examined(1)
}

/** The repositories of a migration, or of each in a list, which are such by their place: which of their fields remain is open (readings E11). */
export function migratedRepositories(exchange: Exchange): Located<JsonObject>[] {
  return topLevelOf(exchange).flatMap(({ value, pointer }) => {
    const { repositories } = value
    const listed = Array.isArray(repositories) ? repositories : []
    return listed.flatMap((item, index) =>
      isObject(item) ? [{ value: item, exchange, pointer: `${pointer}/repositories/${index}` }] : [],
    )
  })
}

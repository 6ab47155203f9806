import { isDeepStrictEqual } from 'node:util'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject, type Located } from '../../../src/suite/located.ts'
import { identityOf } from '../common/every-migration.ts'
import { echoedFlags } from '../common/migration-state.ts'

/** Ends the check as deviating when the description of a migration has changed. The objects of its repositories may change. */
export function expectSameMetadata(t: CheckContext, before: Located, after: readonly Located[]): void {
  const whole = isObject(before.value) ? before.value : t.untested('the migration could not be read')
  for (const { value, exchange } of after) {
    const part = isObject(value) ? value : {}
    // The list need not contain org_metadata_only, and its repositories may have other fields (readings E6, E11).
    const listed = Array.isArray(exchange.json) ? { org_metadata_only: whole.org_metadata_only, ...part } : undefined
    const [was, is] = [describing(whole, !listed), describing(listed ?? part, !listed)]
    const changed = Object.keys(was).filter((name) => !isDeepStrictEqual(was[name], is[name]))
    const finding = { expected: 'the same as before', actual: `another ${changed.join(', ')}` }
    if (changed.length > 0) t.deviation({ ...finding, exchanges: [before.exchange, exchange] })
  }
  t.examined(after.length)
}

/** The members that describe a migration, with or without its archive; its repositories by their names, or by their number. */
function describing(migration: JsonObject, byName: boolean): JsonObject {
  const { repositories } = migration
  const names = Array.isArray(repositories)
    ? repositories.map((each) => (isObject(each) ? (each.full_name ?? each.name ?? each.id) : each))
    : []
  const kept = ['node_id', 'org_metadata_only', ...echoedFlags].map((name) => [name, migration[name]])
  return { ...Object.fromEntries(kept), identity: identityOf(migration), repositories: byName ? names.sort() : names.length }
}

import { isDeepStrictEqual } from 'node:util'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import { echoedFlags } from '../common/migration-state.ts'

/** Ends the check as deviating when the description of a migration has changed. The objects of its repositories may change. */
export function expectSameMetadata(t: CheckContext, before: Exchange, after: Exchange): void {
  const [was, is] = [before, after].map(({ status, json }) => (status === 200 && isObject(json) ? describing(json) : undefined))
  if (!was || !is) t.untested('the migration could not be read')
  const changed = Object.keys(was).filter((name) => !isDeepStrictEqual(was[name], is[name]))
  if (changed.length > 0) {
    t.deviation({ expected: 'the same as before', actual: `another ${changed.join(', ')}`, exchanges: [before, after] })
  }
  t.examined(1)
}

/** The members that describe a migration, with or without its archive. */
function describing({ owner, repositories, ...migration }: JsonObject): JsonObject {
  const names = Array.isArray(repositories)
    ? repositories.map((each) => (isObject(each) ? (each.full_name ?? each.name ?? each.id) : each))
    : []
  const kept = ['guid', 'created_at', 'org_metadata_only', ...echoedFlags].map((name) => [name, migration[name]])
  return { ...Object.fromEntries(kept), owner: isObject(owner) ? owner.login : undefined, repositories: names.sort() }
}

import type { Endpoint } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { distinctBodies, distinctItems, isObject, type JsonObject, type Located } from '../../src/suite/located.ts'

/** Every distinct object in the recorded responses of an endpoint that returns one object. Parameters may select parts, so these are left out. */
export function recordedObjects(t: CheckContext, endpoint: Endpoint): Located<JsonObject>[] {
  const served = t.recorded(endpoint).filter(({ status, request }) => status === 200 && !request.url.includes('?'))
  return distinctBodies(served).flatMap((exchange) =>
    isObject(exchange.json) ? [{ value: exchange.json, exchange, pointer: '' }] : [],
  )
}

/** Every distinct item in the recorded responses of an endpoint that returns a list. For checks that run afterwards. */
export function recordedItems(t: CheckContext, endpoint: Endpoint): readonly Located[] {
  return distinctItems(t.recorded(endpoint).filter(({ status }) => status === 200))
}

/**
 * The migration of a list with the most to judge: an exported one with repositories. The run itself starts migrations without
 * repositories and pending ones, which are at the top of the list. Undefined for a list without migrations.
 */
export function exportedMigration(items: readonly Located[]): JsonObject | undefined {
  const migrations = items.map(({ value }) => value).filter(isObject)
  const exported = migrations.filter(({ state }) => state === 'exported')
  return exported.find(listsRepositories) ?? migrations.find(listsRepositories) ?? exported[0] ?? migrations[0]
}

const listsRepositories = ({ repositories }: JsonObject) => Array.isArray(repositories) && repositories.length > 0

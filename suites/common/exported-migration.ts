import { isObject, type JsonObject, type Located } from '../../src/suite/located.ts'

/**
 * The migration of a list of which most can be said: one that is exported and lists repositories. The run itself starts migrations
 * without repositories and some that are still pending, and new ones stand first. Undefined for a list without migrations.
 */
export function exportedMigration(items: readonly Located[]): JsonObject | undefined {
  const migrations = items.map(({ value }) => value).filter(isObject)
  const exported = migrations.filter(({ state }) => state === 'exported')
  return exported.find(listsRepositories) ?? migrations.find(listsRepositories) ?? exported[0] ?? migrations[0]
}

function listsRepositories({ repositories }: JsonObject): boolean {
  return Array.isArray(repositories) && repositories.length > 0
}

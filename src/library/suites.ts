import type { Config } from '../config/config.ts'
import { checkWaivers } from '../gate/waivers.ts'
import { checkStaticNeeds } from '../run/needs/given-values.ts'
import { loadSuites } from '../run/selection/load-suites.ts'
import { allChecks } from '../run/selection/selection.ts'
import type { Suite } from '../suite/check.ts'

/** The suites that a configuration judges with: the built-in ones and its own. */
export async function chosenSuites(config: Config): Promise<readonly Suite[]> {
  return loadSuites(config, (await import('../../suites/index.ts')).suites)
}

/** Throws `UsageError` for a need or a waiver of something that does not exist. */
export function checkAgainstSuites(config: Config, suites: readonly Suite[]): void {
  checkStaticNeeds(config.needs)
  checkWaivers(
    config.waivers,
    allChecks(suites).map(({ check }) => check.id),
  )
}

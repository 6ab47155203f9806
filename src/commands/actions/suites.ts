import { existsSync } from 'node:fs'
import { readSuiteSettings } from '../../config/suite-files.ts'
import { usualConfig } from '../../report/view/subject.ts'
import { loadSuites } from '../../run/selection/load-suites.ts'
import type { Suite } from '../../suite/check.ts'
import type { SuiteOptions } from '../surroundings.ts'

/** The suites of a command: the built-in ones, of the release that is asked for, and those of the configuration. Throws `UsageError`. */
export async function suitesFor(options: SuiteOptions = {}, builtIn: readonly Suite[]): Promise<readonly Suite[]> {
  const usual = !options.builtInOnly && existsSync(usualConfig) ? usualConfig : undefined
  const file = options.config ?? usual
  const { suites, requirements } = file === undefined ? {} : readSuiteSettings(file)
  const release = options.requirements ?? requirements
  return loadSuites({ ...(suites ? { suites } : {}), ...(release === undefined ? {} : { requirements: release }) }, builtIn)
}

import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Config, ReachableConfig } from './config/config.ts'
import { defineConfig, loadConfig, type WrittenConfig } from './config/load.ts'
import { reachableConfig, suitesOf } from './library/judge.ts'
import { endpointGroups, type LaneOptions, vitestLane } from './library/vitest-lane.ts'
import { splitSelection } from './run/selection/lanes.ts'
import { type PlacedCheck, type SelectionOptions, select } from './run/selection/selection.ts'
import { latestVersion, newestOf } from './spec/versions.ts'

/** The target and the checks of {@link conformanceSuite}. */
export interface ConformanceSuiteOptions extends LaneOptions, Pick<SelectionOptions, 'areas' | 'only'> {
  /** The configuration: a file, its members, or the result of `loadConfig` or of `configure` of a reference server. */
  readonly config: string | WrittenConfig | Config
  /** Returns the address of a target that the test file starts itself. It is called once, before the first check. */
  readonly baseUrl?: (() => string | Promise<string>) | undefined
}

/**
 * Registers every check as a test of the calling test file: `describe` a version and an endpoint, `test` a claim.
 * A deviation fails its test with the requirement, the exchange and a curl line. An untested, inapplicable or waived check is
 * skipped with the reason. A warning is a note of the test, and fails it under `gate.strict`.
 * Await it at the top level of a test file. Throws `UsageError` for a configuration that is not usable.
 */
export async function conformanceSuite(options: ConformanceSuiteOptions): Promise<void> {
  const config = typeof options.config === 'string' ? loadConfig(options.config) : defineConfig(options.config)
  const selection = select(await suitesOf(config), { areas: options.areas ?? config.areas, only: options.only })
  const { perVersion, across } = splitSelection(selection, config.versions)
  let reached: Promise<ReachableConfig> | undefined
  const target = () => (reached ??= reach(config, options.baseUrl))
  for (const version of config.versions) register(version, perVersion, vitestLane(version, target, options))
  const newest = newestOf(config.versions) ?? latestVersion
  if (across.length > 0) register('across versions', across, vitestLane(newest, target, options))
}

/** Registers the tests of one lane by endpoint; the checks that examine all requests come last. */
function register(name: string, checks: readonly PlacedCheck[], lane: ReturnType<typeof vitestLane>): void {
  if (checks.length === 0) return
  describe(name, () => {
    beforeAll(() => lane.open())
    afterAll(() => lane.close())
    for (const [endpoint, placed] of endpointGroups(checks)) {
      describe(endpoint, () => {
        for (const one of placed) {
          const { title, id } = one.check
          test(`${title} (${id})`, { timeout: 0 }, (context) => lane.judge(one, context))
        }
      })
    }
  })
}

/** The configuration with the address of the test file. */
async function reach(config: Config, baseUrl: ConformanceSuiteOptions['baseUrl']): Promise<ReachableConfig> {
  if (baseUrl === undefined) return reachableConfig(config)
  return { ...config, target: { ...config.target, baseUrl: await baseUrl() } }
}

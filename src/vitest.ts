import { afterAll, beforeAll, describe, test } from 'vitest'
import type { Config, ReachableConfig } from './config/config.ts'
import { loadConfig } from './config/load.ts'
import { reachableConfig } from './library/judge.ts'
import { checkAgainstSuites, chosenSuites } from './library/suites.ts'
import { type LaneOptions, VitestLane } from './library/vitest-lane.ts'
import { splitSelection } from './run/selection/cross-version.ts'
import { type PlacedCheck, select } from './run/selection/selection.ts'
import type { Area } from './spec/endpoints.ts'
import { latestVersion, newestOf } from './spec/versions.ts'

/** What {@link conformanceSuite} registers, and what it judges. */
export interface ConformanceSuiteOptions extends LaneOptions {
  /** The configuration: a file, or what `loadConfig` or `configure` of a reference server returned. */
  readonly config: string | Config
  /** Where the target listens, asked for once before the first check: for a server that the test file starts itself. */
  readonly baseUrl?: (() => string | Promise<string>) | undefined
  /** These areas only; those of the configuration unless given. */
  readonly areas?: readonly Area[] | undefined
  /** Globs of check ids, as of `run --only`. */
  readonly only?: readonly string[] | undefined
}

/**
 * Registers every check as a test of the calling test file: `describe` a version and an endpoint, `test` a claim.
 * A deviation fails its test with the requirement, the exchange and a curl line; what is untested, inapplicable or waived is
 * skipped with the reason; a warning is a note of the test, and fails it where `gate.strict` is set.
 * To be awaited at the top level of a test file. Throws `UsageError` for a configuration that is not usable.
 */
export async function conformanceSuite(options: ConformanceSuiteOptions): Promise<void> {
  const config = typeof options.config === 'string' ? loadConfig(options.config) : options.config
  const suites = await chosenSuites(config)
  checkAgainstSuites(config, suites)
  const selection = select(suites, { areas: options.areas ?? config.areas, only: options.only })
  const { perVersion, across } = splitSelection(selection, config.versions)
  const target = once(() => reach(config, options.baseUrl))
  for (const version of config.versions) register(version, perVersion, new VitestLane(version, target, options))
  const newest = newestOf(config.versions) ?? latestVersion
  if (across.length > 0) register('across versions', across, new VitestLane(newest, target, options))
}

/** The tests of one lane, an endpoint after the other; what reads the record of all others comes last. */
function register(name: string, checks: readonly PlacedCheck[], lane: VitestLane): void {
  if (checks.length === 0) return
  describe(name, () => {
    beforeAll(() => lane.open())
    afterAll(() => lane.close())
    for (const { title, placed } of lane.groups(checks)) {
      describe(title, () => {
        for (const one of placed) {
          const { title, id } = one.check
          test(`${title} (${id})`, { timeout: 0 }, (context) => lane.judge(one, context))
        }
      })
    }
  })
}

/** The configuration with the address that the test file gave. */
async function reach(config: Config, baseUrl: ConformanceSuiteOptions['baseUrl']): Promise<ReachableConfig> {
  if (baseUrl === undefined) return reachableConfig(config)
  return { ...config, target: { ...config.target, baseUrl: await baseUrl() } }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make()
    return made
  }
}

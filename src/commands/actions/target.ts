import { existsSync } from 'node:fs'
import { startReferenceServer } from '../../../fixtures/reference/server/start.ts'
import type { Config, ReachableConfig } from '../../config/config.ts'
import { defaults } from '../../config/defaults.ts'
import { atOneAddress } from '../../config/dialect.ts'
import { loadConfig } from '../../config/load.ts'
import { checkWaivers } from '../../gate/waivers.ts'
import { checkStaticNeeds } from '../../run/needs/need-resolver.ts'
import { allChecks, type PlacedCheck, select } from '../../run/selection.ts'
import type { Area } from '../../spec/endpoint.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import type { Suite } from '../../suite/check.ts'
import { UsageError } from '../../text/usage-error.ts'

/** The options by which every command that judges or looks at a target finds it. */
export interface TargetOptions {
  config?: string | undefined
  baseUrl?: string | undefined
  apiVersion?: ApiVersion[] | undefined
  area?: Area[] | undefined
  only?: string[] | undefined
  out?: string | undefined
  format?: string[] | undefined
  strict?: boolean | undefined
  shard?: { index: number; of: number } | undefined
}

/** The configuration that is loaded when it stands in the working folder. */
export const usualConfig = 'conformance.config.yaml'

/** The configuration that the command line chose, its own options laid over it. Throws {@link UsageError}. */
export function effectiveConfig(options: TargetOptions, suites: readonly Suite[]): Config {
  const file = options.config ?? (existsSync(usualConfig) ? usualConfig : undefined)
  const loaded = file === undefined ? structuredClone(defaults) : loadConfig(file)
  checkStaticNeeds(loaded.needs)
  checkWaivers(
    loaded.waivers,
    allChecks(suites).map(({ check }) => check.id),
  )
  return {
    ...loaded,
    target: options.baseUrl === undefined ? loaded.target : atOneAddress(loaded.target, checkedUrl(options.baseUrl)),
    versions: options.apiVersion ?? loaded.versions,
    areas: options.area ?? loaded.areas,
    gate: { ...loaded.gate, strict: options.strict ?? loaded.gate.strict },
    report: {
      ...loaded.report,
      directory: options.out ?? loaded.report.directory,
      formats: options.format ?? loaded.report.formats,
    },
  }
}

/** The checks that the command line chose. Throws {@link UsageError} when there is none. */
export function chosenChecks(config: Config, options: TargetOptions, suites: readonly Suite[]): PlacedCheck[] {
  return select(suites, {
    areas: config.areas,
    only: options.only,
    shard: options.shard,
  })
}

function checkedUrl(text: string): string {
  if (/^https?:\/\/[^@/?#\s]+(\/[^?#\s]*)?$/.test(text)) return text
  throw new UsageError(`--base-url ${text}: an http(s) URL without credentials, query or fragment is accepted`)
}

/** Runs `work` on the configured target, or on an embedded reference server where none is configured. */
export async function withTarget<Result>(config: Config, work: (config: ReachableConfig) => Promise<Result>): Promise<Result> {
  const { baseUrl } = config.target
  if (baseUrl !== undefined) return work({ ...config, target: { ...config.target, baseUrl } })
  const server = await startReferenceServer()
  try {
    return await work(server.configure(config))
  } finally {
    await server.close()
  }
}

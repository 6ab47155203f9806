import { existsSync } from 'node:fs'
import { suites } from '../../suites/index.ts'
import type { Config } from '../config/config.ts'
import { defaults, loadConfig } from '../config/load.ts'
import { checkWaivers } from '../gate/waivers.ts'
import { checkStaticNeeds } from '../run/needs/need-resolver.ts'
import { allChecks, type PlacedCheck, select } from '../run/selection.ts'
import type { Area } from '../spec/endpoint.ts'
import type { ApiVersion } from '../spec/versions.ts'
import { UsageError } from '../text/usage-error.ts'

/** The options by which every command that judges or looks at a target finds it. */
export interface TargetOptions {
  config?: string
  baseUrl?: string
  apiVersion?: ApiVersion[]
  area?: Area[]
  only?: string[]
  out?: string
  format?: string[]
  strict?: boolean
  shard?: { index: number; of: number }
}

/** The configuration that is loaded when it stands in the working folder. */
export const usualConfig = 'conformance.config.yaml'

/** The configuration that the command line chose, its own options laid over it. Throws {@link UsageError}. */
export function effectiveConfig(options: TargetOptions): Config {
  const file = options.config ?? (existsSync(usualConfig) ? usualConfig : undefined)
  const loaded = file === undefined ? structuredClone(defaults) : loadConfig(file)
  checkStaticNeeds(loaded.needs)
  checkWaivers(
    loaded.waivers,
    allChecks(suites).map(({ check }) => check.id),
  )
  return {
    ...loaded,
    target: { ...loaded.target, ...(options.baseUrl === undefined ? {} : { baseUrl: checkedUrl(options.baseUrl) }) },
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
export function chosenChecks(config: Config, options: TargetOptions): PlacedCheck[] {
  return select(suites, {
    areas: config.areas,
    ...(options.only ? { only: options.only } : {}),
    ...(options.shard ? { shard: options.shard } : {}),
  })
}

function checkedUrl(text: string): string {
  if (/^https?:\/\/[^@/?#\s]+(\/[^?#\s]*)?$/.test(text)) return text
  throw new UsageError(`--base-url ${text}: an http(s) URL without credentials, query or fragment is accepted`)
}

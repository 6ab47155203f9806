import { existsSync } from 'node:fs'
import { atOneAddress, isReachable, withoutCredentials } from '../../config/addresses.ts'
import type { Config, ReachableConfig } from '../../config/config.ts'
import { defaults } from '../../config/defaults.ts'
import { loadConfig } from '../../config/load.ts'
import { type Path, readYaml } from '../../config/yaml-file.ts'
import { checkWaivers } from '../../gate/waivers.ts'
import { usualConfig } from '../../report/view/subject.ts'
import { checkStaticNeeds } from '../../run/needs/given-values.ts'
import { allChecks, type PlacedCheck, select } from '../../run/selection/selection.ts'
import type { Shard } from '../../run/selection/shards.ts'
import { type Area, endpointLabel } from '../../spec/endpoint.ts'
import type { ApiVersion } from '../../spec/versions.ts'
import { endpointOf, type Suite } from '../../suite/check.ts'
import { guess } from '../../text/guess.ts'
import { UsageError } from '../../text/usage-error.ts'

export { usualConfig }

/** Names the place of a member before a sentence: `a.yaml:7: `. */
type Place = (path: Path) => string

/** The options by which every command that judges or looks at a target finds it. */
export interface TargetOptions {
  config?: string | undefined
  baseUrl?: string | undefined
  reference?: boolean | undefined
  requirements?: string | undefined
  apiVersion?: ApiVersion[] | undefined
  area?: Area[] | undefined
  only?: string[] | undefined
  out?: string | undefined
  format?: string[] | undefined
  strict?: boolean | undefined
  shard?: Shard | undefined
  profile?: 'smoke' | undefined
}

/** The configuration that the command line chose, its own options laid over it. Throws {@link UsageError}. */
export function effectiveConfig(options: TargetOptions, suites: readonly Suite[]): Config {
  const file = options.config ?? (existsSync(usualConfig) ? usualConfig : undefined)
  const loaded = file === undefined ? structuredClone(defaults) : loadConfig(file)
  const at: Place = file === undefined ? () => '' : (path) => `${readYaml(file).locate(path)}: `
  checkStaticNeeds(loaded.needs, at)
  checkClaims(loaded.claims.except, at, suites)
  checkWaivers(
    loaded.waivers,
    allChecks(suites).map(({ check }) => check.id),
  )
  return {
    ...loaded,
    target: chosenTarget(loaded, options),
    versions: options.apiVersion ?? loaded.versions,
    areas: options.area ?? loaded.areas,
    ...(options.requirements === undefined ? {} : { requirements: options.requirements }),
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
    profile: options.profile,
    shard: options.shard,
  })
}

/** Throws {@link UsageError} for an endpoint that no check is about: excepting it would do nothing. */
function checkClaims(except: readonly string[], at: Place, suites: readonly Suite[]): void {
  const known = [...new Set(allChecks(suites).map(({ check, suite }) => endpointLabel(endpointOf(check, suite))))]
  const index = except.findIndex((label) => !known.includes(label))
  const unknown = except[index]
  if (unknown === undefined) return
  throw new UsageError(
    `${at(['claims', 'except', index])}claims.except: no check is about "${unknown}"${guess(unknown, known)}; "service-conformance list checks" shows every endpoint`,
  )
}

/** The target of the configuration, unless the command line names another. */
function chosenTarget({ target }: Config, { baseUrl, reference }: TargetOptions): Config['target'] {
  const { baseUrl: configured, reference: embedded, ...rest } = target
  if (baseUrl !== undefined) return atOneAddress(rest, checkedUrl(baseUrl))
  // What a file says of another server's words and addresses does not describe the embedded one.
  if (reference) return { paths: {}, reference }
  return { ...rest, ...(configured === undefined ? {} : { baseUrl: configured }), ...(embedded ? { reference: true } : {}) }
}

/** The value of `--base-url`. Throws {@link UsageError} for anything but a plain address; a password in it is not repeated. */
export function checkedUrl(text: string): string {
  if (/^https?:\/\/[^@/?#\s]+(\/[^?#\s]*)?$/.test(text) && isReachable(text)) return text
  const slip = /^[\w.-]+(:\d+)?(\/|$)/.test(text) && text !== '' ? ` (did you mean "http://${text}"?)` : ''
  throw new UsageError(
    `--base-url "${withoutCredentials(text)}": an http(s) URL with a port from 1 to 65535, without credentials, query or fragment is accepted, such as http://localhost:3000${slip}`,
  )
}

/** Runs `work` on the target: the configured one, or the embedded reference server where that is asked for. Throws {@link UsageError} when neither is. */
export async function withTarget<Result>(config: Config, work: (config: ReachableConfig) => Promise<Result>): Promise<Result> {
  const { baseUrl, reference } = config.target
  if (baseUrl !== undefined) return work({ ...config, target: { ...config.target, baseUrl } })
  if (!reference) throw noTarget(config)
  const { startReferenceServer } = await import('../../../fixtures/reference/server/start.ts')
  const server = await startReferenceServer()
  try {
    return await work(server.configure(config))
  } finally {
    await server.close()
  }
}

function noTarget({ file }: Config): UsageError {
  const place = file === undefined ? `there is no ${usualConfig} here` : `${file} sets no target.baseUrl`
  return new UsageError(
    `no target to judge: ${place}. Choose one:\n` +
      '  --base-url http://localhost:3000   judge the server that listens there\n' +
      '  --config FILE                      judge the target.baseUrl of another configuration; "service-conformance init" writes one\n' +
      '  --reference                        judge the embedded reference server',
  )
}

import { existsSync } from 'node:fs'
import { atOneAddress, isReachable, withoutCredentials } from '../../config/addresses.ts'
import { type Config, defaults, type ReachableConfig } from '../../config/config.ts'
import { hideSecrets, loadConfig } from '../../config/load.ts'
import { readSuiteSettings } from '../../config/suite-files.ts'
import { type Path, readYaml } from '../../config/yaml-file.ts'
import { checkWaivers } from '../../gate/waivers.ts'
import { isCommon } from '../../http/redaction/own-words.ts'
import { defaultConfigFile, tokensText } from '../../report/view/subject.ts'
import { checkStaticNeeds } from '../../run/needs/given-values.ts'
import { labelOfToken } from '../../run/needs/tokens.ts'
import { loadSuites } from '../../run/selection/load-suites.ts'
import { allChecks, type PlacedCheck } from '../../run/selection/selection.ts'
import { endpointLabel, ownAccount } from '../../spec/endpoints.ts'
import type { Catalogue } from '../../suite/catalogue.ts'
import { endpointOf, type Suite } from '../../suite/check.ts'
import { atPointer } from '../../text/data.ts'
import { didYouMean, UsageError } from '../../text/errors.ts'
import { printable } from '../../text/format.ts'
import type { RunOptions, SuiteOptions } from './command.ts'

/** The named configuration file, or an existing default one. */
function fileOf({ config }: SuiteOptions) {
  return config ?? (existsSync(defaultConfigFile) ? defaultConfigFile : undefined)
}

/** The base URL as the configuration states it, with its variables for a shell; `$TARGET_URL` if there is none. */
export function statedBaseUrl(options: SuiteOptions) {
  const file = fileOf(options)
  return String(
    atPointer(file === undefined ? {} : readYaml(file).value, '/target/baseUrl') ?? '$TARGET_URL',
  )
}

/** The suites of a command: the built-in ones, of the requested release, and those of the configuration. Throws {@link UsageError}. */
export async function catalogueFor(options: SuiteOptions = {}, builtIn: readonly Suite[]) {
  const file = fileOf(options)
  const settings = file === undefined ? {} : readSuiteSettings(file)
  if (file !== undefined) hideSecrets(readYaml(file).value)
  const { requirements = settings.requirements } = options
  return loadSuites(
    { ...settings, ...(requirements === undefined ? {} : { requirements }) },
    builtIn,
  )
}

/** The configuration with the options of the command line. Throws {@link UsageError}. */
export function effectiveConfig(options: RunOptions, catalogue: Catalogue) {
  const file = fileOf(options)
  const loaded = file === undefined ? structuredClone(defaults) : loadConfig(file)
  const at = file === undefined ? () => '' : (path: Path) => `${readYaml(file).locate(path)}: `
  const checks = allChecks(catalogue.suites)
  checkStaticNeeds({ ...loaded, catalogue }, at)
  checkClaims(loaded.claims.except, at, checks)
  checkWaivers(
    loaded.waivers,
    checks.map(({ check }) => check.id),
  )
  const { gate, report } = loaded
  return {
    ...loaded,
    catalogue,
    target: chosenTarget(loaded, options),
    versions: options.apiVersion ?? loaded.versions,
    areas: options.area ?? loaded.areas,
    ...(options.requirements === undefined ? {} : { requirements: options.requirements }),
    gate: { ...gate, strict: options.strict ?? gate.strict },
    report: {
      ...report,
      directory: options.out ?? report.directory,
      formats: options.format ?? report.formats,
    },
  }
}

/** Throws {@link UsageError} for an excepted endpoint that no run asks, because the exception would have no effect. */
function checkClaims(
  except: readonly string[],
  at: (path: Path) => string,
  checks: readonly PlacedCheck[],
) {
  const asked = [...checks.map(({ check, suite }) => endpointOf(check, suite)), ownAccount]
  const known = [...new Set(asked.map(endpointLabel))]
  const unknown = except.find((label) => !known.includes(label))
  if (unknown === undefined) return
  const sentence = `no check is about "${unknown}"${didYouMean(unknown, known)}; "npx service-conformance list checks" lists every endpoint`
  throw new UsageError(
    `${at(['claims', 'except', except.indexOf(unknown)])}claims.except: ${sentence}`,
  )
}

/** The target of the configuration, unless the command line names another. */
function chosenTarget({ target }: Config, { baseUrl, reference }: RunOptions) {
  const { reference: _, start: __, ...rest } = target
  if (baseUrl !== undefined) return atOneAddress(rest, checkedUrl(baseUrl))
  // The words, the addresses and the command of another server do not describe the embedded one.
  return reference ? { paths: {}, reference } : target
}

/** The value of `--base-url`. Throws {@link UsageError} for every other form than a plain address. The message contains no password. */
export function checkedUrl(text: string) {
  if (/^https?:\/\/[^@/?#\s]+(\/[^?#\s]*)?$/.test(text) && isReachable(text)) return text
  const slip =
    /^[\w.-]+(:\d+)?(\/|$)/.test(text) && text !== '' ? ` (did you mean "http://${text}"?)` : ''
  const form =
    'an http(s) URL with a port from 1 to 65535, without credentials, query or fragment is accepted'
  throw new UsageError(
    `--base-url "${withoutCredentials(text)}": ${form}, such as http://localhost:3000${slip}`,
  )
}

/** Runs `work` on the configured target or on the embedded reference server. Throws {@link UsageError} without a target. */
export async function withTarget<Result>(
  config: Config,
  work: (config: ReachableConfig) => Promise<Result>,
) {
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

function noTarget({ file }: Config) {
  const place =
    file === undefined ? `there is no ${defaultConfigFile} here` : `${file} sets no target.baseUrl`
  return new UsageError(
    `no target to judge: ${place}. Choose one:\n` +
      '  --base-url http://localhost:3000  judge the server that listens there\n' +
      '  --config FILE  judge the target of another configuration, which "npx service-conformance init" writes\n' +
      '  --reference  judge the embedded reference server',
  )
}

/** The subject of a run in lines for the terminal: the target, the versions, the configuration file and the tokens. */
export function subjectLines({ target, versions, file, tokens }: ReachableConfig) {
  const words = [
    ...tokens.map((token, index) => [labelOfToken(token, index), token.secret]),
    ...Object.entries(target.dialect?.secrets ?? {}),
  ].filter(([, secret = '']) => isCommon(secret))
  const advice =
    'is a word of the reports or very short, so that no report can hide it; use a longer random secret'
  const rows = [
    [
      'target',
      target.reference ? `the embedded reference server (${target.baseUrl})` : target.baseUrl,
    ],
    ['versions', versions.join(', ')],
    ['configuration', file ?? 'none'],
    ['tokens', tokensText(tokens)],
    ...words.map(([label]) => ['warning', `${label} ${advice}`]),
  ]
  return rows.map(([name = '', text = '']) => printable(`${name.padEnd(14)} ${text}`))
}

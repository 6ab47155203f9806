import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from '@commander-js/extra-typings'
import type { Document } from 'yaml'
import { type Config, defaults, type ReachableConfig, type TokenConfig } from '../config/config.ts'
import { loadConfig } from '../config/load.ts'
import { appendTo, changedYaml } from '../config/yaml-file.ts'
import type { Discovery } from '../doctor/discover.ts'
import type { ForecastOptions } from '../doctor/forecast-checks.ts'
import { usualQuota } from '../doctor/notes.ts'
import { labelOf } from '../http/exchange/caller.ts'
import { systemClock } from '../http/transport/time/clock.ts'
import { packageRoot } from '../package/root.ts'
import type { PreflightRecord } from '../record/preflight-record.ts'
import { coverageOf } from '../record/verdict.ts'
import { type ProgressStream, type ShowStep, withStatus } from '../report/terminal/progress.ts'
import { configArgument, defaultConfigFile } from '../report/view/subject.ts'
import { allChecks, select } from '../run/selection/selection.ts'
import { type Role, roles } from '../spec/needs.ts'
import type { Catalogue } from '../suite/catalogue.ts'
import { defined } from '../text/data.ts'
import { UsageError } from '../text/errors.ts'
import { counted, grouped, printable } from '../text/format.ts'
import { wrapped } from '../text/table.ts'
import {
  type CommandContext,
  example,
  type OptionsOf,
  oneOf,
  repeatable,
} from './common/command.ts'
import { refuseUnwritable, writeOptionFile } from './common/option-file.ts'
import { untilEnded, withServers } from './common/servers.ts'
import { checkedUrl } from './common/target.ts'

/** `init`: a starter configuration. */
export function define(command: Command, { catalogue, print, progress }: CommandContext) {
  return command
    .option('--base-url <url>', 'the target (default: that of a configuration that exists)')
    .option('--provider <url>', 'the provider of test data, a module or URL')
    .addOption(
      repeatable('--login <role=login>', 'the login of the user of a role (repeatable)', loginOf),
    )
    .option('--config <file>', 'the file to write (default: conformance.config.yaml)')
    .option('--discover', 'look for test data in the feeds and lists of the target')
    .option('--force', 'replace a file that exists (default: add the missing entries)')
    .addHelpText(
      'after',
      example('init --base-url http://localhost:3000 --login owner=mona', 'OWNER_TOKEN=… '),
    )
    .action(async (options) => void print(await initCommand(options, await catalogue(), progress)))
}

type InitOptions = OptionsOf<typeof define>

function loginOf(text: string) {
  const [role = '', login = ''] = text.split('=')
  if (login === '') throw new InvalidArgumentError('role=login is accepted, such as owner=mona')
  return { role: oneOf(roles)(role), login }
}

/** The known logins of the roles. */
type Logins = Readonly<Partial<Record<Role, string>>>

/** The facts about a target, for a configuration that may contain them already. */
type Findings = Awaited<ReturnType<typeof examine>>

/** Writes a commented configuration for a target, or extends one. Throws {@link UsageError} for one that cannot be judged. */
export async function initCommand(
  options: InitOptions,
  catalogue: Catalogue,
  progress?: ProgressStream,
): Promise<string> {
  const begun = systemClock.now()
  const file = options.config ?? defaultConfigFile
  const existing = existsSync(file) && !options.force ? loadConfig(file) : undefined
  refuseUnwritable('--config', file)
  const findings = await examine(options, file, catalogue, existing, progress)
  const added: string[] = []
  const before = readFileSync(
    existing ? file : join(packageRoot, 'src/commands/starters/config.yaml'),
    'utf8',
  )
  const text = changedYaml(file, before, (document) =>
    added.push(...addFindings(document, findings, file)),
  )
  const lines = findingLines(findings, existing)
  if (added.length > 0) writeOptionFile('--config', file, text)
  lines.push(...added.map((entry) => `added    ${printable(entry)}`))
  const extended =
    added.length > 0
      ? 'is extended, and its former entries are kept'
      : 'contains all findings already, and was not changed'
  const state = `${file} ${existing ? extended : 'is written'}`
  if (options.discover) {
    const config = loadConfig(file)
    const found = await withStatus(progress, (showStep) => {
      const forecast = (signal: AbortSignal) =>
        discoveryLines(config, findings, catalogue, { showStep, signal })
      return untilEnded(config, forecast, begun, `the forecast; ${state}`)
    })
    lines.push(...found)
  }
  const named = configArgument(file)
  const next = `"npx service-conformance doctor${named}" lists the next steps, "npx service-conformance run${named}" judges.`
  return wrapped([...lines, `${state}; ${next}`])
}

/** Lines about the needs that were found: their number, the effect of checks on them, and the forecast of `doctor`. */
async function discoveryLines(
  config: Config,
  findings: Findings,
  catalogue: Catalogue,
  showing: Pick<ForecastOptions, 'showStep' | 'signal'>,
) {
  const { forecastChecks } = await import('../doctor/forecast-checks.ts')
  const { baseUrl, discoveries } = findings
  const target = { ...config.target, baseUrl }
  const selection = select(catalogue.suites, { areas: config.areas })
  const { checks } = await forecastChecks({ ...config, target, catalogue }, selection, showing)
  const { judged, applicable } = coverageOf(checks)
  const beside = config.provider === undefined ? '' : ', without its provider'
  return [
    `found    ${counted(discoveries.length, 'need')} in the data of the target, with which doctor predicts ${grouped(judged)} of ${grouped(applicable)} checks${beside}`,
    'note     checks mark threads as read or done, and export repositories: "plan --json" lists these checks; remove a value that must stay as it is',
  ]
}

/** Asks the target and its provider. Throws {@link UsageError} without a target, and for one that cannot be judged. */
async function examine(
  options: InitOptions,
  file: string,
  { suites }: Catalogue,
  existing?: Config,
  stream?: ProgressStream,
) {
  const { baseUrl = existing?.target.baseUrl, provider } = options
  if (!baseUrl)
    throw new UsageError(
      '--base-url is needed: where does the target listen? (such as http://localhost:3000)',
    )
  if (options.baseUrl !== undefined) checkedUrl(options.baseUrl)
  const declared: Logins = Object.fromEntries(
    (options.login ?? []).map(({ role, login }) => [role, login]),
  )
  const config = existing ?? structuredClone(defaults)
  const known = config.tokens.map(({ role }) => role)
  const tokens = [
    ...config.tokens,
    ...tokensFromEnvironment(declared).filter(({ role }) => !known.includes(role)),
  ]
  const target = {
    ...config,
    target: { ...config.target, baseUrl },
    tokens,
    ...defined({ provider }),
  }
  const { preflight } = await import('../doctor/preflight.ts')
  const { discover, quotaAndLogins } = await import('../doctor/discover.ts')
  const examined = async (showStep: ShowStep, signal: AbortSignal) => {
    const reach = async (tried: ReachableConfig) => {
      const { facts, obstacle } = await preflight(tried, allChecks(suites), signal)
      if (!obstacle) return { reached: tried, facts }
      if (obstacle.instead)
        return reach({ ...tried, target: { ...tried.target, ...obstacle.instead } })
      throw new UsageError(
        `${obstacle.sentence}. ${file} was not ${existing ? 'changed' : 'written'}`,
      )
    }
    showStep('examining the target and its tokens')
    const { reached, facts } = await reach(target)
    showStep('looking for logins and the rate limit')
    const { quota, logins: found } = await quotaAndLogins(reached, roles, signal)
    // A login with a variable could make the configuration read one.
    const isPlain = (login = '') => /^[A-Za-z][\w.-]*$/.test(login)
    const named = facts.tokens.flatMap(({ role, login }) =>
      role && isPlain(login) ? [[role, login]] : [],
    )
    const logins: Logins = { ...found, ...Object.fromEntries(named), ...declared }
    const tokens = reached.tokens.map((token) => ({
      ...token,
      ...defined({ login: token.login ?? (token.role && logins[token.role]) }),
    }))
    const discoveries = options.discover
      ? await discover({ ...reached, tokens }, showStep, signal)
      : []
    const { baseUrl: reachedUrl, dialect } = reached.target
    const scheme = target.target.dialect?.authorization ? undefined : dialect?.authorization?.scheme
    return {
      baseUrl: reachedUrl,
      stated: baseUrl,
      scheme,
      provider,
      quota,
      facts,
      logins,
      discoveries,
    }
  }
  return withStatus(stream, (showStep) =>
    withServers(target, (signal) => examined(showStep, signal)),
  )
}

/** The tokens of the variables that are set, so that the target can name their users. */
function tokensFromEnvironment(declared: Logins): TokenConfig[] {
  return roles.flatMap((role) => {
    const variable = labelOf(role)
    const secret = process.env[variable]
    const login = declared[role]
    return secret ? [{ role, kind: 'classic', secret, variable, ...defined({ login }) }] : []
  })
}

/** Adds the missing entries to a configuration, and returns a line for each. Existing entries are not changed. */
function addFindings(document: Document, findings: Findings, file: string) {
  const { baseUrl, stated, scheme, provider, quota, logins, facts, discoveries } = findings
  const added: string[] = []
  const add = (path: string[], value: unknown, line: string, comment?: string) => {
    document.setIn(
      path,
      Object.assign(document.createNode(value, { flow: true }), defined({ comment })),
    )
    added.push(line)
  }
  const isNamed = ['baseUrl', 'reference', 'dialect'].some((key) => document.hasIn(['target', key]))
  const moved =
    baseUrl === stated
      ? undefined
      : ` seen: ${printable(facts.target)} here, and there is no API at ${stated}`
  if (!isNamed) add(['target', 'baseUrl'], baseUrl, `target.baseUrl: ${baseUrl}`, moved)
  if (scheme) {
    const name = String(document.getIn(['target', 'dialect']) ?? './dialect.yaml')
    writeScheme(resolve(dirname(file), name), scheme, facts)
    add(
      ['target', 'dialect'],
      name,
      `target.dialect: ${name}, with authorization: { scheme: ${scheme} }`,
    )
  }
  if (quota && !document.hasIn(['target', 'rateLimit']))
    add(
      ['target', 'rateLimit'],
      usualQuota,
      'target.rateLimit: the remaining rate limit is at GET /rate_limit',
    )
  const { tokens = [] } = (document.toJS() ?? {}) as { tokens?: { role?: string }[] }
  for (const role of roles) {
    const variable = labelOf(role)
    const login = logins[role]
    if (
      !process.env[variable] ||
      login === undefined ||
      tokens.some((token) => token.role === role)
    )
      continue
    appendTo(document, 'tokens', { role, kind: 'classic', login, secret: `\${${variable}}` })
    added.push(`tokens: ${role}, the login is ${login}`)
  }
  if (provider !== undefined && !document.has('provider'))
    add(['provider'], provider, `provider: ${provider}`)
  return [...added, ...discoveries.flatMap((discovery) => addNeed(document, discovery))]
}

/** Adds the scheme of the tokens to a dialect file, which is created if it is missing. Throws {@link UsageError} for a file with another one. */
function writeScheme(file: string, scheme: string, { tokens }: PreflightRecord) {
  const text = changedYaml(file, existsSync(file) ? readFileSync(file, 'utf8') : '', (words) => {
    if (words.has('authorization'))
      throw new UsageError(
        `${file} exists and states another authorization; name it as target.dialect`,
      )
    words.setIn(['authorization'], words.createNode({ scheme }, { flow: true }))
    words.commentBefore = ` seen: with this scheme, ${tokens.map(({ token, says }) => `${token}: ${says}`).join('; ')}`
  })
  writeOptionFile('target.dialect', file, text)
}

/** Adds the values of a need that the configuration lacks, each with a comment about its origin. */
function addNeed(document: Document, { need, values, seen }: Discovery) {
  if (document.hasIn(['needs', need])) return []
  const nodes = values.map((value) =>
    Object.assign(document.createNode(value, { flow: true }), { comment: ` seen in ${seen}` }),
  )
  document.setIn(['needs', need], nodes.length === 1 ? nodes[0] : document.createNode(nodes))
  return [`needs.${need}: seen in ${seen}`]
}

/** Lines about the target, its tokens, each open question, and each entry that differs from the command line. */
function findingLines(findings: Findings, existing: Config | undefined) {
  const { facts } = findings
  const before = existing?.target.baseUrl ?? findings.baseUrl
  const isOther = before.replace(/\/$/, '') !== findings.baseUrl.replace(/\/$/, '')
  return [
    `ok       ${printable(facts.target)}`,
    ...facts.tokens.map(
      ({ token, login, state }) =>
        `${state.padEnd(8)} ${token}${login ? ` belongs to ${login}` : ''}`,
    ),
    ...[...facts.notes, ...openQuestions(findings, existing)].map(
      (note) => `note     ${printable(note)}`,
    ),
    ...(isOther
      ? [
          `kept     ${printable(`target.baseUrl: ${before} (the examined API is at ${findings.baseUrl})`)}`,
        ]
      : []),
  ]
}

/** The questions that neither the target nor the configuration answered, each with the next step. */
function* openQuestions(
  { quota, logins }: Findings,
  existing: Config | undefined,
): Generator<string> {
  const known = existing?.tokens.map(({ role }) => role) ?? []
  for (const role of roles) {
    if (process.env[labelOf(role)] && logins[role] === undefined && !known.includes(role))
      yield `the target does not name the user of ${labelOf(role)}: no entry was added; add --login ${role}=LOGIN`
  }
  if (!quota && !existing?.target.rateLimit)
    yield 'the remaining rate limit was not found at GET /rate_limit: target.rateLimit stays open'
}

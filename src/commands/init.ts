import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Command, InvalidArgumentError } from '@commander-js/extra-typings'
import type { Document } from 'yaml'
import type { Config, TokenConfig } from '../config/config.ts'
import { defaults } from '../config/defaults.ts'
import { loadConfig } from '../config/load.ts'
import { appendTo, changedYaml } from '../config/yaml-file.ts'
import type { Survey } from '../doctor/survey.ts'
import { packageRoot } from '../package/root.ts'
import type { PreflightRecord } from '../record/preflight-record.ts'
import { type ProgressStream, withStatus } from '../report/terminal/progress.ts'
import { configArgument, defaultConfigFile } from '../report/view/subject.ts'
import { allChecks } from '../run/selection/selection.ts'
import { type Role, roles } from '../spec/needs.ts'
import type { Suite } from '../suite/check.ts'
import { UsageError } from '../text/errors.ts'
import { printable } from '../text/format.ts'
import { wrapped } from '../text/table.ts'
import { type CommandContext, example, type OptionsOf, oneOf, repeated } from './common/command.ts'
import { checkedUrl } from './common/target.ts'

/** `init`: a starter configuration. */
export function define(command: Command, { suites, print, progress }: CommandContext) {
  return command
    .option('--base-url <url>', 'the target (a terminal asks for it when absent)')
    .option('--provider <url>', 'the provider of test data, a module or URL')
    .addOption(repeated('--login <role=login>', 'the login of the user of a role (repeatable)', loginOf))
    .option('--config <file>', 'the file to write (default: conformance.config.yaml)')
    .option('--force', 'replace a file that exists (default: add the missing entries)')
    .addHelpText('after', example('OWNER_TOKEN=… service-conformance init --base-url http://localhost:3000 --login owner=mona'))
    .action(async (options) => {
      print(await initCommand(options, await suites(), progress))
    })
}

type InitOptions = OptionsOf<typeof define>

function loginOf(text: string): { role: Role; login: string } {
  const [role = '', login = ''] = text.split('=')
  if (login === '') throw new InvalidArgumentError('role=login is accepted, such as owner=mona')
  return { role: oneOf(roles)(role), login }
}

/** The logins of the roles, as far as they are known. */
type Logins = Readonly<Partial<Record<Role, string>>>

/** The facts about a target, for a configuration that may contain them already. */
type Findings = Awaited<ReturnType<typeof examine>>

/** Writes a commented configuration for a target, or extends one. Throws {@link UsageError} for one that cannot be judged. */
export async function initCommand(options: InitOptions, suites: readonly Suite[], progress?: ProgressStream): Promise<string> {
  const file = options.config ?? defaultConfigFile
  checkWritable(file)
  const existing = existsSync(file) && !options.force ? loadConfig(file) : undefined
  const findings = await examine(options, file, existing, suites, progress)
  const added: string[] = []
  const before = existing ? readFileSync(file, 'utf8') : starter(findings.survey)
  const text = changedYaml(file, before, (document) => added.push(...addFindings(document, findings)))
  const lines = findingLines(findings, existing)
  if (added.length > 0) writeFileSync(file, text)
  if (existing) lines.push(...added.map((entry) => `added    ${entry}`))
  const extended =
    added.length > 0 ? 'is extended, and its former entries are kept' : 'already says all that was found out, and was not changed'
  const named = configArgument(file)
  const next = `"npx service-conformance doctor${named}" says what to add, "npx service-conformance run${named}" judges.`
  return wrapped([...lines, `${file} ${existing ? extended : 'is written'}; ${next}`, ''].join('\n'))
}

/** Throws {@link UsageError} before any question for a file that cannot be written. */
function checkWritable(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--config "${file}": it is a folder; a file is accepted`)
  try {
    accessSync(existsSync(file) ? file : dirname(resolve(file)), constants.W_OK)
  } catch {
    const reason = 'the folder is missing or this user may not write there; --config names another file'
    throw new UsageError(`${file} cannot be written: ${reason}`)
  }
}

/** Asks the target and its provider. Throws {@link UsageError} without a target, and for one that cannot be judged. */
async function examine(
  options: InitOptions,
  file: string,
  existing: Config | undefined,
  suites: readonly Suite[],
  progress?: ProgressStream,
) {
  const { baseUrl, provider } = await addressesOf(options, existing)
  if (!baseUrl) throw new UsageError('--base-url is needed: where does the target listen? (such as http://localhost:3000)')
  if (options.baseUrl !== undefined) checkedUrl(options.baseUrl)
  const declared: Logins = Object.fromEntries((options.login ?? []).map(({ role, login }) => [role, login]))
  const config = existing ?? structuredClone(defaults)
  const known = config.tokens.map(({ role }) => role)
  const tokens = [...config.tokens, ...tokensFromEnvironment(declared).filter(({ role }) => !known.includes(role))]
  const target = { ...config, target: { ...config.target, baseUrl }, tokens, ...(provider === undefined ? {} : { provider }) }
  const [{ preflight }, { survey }] = await Promise.all([import('../doctor/preflight.ts'), import('../doctor/survey.ts')])
  return withStatus(progress, async (tell) => {
    tell('examining the target and its tokens')
    const { facts, obstacle } = await preflight(target, allChecks(suites))
    if (obstacle) throw new UsageError(`${obstacle.sentence}. ${file} was not ${existing ? 'changed' : 'written'}`)
    tell('looking for logins, the rate limit and a public repository')
    const found = await survey(target, roles)
    return { baseUrl, provider, survey: found, facts, logins: { ...found.logins, ...loginsIn(facts), ...declared } }
  })
}

/** The target and the provider of the command line, of the existing configuration, or of the user at a terminal. */
async function addressesOf({ provider, ...options }: InitOptions, existing: Config | undefined) {
  const { baseUrl = existing?.target.baseUrl } = options
  if (baseUrl !== undefined || !process.stdin.isTTY) return { baseUrl, provider }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const address = await terminal.question('Base URL of the target: ')
    const other = provider ?? (await terminal.question('URL of its provider of test data (empty for none): ')).trim()
    return { baseUrl: address.trim(), provider: other || undefined }
  } finally {
    terminal.close()
  }
}

/** The tokens of the variables that are set, so that the target can name their users. */
function tokensFromEnvironment(declared: Logins): TokenConfig[] {
  return roles.flatMap((role) => {
    const variable = variableOf(role)
    const secret = process.env[variable]
    const login = declared[role]
    return secret ? [{ role, kind: 'classic', secret, variable, ...(login === undefined ? {} : { login }) }] : []
  })
}

function variableOf(role: Role): string {
  return `${role.toUpperCase().replaceAll('-', '_')}_TOKEN`
}

/** The logins that contain no variable, because a target could make the configuration read one. */
function loginsIn({ tokens }: PreflightRecord): Logins {
  const isPlain = (login = '') => /^[A-Za-z][\w.-]*$/.test(login)
  return Object.fromEntries(tokens.flatMap(({ role, login }) => (role && isPlain(login) ? [[role, login]] : [])))
}

/** Adds the missing entries to a configuration, and returns a line for each. Existing entries are not changed. */
function addFindings(document: Document, { baseUrl, provider, survey, logins }: Findings): string[] {
  const quotaProbe = { path: '/rate_limit', pointer: '/resources/core/remaining', counts: 'down' }
  const added: string[] = []
  const add = (path: string[], value: unknown, line: string) => {
    document.setIn(path, document.createNode(value, { flow: true }))
    added.push(line)
  }
  const isNamed = ['baseUrl', 'reference', 'dialect'].some((key) => document.hasIn(['target', key]))
  if (!isNamed) add(['target', 'baseUrl'], baseUrl, `target.baseUrl: ${baseUrl}`)
  if (survey.quota && !document.hasIn(['target', 'rateLimit']))
    add(['target', 'rateLimit'], quotaProbe, 'target.rateLimit: the remaining rate limit is at GET /rate_limit')
  const { tokens = [] } = (document.toJS() ?? {}) as { tokens?: { role?: string }[] }
  for (const role of roles) {
    const [variable, login] = [variableOf(role), logins[role]]
    if (!process.env[variable] || login === undefined || tokens.some((token) => token.role === role)) continue
    appendTo(document, 'tokens', { role, kind: 'classic', login, secret: `\${${variable}}` })
    added.push(`tokens: ${role}, the login is ${login}`)
  }
  if (provider !== undefined && !document.has('provider')) add(['provider'], provider, `provider: ${provider}`)
  return added
}

/** A line for each version and token of the target, for each open question, and for each entry that differs from the command line. */
function findingLines(findings: Findings, existing: Config | undefined): string[] {
  const { survey, facts } = findings
  return [
    ...survey.versions.map(({ what, state, says }) => `${state.padEnd(8)} ${what}: ${says}`),
    ...facts.tokens.map(
      ({ token, login, state }) => `${state.padEnd(8)} ${token}${login === undefined ? '' : ` belongs to ${login}`}`,
    ),
    ...[...facts.notes, ...openQuestions(findings, existing)].map((note) => `note     ${printable(note)}`),
    ...differences(findings, existing).map((note) => `kept     ${printable(note)}`),
  ]
}

/** The questions that neither the target nor the configuration answered, each with the next step. */
function* openQuestions({ survey, logins }: Findings, existing: Config | undefined): Generator<string> {
  const known = existing?.tokens.map(({ role }) => role) ?? []
  for (const role of roles)
    if (process.env[variableOf(role)] && logins[role] === undefined && !known.includes(role))
      yield `the target does not name the user of ${variableOf(role)}: no entry was added; add --login ${role}=LOGIN`
  if (!survey.quota && !existing?.target.rateLimit)
    yield 'the remaining rate limit was not found at GET /rate_limit: target.rateLimit stays open'
  if (!survey.publicRepository && existing?.needs['public-repository'] === undefined)
    yield 'the public feed names no repository: needs.public-repository stays open'
}

/** The entries of an existing configuration that differ from the command line; they are not changed. */
function differences({ baseUrl, provider }: Findings, existing: Config | undefined): string[] {
  const { target, provider: other } = existing ?? {}
  const same = (url = baseUrl) => url.replace(/\/$/, '')
  return [
    ...(same(target?.baseUrl) === same() ? [] : [`target.baseUrl: ${target?.baseUrl} (--base-url is ${baseUrl})`]),
    ...([undefined, provider, resolve(provider ?? '')].includes(other) || !provider
      ? []
      : [`provider: ${other} (--provider is ${provider})`]),
  ]
}

/** A new configuration before the findings are added. */
function starter({ publicRepository }: Survey): string {
  const text = readFileSync(join(packageRoot, 'src/commands/starter.config.yaml'), 'utf8')
  if (publicRepository === undefined) return text
  return text.replace('owner: octo-org, repo: hello', () => `owner: ${publicRepository.owner}, repo: ${publicRepository.repo}`)
}

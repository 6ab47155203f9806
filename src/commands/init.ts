import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Command, InvalidArgumentError } from '@commander-js/extra-typings'
import type { Document } from 'yaml'
import type { Config, ReachableConfig, TokenConfig } from '../config/config.ts'
import { defaults } from '../config/defaults.ts'
import { loadConfig } from '../config/load.ts'
import { appendTo, changedYaml } from '../config/yaml-file.ts'
import type { Survey } from '../doctor/survey.ts'
import type { PreflightRecord } from '../record/preflight-record.ts'
import { configArgument, defaultConfigFile } from '../report/view/subject.ts'
import { allChecks, select } from '../run/selection/selection.ts'
import { type Role, roles } from '../spec/needs.ts'
import type { Suite } from '../suite/check.ts'
import { groupBy } from '../text/data.ts'
import { UsageError } from '../text/errors.ts'
import { printable } from '../text/format.ts'
import { wrapped } from '../text/table.ts'
import type { CommandContext } from './common/context.ts'
import { example, oneOf, repeated } from './common/options.ts'
import { checkedUrl } from './common/target.ts'

/** `init`: a starter configuration. */
export function define(command: Command, { suites, print }: CommandContext): void {
  command
    .option('--base-url <url>', 'the target (a terminal asks for it when absent)')
    .option('--provider <url>', 'the provider of test data, a module or URL')
    .addOption(repeated('--login <role=login>', 'the login of the user of a role (repeatable)', loginOf))
    .option('--config <file>', 'the file to write (default: conformance.config.yaml)')
    .option('--force', 'replace a file that exists (default: add the missing entries)')
    .addHelpText('after', example('OWNER_TOKEN=… service-conformance init --base-url http://localhost:3000 --login owner=mona'))
    .action(async (options) => print(await initCommand(options, await suites())))
}

function loginOf(text: string): { role: Role; login: string } {
  const [role = '', login = ''] = text.split('=')
  if (login === '') throw new InvalidArgumentError('role=login is accepted, such as owner=mona')
  return { role: oneOf(roles)(role), login }
}

/** The options of `init`. */
export interface InitOptions {
  baseUrl?: string | undefined
  provider?: string | undefined
  config?: string | undefined
  login?: { role: Role; login: string }[] | undefined
  force?: boolean | undefined
}

/** The logins of the roles, as far as they are known. */
type Logins = Readonly<Partial<Record<Role, string>>>

/** The target and the provider, as far as the user named them. */
interface Addresses {
  readonly baseUrl: string | undefined
  readonly provider: string | undefined
}

/** The facts about a target, for a configuration that may contain them already. */
interface Findings extends Addresses {
  readonly baseUrl: string
  readonly survey: Survey
  readonly facts: PreflightRecord
  readonly logins: Logins
}

/**
 * Examines the target and writes a commented configuration that loads, or adds the missing entries to a file that exists. Throws
 * {@link UsageError}, also for a target that cannot be judged: nothing is written then.
 */
export async function initCommand(options: InitOptions, suites: readonly Suite[]): Promise<string> {
  const file = options.config ?? defaultConfigFile
  checkWritable(file)
  const existing = existsSync(file) && !options.force ? loadConfig(file) : undefined
  const findings = await examine(options, file, existing, suites)
  const added: string[] = []
  const before = existing ? readFileSync(file, 'utf8') : template(findings.survey)
  const text = changedYaml(file, before, (document) => added.push(...addFindings(document, findings)))
  const lines = findingLines(findings, existing)
  if (added.length === 0) return conclusion(lines, `${file} already says all that was found out, and was not changed`, file)
  writeFileSync(file, text)
  const reached = await reachedShare(loadConfig(file), findings.baseUrl, suites)
  if (existing) {
    const notes = [...added.map((entry) => `added    ${entry}`), ...limitNotes(existing, reached)]
    return conclusion([...lines, ...notes], `${file} is extended, and its former entries are kept`, file)
  }
  return conclusion([...lines, ...limitNotes(defaults, reached)], `${file} is written`, file)
}

/** The lines with a conclusion and the next commands, which must name any file other than the default one. */
function conclusion(lines: readonly string[], sentence: string, file: string): string {
  const named = configArgument(file)
  const next = `"npx service-conformance doctor${named}" says what to add, "npx service-conformance run${named}" judges.`
  return wrapped([...lines, `${sentence}; ${next}`, ''].join('\n'))
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
): Promise<Findings> {
  const { baseUrl, provider } = await addressesOf(options, existing)
  if (!baseUrl) throw new UsageError('--base-url is needed: where does the target listen? (such as http://localhost:3000)')
  if (options.baseUrl !== undefined) checkedUrl(options.baseUrl)
  const declared: Logins = Object.fromEntries((options.login ?? []).map(({ role, login }) => [role, login]))
  const config = existing ?? structuredClone(defaults)
  const known = config.tokens.map(({ role }) => role)
  const tokens = [...config.tokens, ...tokensFromEnvironment(declared).filter(({ role }) => !known.includes(role))]
  const target = { ...config, target: { ...config.target, baseUrl }, tokens, ...(provider === undefined ? {} : { provider }) }
  const [{ preflight }, { survey }] = await Promise.all([import('../doctor/preflight.ts'), import('../doctor/survey.ts')])
  const { facts, obstacle } = await preflight(target, allChecks(suites))
  if (obstacle) throw new UsageError(`${obstacle.sentence}. ${file} was not ${existing ? 'changed' : 'written'}`)
  const found = await survey(target, roles)
  return { baseUrl, provider, survey: found, facts, logins: { ...found.logins, ...loginsIn(facts), ...declared } }
}

/** The addresses of the command line, of the existing configuration, or of the user at a terminal. */
async function addressesOf(options: InitOptions, existing: Config | undefined): Promise<Addresses> {
  const { baseUrl = existing?.target.baseUrl, provider } = options
  if (baseUrl !== undefined || !process.stdin.isTTY) return { baseUrl, provider }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const address = await terminal.question('Base URL of the target: ')
    const other = provider ?? (await terminal.question('URL of its provider of test data (empty for none): ')).trim()
    return { baseUrl: address.trim(), provider: other === '' ? undefined : other }
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
    return secret ? [{ role, kind: 'classic' as const, secret, variable, ...(login === undefined ? {} : { login }) }] : []
  })
}

/** The environment variable of a role's token. */
function variableOf(role: Role): string {
  return `${role.toUpperCase().replaceAll('-', '_')}_TOKEN`
}

function loginsIn({ tokens }: PreflightRecord): Logins {
  return Object.fromEntries(tokens.flatMap(({ role, login }) => (role && login && isPlain(login) ? [[role, login]] : [])))
}

/** True for a login that contains no variable, because a target could make the configuration read one. */
function isPlain(login: string): boolean {
  return /^[A-Za-z][\w.-]*$/.test(login)
}

const quotaProbe = { path: '/rate_limit', pointer: '/resources/core/remaining', counts: 'down' }

/** Adds the missing entries to a configuration, and returns a line for each. Existing entries are not changed. */
function addFindings(document: Document, { baseUrl, provider, survey, logins }: Findings): string[] {
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
function openQuestions({ survey, logins }: Findings, existing: Config | undefined): string[] {
  const known = existing?.tokens.map(({ role }) => role) ?? []
  const nameless = roles.filter((role) => process.env[variableOf(role)] && logins[role] === undefined && !known.includes(role))
  return [
    ...nameless.map(
      (role) => `the target does not name the user of ${variableOf(role)}: no entry was added; add --login ${role}=LOGIN`,
    ),
    ...(survey.quota || existing?.target.rateLimit
      ? []
      : ['the remaining rate limit was not found at GET /rate_limit: target.rateLimit stays open']),
    ...(survey.publicRepository || existing?.needs['public-repository'] !== undefined
      ? []
      : ['the public feed names no repository: needs.public-repository stays open']),
  ]
}

/** The entries of an existing configuration that differ from the command line; they are not changed. */
function differences({ baseUrl, provider }: Addresses, existing: Config | undefined): string[] {
  const stated = existing?.target.baseUrl
  const other = existing?.provider
  const isOtherTarget = stated !== undefined && stated.replace(/\/$/, '') !== baseUrl?.replace(/\/$/, '')
  const isOtherProvider = other !== undefined && provider !== undefined && other !== resolve(provider) && other !== provider
  return [
    ...(isOtherTarget ? [`target.baseUrl: ${stated} (--base-url is ${baseUrl})`] : []),
    ...(isOtherProvider ? [`provider: ${other} (--provider is ${provider})`] : []),
  ]
}

/** A note where the gate requires more than the configuration reaches, or less than it could require. */
function limitNotes({ gate: { minJudged } }: Config, reached: number): string[] {
  const limit = `gate.minJudged is ${minJudged}%, and this configuration reaches ${reached}% now`
  if (reached < minJudged) return [`note     ${limit}: a run is inconclusive until it has more tokens and test data`]
  const isLow = minJudged < Math.min(reached, defaults.gate.minJudged)
  return isLow ? [`note     ${limit}`] : []
}

/** The most reads of each version that examine the data of the target. */
const reads = 500

/** The share of must checks that a configuration certainly reaches in its worst version, or across versions. Percent. */
async function reachedShare({ target, ...config }: Config, baseUrl: string, suites: readonly Suite[]): Promise<number> {
  const { dryRun } = await import('../doctor/dry-run.ts')
  const reachable: ReachableConfig = { ...config, target: { ...target, baseUrl } }
  const provider = { ask: async () => ({ unsupported: '' }), release: async () => {} }
  const providing = config.provider === undefined ? {} : { provider, unasked: true }
  const checks = await dryRun(reachable, select(suites, { areas: config.areas }), { providing, reads })
  const applicable = checks.filter(({ level, state }) => level === 'must' && state !== 'inapplicable')
  const shares = [...groupBy(applicable, ({ lane }) => lane).values()].map((own) => {
    const certain = own.filter(({ state, doubtful }) => state === 'judged' && !doubtful)
    return Math.floor((certain.length * 100) / own.length)
  })
  return Math.min(...shares)
}

const purposes: Readonly<Record<Role, string>> = {
  owner: 'the owner of the feeds, the inbox and the migrations that are judged',
  'org-owner': 'owns an organisation that the owner is a member of',
  member: 'a member of that organisation',
  outsider: 'unrelated to all objects of the owner',
  'inbox-user': 'has an inbox that may be emptied',
  restricted: 'blocked by trade controls',
}

/** A new configuration before the findings are added. */
function template({ publicRepository = { owner: 'octo-org', repo: 'hello' } }: Survey): string {
  const token = (role: Role) =>
    `#   - { role: ${role}, kind: classic, login: LOGIN, secret: "\${${variableOf(role)}}" } # ${purposes[role]}`
  return [
    '# yaml-language-server: $schema=./node_modules/service-conformance/dist/schemas/config.schema.json',
    '# ${NAME} is replaced from the environment; an unset variable is an error that names it.',
    '#',
    '# A path that the document does not state; its checks are untested without it:',
    '# target: { paths: { downloadArchive: "/user/migrations/{migration_id}/archive" } }',
    '#',
    '# The tokens of the callers. A classic token may state its scopes: scopes: [notifications, repo].',
    '# tokens:',
    ...roles.map(token),
    '#',
    '# Existing test data ("service-conformance list needs" lists every name), and the provider of test data: a module or an http(s) URL.',
    `# needs: { public-repository: { owner: ${publicRepository.owner}, repo: ${publicRepository.repo} } }`,
    '# provider: ./provider.mjs',
    '#',
    '# limits: { concurrency: 8, requestsPerSecond: 50, timeoutSeconds: 10 }',
    '# A version with a smaller share of judged must checks than gate.minJudged is inconclusive.',
    '',
    'versions: ["2022-11-28", "2026-03-10"]',
    'areas: [events, notifications, migrations, permissions, versioning]',
    'report: { directory: reports, formats: [json, junit, html, markdown] }',
    '',
  ].join('\n')
}

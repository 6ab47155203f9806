import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Config, ReachableConfig, TokenConfig } from '../../config/config.ts'
import { defaults } from '../../config/defaults.ts'
import { loadConfig } from '../../config/load.ts'
import { dryRun } from '../../doctor/dry-run.ts'
import { preflight } from '../../doctor/preflight.ts'
import { type Survey, survey } from '../../doctor/survey.ts'
import type { PreflightRecord } from '../../record/preflight-record.ts'
import { configArgument } from '../../report/view/subject.ts'
import { allChecks, select } from '../../run/selection/selection.ts'
import { type Role, roles } from '../../spec/needs.ts'
import type { Suite } from '../../suite/check.ts'
import { groupBy } from '../../text/data.ts'
import { UsageError } from '../../text/errors.ts'
import { printable } from '../../text/format.ts'
import { type Additions, extended } from './init-extension.ts'
import { checkedUrl, defaultConfigFile } from './target.ts'

/** The options of `init`. */
export interface InitOptions {
  baseUrl?: string | undefined
  provider?: string | undefined
  config?: string | undefined
  login?: { role: Role; login: string }[] | undefined
  force?: boolean | undefined
}

/**
 * Asks the target, and the person on a terminal, and writes a commented configuration that loads; a file that exists is added to.
 * Throws {@link UsageError}, also where the target cannot be judged: nothing is written then.
 */
export async function initCommand(options: InitOptions, suites: readonly Suite[]): Promise<string> {
  const file = options.config ?? defaultConfigFile
  checkWritable(file)
  const before = existsSync(file) && !options.force ? readFileSync(file, 'utf8') : undefined
  const existing = before === undefined ? undefined : loadConfig(file)
  const answers = await ask(options, existing)
  if (!answers.baseUrl)
    throw new UsageError('--base-url is needed: where does the target listen? (such as http://localhost:3000)')
  const baseUrl = options.baseUrl === undefined ? answers.baseUrl : checkedUrl(options.baseUrl)
  const declared = Object.fromEntries((options.login ?? []).map(({ role, login }) => [role, login]))
  const target = targetOf(existing ?? structuredClone(defaults), baseUrl, answers.provider, declared)
  const { facts, obstacle } = await preflight(target, allChecks(suites))
  if (obstacle) throw new UsageError(`${obstacle.sentence}. ${file} was not ${before === undefined ? 'written' : 'changed'}`)
  const seen = await survey(target, roles)
  const logins = { ...seen.logins, ...loginsIn(facts), ...declared }
  if (before !== undefined) {
    const { text, added } = extended(file, before, additions(seen, logins, answers))
    if (added.length > 0) writeFileSync(file, text)
    const limit = added.length > 0 ? await limitNote(file, baseUrl, suites) : []
    const found = findings(seen, facts, logins, existing)
    const kept = differences(existing, answers).map((note) => `kept     ${printable(note)}`)
    return [...found, ...kept, ...added.map((what) => `added    ${what}`), ...limit, extendedLine(file, added), ''].join('\n')
  }
  const written = configuration(answers.baseUrl, answers.provider, seen, logins)
  writeFileSync(file, written)
  const { target: loaded, ...config } = loadConfig(file)
  const reachable = { ...config, target: { ...loaded, baseUrl: answers.baseUrl } }
  writeFileSync(file, withLimit(written, await share(reachable, suites)))
  return [...findings(seen, facts, logins), `${file} is written; ${nextSteps(file)}`, ''].join('\n')
}

/** Throws {@link UsageError} before anything is asked where the file could not be written. */
function checkWritable(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--config "${file}": it is a folder; a file is accepted`)
  try {
    accessSync(existsSync(file) ? file : dirname(resolve(file)), constants.W_OK)
  } catch {
    throw new UsageError(
      `${file} cannot be written: the folder is missing or this user may not write there; --config names another file`,
    )
  }
}

/** The commands that go on; a file with another name than the usual one is not found by itself. */
function nextSteps(file: string): string {
  const named = configArgument(file)
  return `"npx service-conformance doctor${named}" says what to add, "npx service-conformance run${named}" judges.`
}

function extendedLine(file: string, added: readonly string[]): string {
  return added.length === 0
    ? `${file} already says all that was found out, and was not changed; ${nextSteps(file)}`
    : `${file} is extended, and what it said is kept; ${nextSteps(file)}`
}

/** What is asked: the target of an existing configuration or a bare one, with every token whose variable is set. */
function targetOf(
  config: Config,
  baseUrl: string,
  provider: string | undefined,
  declared: Partial<Record<Role, string>>,
): ReachableConfig {
  const known = config.tokens.map(({ role }) => role)
  const tokens = tokensFromEnvironment(declared).filter(({ role }) => !known.includes(role))
  return { ...config, target: { ...config.target, baseUrl }, tokens: [...config.tokens, ...tokens], ...provided(provider) }
}

/** What was found out and a configuration may lack. */
function additions({ quota, dialect }: Survey, logins: Partial<Record<Role, string>>, { baseUrl, provider }: Answers): Additions {
  const tokens = roles.flatMap((role) => {
    const login = logins[role]
    const variable = variableOf(role)
    return process.env[variable] && login !== undefined
      ? [{ role, kind: 'classic' as const, login, secret: `\${${variable}}` }]
      : []
  })
  return { baseUrl, tokens, quota, dialect, ...provided(provider) }
}

/** What was found out about the target: a line for each version and token, and what stays open. */
function findings(
  seen: Survey,
  { tokens, notes }: PreflightRecord,
  logins: Partial<Record<Role, string>>,
  existing?: Config,
): string[] {
  return [
    ...seen.versions.map(({ what, state, says }) => `${state.padEnd(8)} ${what}: ${says}`),
    ...tokens.map(({ token, login, state }) => `${state.padEnd(8)} ${token}${login === undefined ? '' : ` belongs to ${login}`}`),
    ...[...notes, ...openQuestions(seen, logins, existing)].map((note) => `note     ${printable(note)}`),
  ]
}

/** The tokens whose variables are set, so that the target can be asked whose they are. */
function tokensFromEnvironment(declared: Partial<Record<Role, string>>): TokenConfig[] {
  return roles.flatMap((role) => {
    const variable = variableOf(role)
    const secret = process.env[variable]
    const login = declared[role]
    return secret ? [{ role, kind: 'classic' as const, secret, variable, ...(login === undefined ? {} : { login }) }] : []
  })
}

function loginsIn({ tokens }: PreflightRecord): Partial<Record<Role, string>> {
  return Object.fromEntries(tokens.flatMap(({ role, login }) => (role && login && isPlain(login) ? [[role, login]] : [])))
}

/** A login that is a plain word in YAML. */
function isPlain(login: string): boolean {
  return /^[A-Za-z][\w.-]*$/.test(login)
}

/** What an existing configuration says otherwise than the command line: it is not changed. */
function differences(existing: Config | undefined, { baseUrl, provider }: Answers): string[] {
  const stated = existing?.target.baseUrl
  const other = existing?.provider
  return [
    ...(stated === undefined || baseUrl === undefined || stated.replace(/\/$/, '') === baseUrl.replace(/\/$/, '')
      ? []
      : [`target.baseUrl: ${stated} (--base-url is ${baseUrl})`]),
    ...(other === undefined || provider === undefined || other === resolve(provider) || other === provider
      ? []
      : [`provider: ${other} (--provider is ${provider})`]),
  ]
}

/** What could not be found out and the configuration does not say either, each with what to do. */
function openQuestions(
  { quota, publicRepository, dialect }: Survey,
  logins: Partial<Record<Role, string>>,
  existing: Config | undefined,
): string[] {
  const known = existing?.tokens.map(({ role }) => role) ?? []
  const nameless = roles.filter((role) => process.env[variableOf(role)] && logins[role] === undefined && !known.includes(role))
  const next = existing ? 'no entry was added' : 'its entry is commented out'
  return [
    ...nameless.map((role) => `the target does not say whose ${variableOf(role)} is: ${next}; add --login ${role}=LOGIN`),
    ...(dialect.length > 0 ? [`the target seems to use words of its own; lines for a dialect file: ${dialect.join('; ')}`] : []),
    ...(quota || existing?.target.rateLimit
      ? []
      : ['the remaining rate limit was not found at GET /rate_limit: target.rateLimit stays open']),
    ...(publicRepository || existing?.needs['public-repository'] !== undefined
      ? []
      : ['the public feed names no repository: needs.public-repository stays open']),
  ]
}

/** Says that a configuration now reaches more than the limit that it states: what it loses again would go unnoticed. */
async function limitNote(file: string, baseUrl: string, suites: readonly Suite[]): Promise<string[]> {
  const config = loadConfig(file)
  const reached = await share({ ...config, target: { ...config.target, baseUrl } }, suites)
  const { minJudged } = config.gate
  return minJudged < Math.min(reached, defaults.gate.minJudged)
    ? [`note     gate.minJudged is ${minJudged}%, and this configuration reaches ${reached}% now`]
    : []
}

/** Reads that each version may send to find out what the target's data leaves open. */
const reads = 500

/** The share of must checks that a configuration reaches for sure in its worst version, or across versions. Percent. */
async function share(config: ReachableConfig, suites: readonly Suite[]): Promise<number> {
  const providing =
    config.provider === undefined
      ? {}
      : { provider: { ask: async () => ({ unsupported: '' }), release: async () => {} }, unasked: true }
  const checks = (await dryRun(config, select(suites, { areas: config.areas }), { providing, reads })).filter(
    ({ level, state }) => level === 'must' && state !== 'inapplicable',
  )
  const shares = [...groupBy(checks, ({ lane }) => lane).values()].map((own) =>
    Math.floor((own.filter(({ state, doubtful }) => state === 'judged' && !doubtful).length * 100) / own.length),
  )
  return Math.min(...shares)
}

/** The text with the limit that its configuration reaches; the default where it reaches that. */
function withLimit(text: string, reached: number): string {
  const limit = Math.min(reached, defaults.gate.minJudged)
  return text.replace(
    '# gate: {}',
    `# A version of which less is judged (must checks) is inconclusive; this configuration reaches ${reached}%.\ngate: { minJudged: ${limit}% }`,
  )
}

function provided(provider: string | undefined): { provider?: string } {
  return provider === undefined ? {} : { provider }
}

interface Answers {
  readonly baseUrl?: string
  readonly provider?: string
}

/** What neither the command line nor an existing configuration says is asked for on a terminal. */
async function ask({ baseUrl: given, provider }: InitOptions, existing: Config | undefined): Promise<Answers> {
  const baseUrl = given ?? existing?.target.baseUrl
  if (baseUrl !== undefined || !process.stdin.isTTY)
    return { ...(baseUrl === undefined ? {} : { baseUrl }), ...provided(provider) }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const address = await terminal.question('Base URL of the target: ')
    const needs = provider ?? (await terminal.question('URL of its provider of test data (empty for none): '))
    return { baseUrl: address.trim(), ...provided(needs.trim() === '' ? undefined : needs.trim()) }
  } finally {
    terminal.close()
  }
}

/** The environment variable that holds a role's token. */
function variableOf(role: Role): string {
  return `${role.toUpperCase().replaceAll('-', '_')}_TOKEN`
}

const purposes: Readonly<Record<Role, string>> = {
  owner: 'whose feeds, inbox and migrations are judged',
  'org-owner': 'owns an organisation that the owner is a member of',
  member: 'a member of that organisation',
  outsider: 'unrelated to everything of the owner',
  'inbox-user': 'has an inbox that may be emptied',
  restricted: 'blocked by trade controls',
}

function configuration(
  baseUrl: string,
  provider: string | undefined,
  seen: Survey,
  logins: Partial<Record<Role, string>>,
): string {
  const repository = seen.publicRepository ?? { owner: 'octo-org', repo: 'hello' }
  return [
    '# yaml-language-server: $schema=./node_modules/service-conformance/dist/schemas/config.schema.json',
    '# The target. ${NAME} is replaced from the environment; an unset one is an error that names it.',
    'target:',
    `  baseUrl: ${JSON.stringify(baseUrl)}`,
    '  # Paths that the document does not state; without them their checks are untested.',
    '  # paths: { downloadArchive: "/user/migrations/{migration_id}/archive" }',
    ...(seen.quota
      ? [
          '  # Where the remaining rate limit can be read, to check that a 304 is not counted.',
          '  rateLimit: { path: /rate_limit, pointer: /resources/core/remaining, counts: down }',
        ]
      : ['  # rateLimit: { path: /rate_limit, pointer: /resources/core/remaining, counts: down }']),
    ...dialectLines(seen.dialect),
    ...seen.versions.map(({ what, says }) => `# ${what}: ${says.replace(/\s+/g, ' ')}`),
    'versions: ["2022-11-28", "2026-03-10"]',
    'areas: [events, notifications, migrations, permissions, versioning]',
    '',
    '# The callers. A token is active if its variable was set and its login known when this file was written.',
    '# A classic token may state its scopes: scopes: [notifications, repo].',
    ...tokenLines(logins),
    '',
    '# Existing test data; "service-conformance list needs" shows every name.',
    '# needs:',
    `#   public-repository: { owner: ${repository.owner}, repo: ${repository.repo} }`,
    '# The provider of test data: a module or an http(s) URL.',
    provider === undefined ? '# provider: ./provider.mjs' : `provider: ${JSON.stringify(provider)}`,
    '',
    '# limits: { concurrency: 8, requestsPerSecond: 50, timeoutSeconds: 10 }',
    '# gate: {}',
    'report: { directory: reports, formats: [json, junit, html, markdown] }',
    '',
  ].join('\n')
}

/** The dialect that the target's answers suggest, to be looked at before it is used. */
function dialectLines(lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  return [
    '  # The target seems to use words of its own. Write the lines that are right to ./dialect.yaml and name it here:',
    ...lines.map((line) => `  #   ${line}`),
    '  # dialect: ./dialect.yaml',
  ]
}

function tokenLines(logins: Partial<Record<Role, string>>): string[] {
  const isActive = (role: Role) => Boolean(process.env[variableOf(role)]) && logins[role] !== undefined
  const line = (role: Role) => {
    const text = `- { role: ${role}, kind: classic, login: ${logins[role] ?? 'LOGIN'}, secret: "\${${variableOf(role)}}" }`
    return `${isActive(role) ? '  ' : '  # '}${text} # ${purposes[role]}`
  }
  return [roles.some(isActive) ? 'tokens:' : '# tokens:', ...roles.map(line)]
}

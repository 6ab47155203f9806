import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { parseDocument } from 'yaml'
import type { ReachableConfig, TokenConfig } from '../../config/config.ts'
import { defaults } from '../../config/defaults.ts'
import { loadConfig } from '../../config/load.ts'
import { dryRun } from '../../doctor/dry-run.ts'
import { preflight } from '../../doctor/preflight.ts'
import { type Survey, survey } from '../../doctor/survey.ts'
import type { PreflightRecord } from '../../record/preflight.ts'
import { allChecks } from '../../run/selection.ts'
import { type Role, roles } from '../../spec/needs.ts'
import type { Suite } from '../../suite/check.ts'
import { printable } from '../../text/show.ts'
import { UsageError } from '../../text/usage-error.ts'
import { usualConfig } from './target.ts'

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
  const file = options.config ?? usualConfig
  const answers = await ask(options)
  if (!answers.baseUrl)
    throw new UsageError('--base-url is needed: where does the target listen? (such as http://localhost:3000)')
  const declared = Object.fromEntries((options.login ?? []).map(({ role, login }) => [role, login]))
  const target = {
    ...structuredClone(defaults),
    target: { paths: {}, baseUrl: answers.baseUrl },
    tokens: tokensFromEnvironment(declared),
    ...provided(answers.provider),
  }
  const { facts, obstacle } = await preflight(target, allChecks(suites))
  if (obstacle) throw new UsageError(`${obstacle.sentence}. ${file} was not written`)
  const seen = await survey(target, roles)
  const logins = { ...seen.logins, ...loginsIn(facts), ...declared }
  const before = existsSync(file) && !options.force ? readFileSync(file, 'utf8') : undefined
  const written =
    before === undefined ? configuration(answers.baseUrl, answers.provider, seen, logins) : addTokens(file, before, logins)
  writeFileSync(file, written)
  const { target: loaded, ...config } = loadConfig(file)
  const reachable = { ...config, target: { ...loaded, baseUrl: answers.baseUrl } }
  if (before === undefined) writeFileSync(file, withLimit(written, await share(reachable, suites)))
  return [
    ...findings(seen, facts, logins),
    `${file} is ${before === undefined ? 'written' : 'extended'}; "npx service-conformance doctor" says what to add, "npx service-conformance run" judges.`,
    '',
  ].join('\n')
}

/** What was found out about the target: a line for each version and token, and what stays open. */
function findings(seen: Survey, { tokens, notes }: PreflightRecord, logins: Partial<Record<Role, string>>): string[] {
  return [
    ...seen.versions.map(({ what, state, says }) => `${state.padEnd(8)} ${what}: ${says}`),
    ...tokens.map(({ token, login, state }) => `${state.padEnd(8)} ${token}${login === undefined ? '' : ` belongs to ${login}`}`),
    ...[...notes, ...openQuestions(seen, logins)].map((note) => `note     ${printable(note)}`),
  ]
}

/** The tokens whose variables are set, so that the target can be asked whose they are. */
function tokensFromEnvironment(declared: Partial<Record<Role, string>>): TokenConfig[] {
  return roles.flatMap((role) => {
    const secret = process.env[variableOf(role)]
    const login = declared[role]
    return secret ? [{ role, kind: 'classic' as const, secret, ...(login === undefined ? {} : { login }) }] : []
  })
}

function loginsIn({ tokens }: PreflightRecord): Partial<Record<Role, string>> {
  return Object.fromEntries(tokens.flatMap(({ role, login }) => (role && login && isPlain(login) ? [[role, login]] : [])))
}

/** A login that is a plain word in YAML. */
function isPlain(login: string): boolean {
  return /^[A-Za-z][\w.-]*$/.test(login)
}

/** What could not be found out, each with what to do. */
function openQuestions({ quota, publicRepository, dialect }: Survey, logins: Partial<Record<Role, string>>): string[] {
  const nameless = roles.filter((role) => process.env[variableOf(role)] && logins[role] === undefined)
  return [
    ...nameless.map(
      (role) => `the target does not say whose ${variableOf(role)} is: its entry is commented out; add --login ${role}=LOGIN`,
    ),
    ...(dialect.length > 0 ? [`the target seems to use words of its own; lines for a dialect file: ${dialect.join('; ')}`] : []),
    ...(quota ? [] : ['the remaining rate limit was not found at GET /rate_limit: target.rateLimit stays open']),
    ...(publicRepository ? [] : ['the public feed names no repository: needs.public-repository stays open']),
  ]
}

/** The share of must checks that a configuration reaches in its worst version. Percent. */
async function share(config: ReachableConfig, suites: readonly Suite[]): Promise<number> {
  const providing =
    config.provider === undefined
      ? {}
      : { provider: { ask: async () => ({ unsupported: '' }), release: async () => {} }, unasked: true }
  const checks = (await dryRun(config, allChecks(suites), { providing })).filter(
    ({ level, state }) => level === 'must' && state !== 'inapplicable',
  )
  const shares = config.versions.map((version) => {
    const own = checks.filter(({ lane }) => lane === version)
    return own.length === 0 ? 0 : Math.floor((own.filter(({ state }) => state === 'judged').length * 100) / own.length)
  })
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

/** An existing configuration with an entry for each token that it does not have yet; all else stays as it is. */
function addTokens(file: string, text: string, logins: Partial<Record<Role, string>>): string {
  const document = parseDocument(text)
  const problem = document.errors[0]
  if (problem) throw new UsageError(`${file} is not valid YAML: ${problem.message}`)
  const known = JSON.stringify((document.toJS() as { tokens?: unknown } | null)?.tokens ?? [])
  const added = roles.flatMap((role) => {
    const login = logins[role]
    const isNew = process.env[variableOf(role)] && login !== undefined && !known.includes(`"role":"${role}"`)
    return isNew ? [{ role, kind: 'classic', login, secret: `\${${variableOf(role)}}` }] : []
  })
  if (added.length === 0) return text
  // A new list goes to the end, so that not a byte of the rest changes.
  if (!document.has('tokens')) return `${text.trimEnd()}\ntokens:\n${added.map((token) => `  - ${flowOf(token)}\n`).join('')}`
  for (const token of added) document.addIn(['tokens'], document.createNode(token, { flow: true }))
  return document.toString({ lineWidth: 0 })
}

function flowOf({ role, kind, login, secret }: Record<'role' | 'kind' | 'login' | 'secret', string>): string {
  return `{ role: ${role}, kind: ${kind}, login: ${login}, secret: "${secret}" }`
}

function provided(provider: string | undefined): { provider?: string } {
  return provider === undefined ? {} : { provider }
}

/** What the command line left open is asked for on a terminal. */
async function ask({ baseUrl, provider }: InitOptions): Promise<{ baseUrl?: string; provider?: string }> {
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
    '# yaml-language-server: $schema=./node_modules/service-conformance/schemas/config.schema.json',
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

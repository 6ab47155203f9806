import { existsSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { defaults } from '../../config/defaults.ts'
import { loadConfig } from '../../config/load.ts'
import { type Survey, survey } from '../../doctor/survey.ts'
import { type Role, roles } from '../../spec/needs.ts'
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

/** Asks the target, and the person on a terminal, and writes a commented configuration that loads. Throws {@link UsageError}. */
export async function initCommand(options: InitOptions): Promise<string> {
  const file = options.config ?? usualConfig
  if (existsSync(file) && !options.force)
    throw new UsageError(`${file} exists already; --force overwrites it, --config names another`)
  const answers = await ask(options)
  if (!answers.baseUrl)
    throw new UsageError('--base-url is needed: where does the target listen? (such as http://localhost:3000)')
  const target = { ...structuredClone(defaults), target: { paths: {}, baseUrl: answers.baseUrl }, ...provided(answers.provider) }
  const seen = await survey(target, roles)
  const logins = { ...seen.logins, ...Object.fromEntries((options.login ?? []).map(({ role, login }) => [role, login])) }
  writeFileSync(file, configuration(answers.baseUrl, answers.provider, seen, logins))
  loadConfig(file)
  return [
    ...seen.versions.map(({ what, state, says }) => `${state.padEnd(8)} ${what}: ${says}`),
    `${file} is written; "service-conformance doctor" says what to add, "service-conformance run" judges.`,
    '',
  ].join('\n')
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
    ...seen.versions.map(({ what, says }) => `# ${what}: ${says.replace(/\s+/g, ' ')}`),
    'versions: ["2022-11-28", "2026-03-10"]',
    'areas: [events, notifications, migrations, permissions, versioning]',
    '',
    '# The callers. A token is active if its variable was set when this file was written.',
    ...tokenLines(logins),
    '',
    '# Existing test data; "service-conformance list needs" shows every name.',
    '# needs:',
    `#   public-repository: { owner: ${repository.owner}, repo: ${repository.repo} }`,
    '# The provider of test data: a module or an http(s) URL.',
    provider === undefined ? '# provider: ./provider.mjs' : `provider: ${JSON.stringify(provider)}`,
    '',
    '# limits: { concurrency: 8, requestsPerSecond: 50, timeoutSeconds: 10 }',
    '# gate: { strict: false, maxUntested: 40 }',
    'report: { directory: reports, formats: [json, junit, html, markdown] }',
    '',
  ].join('\n')
}

function tokenLines(logins: Partial<Record<Role, string>>): string[] {
  const active = roles.filter((role) => process.env[variableOf(role)])
  const line = (role: Role) => {
    const login = logins[role] === undefined ? 'LOGIN' : logins[role]
    const text = `- { role: ${role}, kind: classic, login: ${login}, scopes: [notifications, repo], secret: "\${${variableOf(role)}}" }`
    return `${active.includes(role) ? '  ' : '  # '}${text} # ${purposes[role]}`
  }
  return [active.length > 0 ? 'tokens:' : '# tokens:', ...roles.map(line)]
}

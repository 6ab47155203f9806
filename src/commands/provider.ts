import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import type { Config } from '../config/config.ts'
import { Dialect } from '../http/dialect/dialect.ts'
import { anonymous } from '../http/exchange/caller.ts'
import { Redactor } from '../http/redaction/redaction.ts'
import { packageRoot } from '../package/root.ts'
import { type ProgressStream, type ShowStep, withStatus } from '../report/terminal/progress.ts'
import { agrees, problemWith, staticValues } from '../run/needs/given-values.ts'
import { inTargetsWords, secretsIn } from '../run/needs/need-resolver.ts'
import type { Provider } from '../run/needs/provider.ts'
import { ProviderFailure } from '../run/needs/provider-failure.ts'
import { callersOf } from '../run/needs/tokens.ts'
import { listedNeeds } from '../run/selection/listed-needs.ts'
import { allChecks, select } from '../run/selection/selection.ts'
import { type Area, endpoints, type WithPath } from '../spec/endpoints.ts'
import { permissionRows } from '../spec/permissions/permissions.ts'
import { latestVersion } from '../spec/versions.ts'
import { type Catalogue, catalogueOf, memberList } from '../suite/catalogue.ts'
import { needsOf } from '../suite/check.ts'
import { atPointer, defined, groupBy } from '../text/data.ts'
import { messageOf, UsageError } from '../text/errors.ts'
import { counted, cut, printable, show } from '../text/format.ts'
import { renderTable, wrapped } from '../text/table.ts'
import {
  type CommandContext,
  example,
  type OptionsOf,
  oneOf,
  renderJson,
  repeatable,
  shared,
} from './common/command.ts'
import { writeOptionFile } from './common/option-file.ts'
import { effectiveConfig } from './common/target.ts'

/** `provider`: tries the provider of test data on its own. */
export function define(command: Command, { catalogue, end, print, progress }: CommandContext) {
  command
    .addHelpText('after', example('provider check unread-thread'))
    .command('new')
    .description('write a provider to complete, the needs of most checks first')
    .argument('<language>', 'python, node or go', oneOf(['python', 'node', 'go'] as const))
    .addOption(repeatable('--needs <name>', 'only this need (repeatable)', String))
    .addOption(shared.area())
    .option('--out <file>', 'the file to write (default: provider.py, provider.mjs or provider.go)')
    .addHelpText('after', example('provider new python --area notifications'))
    .action(async (language, options) => print(newProvider(language, options, await catalogue())))
  return command
    .command('check')
    .description('ask the provider for one need, or for all, validate the responses and print them')
    .argument(
      '[need]',
      'the name of a need; without one, all: values, consumables, tokens of each kind, and actions',
    )
    .addOption(shared.config())
    .addOption(shared.json())
    .option('--verbose', 'print every response')
    .addHelpText('after', example('provider check unread-thread'))
    .action(
      async (need, options) =>
        void end(await providerCheckCommand(need, options, await catalogue(), progress)),
    )
}

const endings = { python: 'py', node: 'mjs', go: 'go' }

type Starter = { needs?: string[] | undefined; area?: Area[] | undefined; out?: string | undefined }

/** Writes a provider in which each need is a function without a value yet. Throws {@link UsageError} for an existing file. */
function newProvider(
  language: keyof typeof endings,
  { needs, area, out }: Starter,
  catalogue: Catalogue,
) {
  const file = out ?? `provider.${endings[language]}`
  for (const name of needs ?? []) catalogue.needOf(name)
  if (existsSync(file)) throw new UsageError(`${file} exists already; --out names another file`)
  const text = readFileSync(join(packageRoot, `src/commands/starters/${language}.txt`), 'utf8')
  const [head = '', each = '', tail = ''] = text.split(/^.*(?:EACH NEED|END)\n/m)
  const listed = listedNeeds(select(catalogue.suites, { areas: area }), catalogue)
  const rows = listed.filter(({ name }) => needs?.includes(name) ?? catalogue.needs.has(name))
  const blocks = rows.map(({ name, checks }) => {
    const { description, examples, ...form } = catalogue.needOf(name)
    const [{ with: request = {}, given: example } = { given: {} }] = examples
    const returned =
      'properties' in form.given
        ? form.given
        : { properties: example, required: Object.keys(example) }
    const words: Readonly<Record<string, string>> = {
      NAME: name,
      SYMBOL: name.replaceAll('-', '_'),
      DESCRIPTION: description,
      CHECKS: counted(checks.length, 'check'),
      WANTED: memberList(form.with),
      RETURNED: memberList(returned),
      REQUEST: JSON.stringify(request),
      EXAMPLE: JSON.stringify(example),
    }
    return each.replaceAll(/\b[A-Z]{4,}\b/g, (word) => words[word] ?? word)
  })
  const named = head.replaceAll(/provider\.(py|mjs|go)/g, basename(file))
  writeOptionFile('--out', file, [named, ...blocks, tail].join(''))
  return wrapped(
    `${file} is written with ${counted(rows.length, 'function')} to complete; its first lines say how to use it\n`,
  )
}

interface Question {
  readonly need: string
  readonly with: object
}

type Finding = Awaited<ReturnType<typeof ask>>

/** Asks the configured provider as a run does, and releases the result. Exit code 1 for an unusable response. Throws {@link UsageError}. */
export async function providerCheckCommand(
  need: string | undefined,
  options: OptionsOf<typeof define>,
  catalogue: Catalogue,
  progress?: ProgressStream,
) {
  const { moduleSlips } = await import('../doctor/preflight-provider.ts')
  const { withServers } = await import('./common/servers.ts')
  const config = effectiveConfig(options, catalogue)
  if (config.provider === undefined)
    throw new UsageError('there is no provider to check: set "provider" in the configuration')
  if (need !== undefined) catalogue.needOf(need)
  const asked = (showStep: ShowStep) =>
    withServers(config, (signal) =>
      responsesTo(questions(need, catalogue), need !== undefined, config, showStep, signal),
    )
  const { results, release } = await withStatus(progress, asked)
  const notes = [...(await moduleSlips(config)), ...release]
  const isWhole = options.verbose === true || need !== undefined
  const text = options.json
    ? renderJson({ asked: results.map(({ content: _, ...one }) => one), notes })
    : render(results, notes, isWhole)
  return { text, code: results.some(isBad) || notes.length > 0 ? 1 : 0 }
}

const isBad = ({ state }: Finding) => state === 'wrong' || state === 'failed'

/** Requests each need once; those of the configuration only if `isNamed`. Returns the failure of the release as well. */
async function responsesTo(
  asked: readonly Question[],
  isNamed: boolean,
  config: Config,
  showStep: ShowStep,
  signal: AbortSignal,
) {
  const { openProvider } = await import('../run/needs/provider.ts')
  const { timeoutSeconds } = config.limits
  const provider = await openProvider(config.provider ?? '', {
    run: randomUUID(),
    apiVersion: latestVersion,
    timeoutSeconds,
    signal,
  })
  const known = new Map(
    Object.entries(config.needs).map(([name, value]) => [name, staticValues(value)[0]]),
  )
  const owner = config.tokens.find(({ role, login }) => role === 'owner' && login !== undefined)
  if (owner) known.set('user', { login: owner.login })
  const results: Finding[] = []
  for (const [index, question] of asked.entries()) {
    showStep('asking the provider', index + 1, asked.length)
    const isGiven = !isNamed && isConfigured(question, config)
    const says = 'given by the configuration'
    results.push(
      isGiven
        ? { ...question, state: 'configured', says, content: says }
        : await ask(provider, question, known, config),
    )
  }
  const release = await provider.release().then(
    () => [],
    (error: unknown) => [messageOf(error)],
  )
  return { results, release }
}

/** The kinds of needs in the order in which they are asked: tokens belong to users, and an action changes an object. */
const order = ['value', 'consumable', 'token', 'action']

/** The questions of all checks, the examples of other needs, and one permission-target of each kind of row. A named need has all of its questions; only a named one changes the clock of the target. */
function questions(need: string | undefined, { suites, needs }: Catalogue) {
  const declared = allChecks(suites)
    .flatMap(({ check }) => Object.values(needsOf(check)))
    .flatMap((wanted) =>
      wanted.type === 'need' ? [{ need: wanted.name as string, with: wanted.with ?? {} }] : [],
    )
  const others = [...needs.values()].flatMap(({ name, examples }) =>
    (examples.length > 0 ? examples : [{ with: {} }]).map((one) => ({
      need: name,
      with: one.with ?? {},
    })),
  )
  const kinds = [
    ...groupBy(permissionRows, ({ method, category }) => `${method} ${category.owner}`).values(),
  ]
  const rows = kinds.flatMap((same) => (need === undefined ? same.slice(0, 1) : same))
  const targets = rows.map(({ method, path }) => ({
    need: 'permission-target',
    with: { row: { method, path } },
  }))
  const distinct = new Map(
    [...declared, ...others, ...targets].map((question) => [JSON.stringify(question), question]),
  )
  const turn = ({ need: name }: Question) =>
    order.indexOf(name === 'token' ? name : (needs.get(name)?.kind ?? ''))
  return [...distinct.values()]
    .filter((one) => (need === undefined ? one.need !== 'advance-clock' : one.need === need))
    .sort((a, b) => turn(a) - turn(b))
}

/** True for a need that a run takes from the configuration, without a question to the provider. */
function isConfigured({ need, with: specifics }: Question, config: Config) {
  const { needs, tokens, target } = config
  const { role: wanted } = specifics as { role?: string }
  if (need === 'user')
    return tokens.some(({ role, login }) => role === wanted && login !== undefined)
  const dialect = new Dialect(target.dialect)
  return (
    catalogueOf(config).needs.get(need)?.kind !== 'action' &&
    staticValues(needs[need]).some((one) => agrees(one, specifics, dialect))
  )
}

/** The members of examples that a former response replaces, because another target has other users and threads. */
const fromResponses: Readonly<Record<string, readonly [need: string, member: string]>> = {
  login: ['user', 'login'],
  account: ['organization', 'org'],
  thread_id: ['unread-thread', 'thread_id'],
}

/** Asks with the target's own objects, and keeps the response for later questions. */
async function ask(
  provider: Provider,
  { need, with: example }: Question,
  known: Map<string, unknown>,
  config: Config,
) {
  const members = Object.entries(example).map(([name, value]) => {
    const [source = '', member = ''] = fromResponses[name] ?? []
    return [name, atPointer(known.get(source), `/${member}`) ?? value]
  })
  const own: Record<string, unknown> = Object.fromEntries(members)
  const specifics = need === 'token' ? inTargetsWords(own, new Dialect(config.target.dialect)) : own
  const answered = (
    state: 'given' | 'too few' | 'unsupported' | 'wrong' | 'failed' | 'configured',
    says: string,
    content = says,
  ) => {
    return { need, with: specifics, state, says, content }
  }
  try {
    const response = await provider.ask(need, specifics)
    if ('unsupported' in response) return answered('unsupported', response.unsupported)
    const problem = problemWith(need, response.given, catalogueOf(config))
    const says = maskedJson(response.given)
    if (problem !== undefined) return answered('wrong', `${problem}: ${cut(says, 200)}`)
    known.set(need, response.given)
    const few = await shortages(need, response.given as object, config)
    return few.length === 0 ? answered('given', says) : answered('too few', few.join(', '))
  } catch (error) {
    return answered(
      'failed',
      messageOf(error),
      error instanceof ProviderFailure ? error.reason : undefined,
    )
  }
}

/** The pages of a list that are read to count its objects. */
const pagesAtMost = 8

/** The lists that have fewer objects than a check of a need needs, as sentences. A list that is not served is left out. */
async function shortages(need: string, given: object, { provider: _, ...config }: Config) {
  const { volumes } = catalogueOf(config).needOf(need)
  const { baseUrl } = config.target
  if (volumes.length === 0 || baseUrl === undefined) return []
  const target = { ...config.target, baseUrl }
  const { openSession } = await import('../run/judge/session.ts')
  const { client, redactor } = await openSession({ ...config, target }, latestVersion)
  const as = callersOf(config.tokens, redactor).find(({ role }) => role === 'owner') ?? anonymous
  const params = { ...given, ...defined({ username: as.login }) }
  const sentences = volumes.map(async ({ least, of, list, query, check }) => {
    const request = { endpoint: endpoints[list] as WithPath, as, params }
    let number = 0
    for (let page = 1; number < least && page <= pagesAtMost; page += 1) {
      const each = { ...request, query: { ...query, per_page: 50, page } }
      const response = await client.read(each).catch(() => undefined)
      if (!response?.ok) return []
      if (response.count === 0) break
      number += response.count
    }
    return number < least ? [`${number} of ${least} ${of}, which ${check} needs`] : []
  })
  const found = await Promise.all(sentences).finally(() => client.close())
  return found.flat()
}

/** A whole value as JSON, so that it can be copied into the configuration, with its secret masked. */
function maskedJson(given: unknown) {
  const redactor = new Redactor()
  for (const secret of secretsIn(given)) redactor.add(secret, 'SECRET')
  return redactor.redact(printable(JSON.stringify(given) ?? 'nothing'))
}

/** The responses, the unusable ones last, then their numbers and the notes. Without `isWhole`, a line for each kind of response. */
function render(asked: readonly Finding[], notes: readonly string[], isWhole: boolean) {
  const results = asked.toSorted((a, b) => Number(isBad(a)) - Number(isBad(b)))
  const rows = results.map(({ need, with: specifics, state, says }) => [
    state,
    need,
    show(specifics),
    says,
  ])
  const table = isWhole
    ? renderTable(['response', 'need', 'request', 'content'], rows)
    : renderTable(['response', 'needs'], kindsOf(results))
  const counts = [...groupBy(results, ({ state }) => state)].map(
    ([state, { length }]) => `${length} ${state}`,
  )
  const targets = results.filter(({ need }) => need === 'permission-target').length
  const all = `permission-target: ${targets} of its ${permissionRows.length} rows; "npx service-conformance provider check permission-target" asks for all`
  const shown = targets % permissionRows.length === 0 ? [] : [all]
  if (!isWhole)
    shown.push('"npx service-conformance provider check --verbose" prints each response')
  return table + wrapped([counts.join(', '), ...shown, ...notes.map((note) => `note: ${note}`)])
}

/** A row for each kind of response, with its needs: usable ones, and others with the same content apart from the name of the need. */
function kindsOf(results: readonly Finding[]) {
  const contentOf = ({ need, state, content }: Finding) =>
    state === 'given' || state === 'configured' ? '' : `: ${content.replaceAll(need, 'NAME')}`
  const kinds = [...groupBy(results, (one) => one.state + contentOf(one)).values()] as [
    Finding,
    ...Finding[],
  ][]
  return kinds.map((same) => {
    const [first] = same
    const names = [...groupBy(same, ({ need }) => need)].map(
      ([need, { length }]) => need + (length === 1 ? '' : ` (${length})`),
    )
    const content = contentOf(first) && same.length === 1 ? `: ${first.says}` : contentOf(first)
    return [first.state, names.join(', ') + content]
  })
}

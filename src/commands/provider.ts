import { randomUUID } from 'node:crypto'
import type { Command } from '@commander-js/extra-typings'
import { Redactor } from '../http/redaction/redaction.ts'
import { problemWith } from '../run/needs/given-values.ts'
import { knownNeed, needCatalogue } from '../run/needs/need-catalogue.ts'
import type { Provider } from '../run/needs/provider.ts'
import { allChecks } from '../run/selection/selection.ts'
import { latestVersion } from '../spec/versions.ts'
import { needsOf, type Suite } from '../suite/check.ts'
import { messageOf, UsageError } from '../text/errors.ts'
import { printable, show } from '../text/format.ts'
import { renderTable, wrapped } from '../text/table.ts'
import { type CommandContext, example, type OptionsOf, renderJson, shared } from './common/command.ts'
import { effectiveConfig } from './common/target.ts'

/** `provider`: tries the provider of test data on its own. */
export function define(command: Command, { suites, end }: CommandContext) {
  return command
    .addHelpText('after', example('service-conformance provider check unread-thread'))
    .command('check')
    .description('ask the provider for one need, or for all, validate the responses and print them')
    .argument('[need]', 'the name of a need; without one, all except actions, tokens and permission targets')
    .addOption(shared.config())
    .addOption(shared.json())
    .addHelpText('after', example('service-conformance provider check unread-thread'))
    .action(async (need, options) => {
      end(await providerCheckCommand(need, options, await suites()))
    })
}

interface Question {
  readonly need: string
  readonly with: unknown
}

type Answer = Awaited<ReturnType<typeof ask>>

/** Asks the configured provider as a run does, and releases the result. Exit code 1 for an unusable response. Throws {@link UsageError}. */
export async function providerCheckCommand(
  need: string | undefined,
  options: OptionsOf<typeof define>,
  suites: readonly Suite[],
) {
  const [{ openProvider }, { moduleSlips }] = await Promise.all([
    import('../run/needs/provider.ts'),
    import('../doctor/provider-probe.ts'),
  ])
  const config = effectiveConfig(options, suites)
  if (config.provider === undefined) throw new UsageError('there is no provider to check: set "provider" in the configuration')
  if (need !== undefined) knownNeed(need)
  const { timeoutSeconds } = config.limits
  const provider = await openProvider(config.provider, { run: randomUUID(), apiVersion: latestVersion, timeoutSeconds })
  const results: Answer[] = []
  for (const question of questions(need, suites)) results.push(await ask(provider, question))
  const release = await provider.release().then(() => undefined, messageOf)
  const notes = [...(await moduleSlips(config.provider)), ...(release === undefined ? [] : [release])]
  const isBad = results.some(({ state }) => state === 'wrong' || state === 'failed') || notes.length > 0
  return { text: options.json ? renderJson({ asked: results, notes }) : render(results, notes), code: isBad ? 1 : 0 }
}

/** The distinct questions of all checks. Actions change the target, so they are asked only by name. */
function questions(need: string | undefined, suites: readonly Suite[]): Question[] {
  const declared = allChecks(suites)
    .flatMap(({ check }) => Object.values(needsOf(check)))
    .flatMap((wanted) => (wanted.type === 'need' ? [{ need: wanted.name as string, with: wanted.with ?? {} }] : []))
  const named = new Set(declared.map((question) => question.need))
  const others = [...needCatalogue.keys()].filter((name) => !named.has(name)).map((name) => ({ need: name, with: {} }))
  const distinct = new Map([...declared, ...others].map((question) => [JSON.stringify(question), question]))
  const isSafe = (name: string) => needCatalogue.get(name)?.kind !== 'action' && name !== 'permission-target' && name !== 'token'
  return [...distinct.values()].filter((question) => (need === undefined ? isSafe(question.need) : question.need === need))
}

async function ask(provider: Provider, question: Question) {
  const answered = (state: 'given' | 'unsupported' | 'wrong' | 'failed', says: string) => ({ ...question, state, says })
  try {
    const answer = await provider.ask(question.need, question.with)
    if ('unsupported' in answer) return answered('unsupported', answer.unsupported)
    const problem = problemWith(question.need, answer.given)
    const says = withoutSecrets(answer.given)
    return problem === undefined ? answered('given', says) : answered('wrong', `${says} ${problem}`)
  } catch (error) {
    return answered('failed', messageOf(error))
  }
}

/** A whole value as JSON, so that it can be copied into the configuration, with its secret masked. */
function withoutSecrets(given: unknown): string {
  const redactor = new Redactor()
  for (const member of ['secret', 'token']) {
    const value = (given as Record<string, unknown> | null | undefined)?.[member]
    if (typeof value === 'string') redactor.add(value, 'SECRET')
  }
  return redactor.redact(printable(JSON.stringify(given) ?? 'nothing'))
}

function render(results: readonly Answer[], notes: readonly string[]): string {
  const rows = results.map(({ need, with: specifics, state, says }) => [state, need, show(specifics), says])
  return renderTable(['response', 'need', 'request', 'content'], rows) + wrapped(notes.map((note) => `note: ${note}\n`).join(''))
}

import { randomUUID } from 'node:crypto'
import { moduleSlips } from '../../doctor/provider-probe.ts'
import { Redactor } from '../../http/redaction/redaction.ts'
import { problemWith } from '../../run/needs/given-values.ts'
import { needCatalogue } from '../../run/needs/need-catalogue.ts'
import { openProvider, type Provider } from '../../run/needs/provider.ts'
import { allChecks } from '../../run/selection/selection.ts'
import { latestVersion } from '../../spec/versions.ts'
import { needsOf, type Suite } from '../../suite/check.ts'
import { guess, messageOf, UsageError } from '../../text/errors.ts'
import { printable, show } from '../../text/format.ts'
import { renderJson, renderTable } from './table.ts'
import { effectiveConfig } from './target.ts'

/** The options of `provider check`. */
export interface ProviderCheckOptions {
  config?: string | undefined
  json?: boolean | undefined
}

/** What the provider answered to one question. */
interface Asked {
  readonly need: string
  readonly with: unknown
  readonly state: 'given' | 'unsupported' | 'wrong' | 'failed'
  readonly says: string
}

/** Asks the configured provider as a run would, and releases what it made. Exit code 1 where an answer is unusable. Throws {@link UsageError}. */
export async function providerCheckCommand(
  need: string | undefined,
  options: ProviderCheckOptions,
  suites: readonly Suite[],
): Promise<{ text: string; code: number }> {
  const config = effectiveConfig(options, suites)
  if (config.provider === undefined) throw new UsageError('there is no provider to check: set "provider" in the configuration')
  if (need !== undefined && !needCatalogue.has(need)) {
    throw new UsageError(
      `there is no need "${need}"${guess(need, [...needCatalogue.keys()])}; "service-conformance list needs" shows them all`,
    )
  }
  const asking = { run: randomUUID(), apiVersion: latestVersion, timeoutSeconds: config.limits.timeoutSeconds }
  const provider = await openProvider(config.provider, asking)
  const asked: Asked[] = []
  for (const question of questions(need, suites)) asked.push(await ask(provider, question))
  const release = await provider.release().then(() => undefined, messageOf)
  const slips = await moduleSlips(config.provider)
  const notes = [...slips, ...(release === undefined ? [] : [release])]
  const bad = asked.some(({ state }) => state === 'wrong' || state === 'failed') || notes.length > 0
  return { text: options.json ? renderJson({ asked, notes }) : render(asked, notes), code: bad ? 1 : 0 }
}

/** What checks ask a provider for, each question once; actions change the target, so they are asked for by name only. */
function questions(need: string | undefined, suites: readonly Suite[]): { need: string; specifics: unknown }[] {
  const declared = allChecks(suites)
    .flatMap(({ check }) => Object.values(needsOf(check)))
    .flatMap((wanted) => (wanted.type === 'need' ? [{ need: wanted.name as string, specifics: wanted.with ?? {} }] : []))
  const others = [...needCatalogue.keys()].map((name) => ({ need: name, specifics: {} }))
  const named = new Set(declared.map((question) => question.need))
  const all = [...declared, ...others.filter((question) => !named.has(question.need))]
  const distinct = [...new Map(all.map((question) => [JSON.stringify(question), question])).values()]
  const isSafe = (name: string) => needCatalogue.get(name)?.kind !== 'action' && name !== 'permission-target' && name !== 'token'
  return distinct.filter((question) => (need === undefined ? isSafe(question.need) : question.need === need))
}

async function ask(provider: Provider, { need, specifics }: { need: string; specifics: unknown }): Promise<Asked> {
  const about = { need, with: specifics }
  try {
    const answer = await provider.ask(need, specifics)
    if ('unsupported' in answer) return { ...about, state: 'unsupported', says: answer.unsupported }
    const problem = problemWith(need, answer.given)
    return problem === undefined
      ? { ...about, state: 'given', says: withoutSecrets(answer.given) }
      : { ...about, state: 'wrong', says: `${withoutSecrets(answer.given)} ${problem}` }
  } catch (error) {
    return { ...about, state: 'failed', says: messageOf(error) }
  }
}

/** An answer as text; what it gives as a secret is named only. */
function withoutSecrets(given: unknown): string {
  const redactor = new Redactor()
  for (const member of ['secret', 'token']) {
    const value = (given as Record<string, unknown> | null | undefined)?.[member]
    if (typeof value === 'string') redactor.add(value, 'SECRET')
  }
  // Whole, so that it can be written down as a static need.
  return redactor.redact(printable(JSON.stringify(given) ?? 'nothing'))
}

function render(asked: readonly Asked[], notes: readonly string[]): string {
  const rows = asked.map(({ need, with: specifics, state, says }) => [state, need, show(specifics), says])
  return `${renderTable(['answer', 'need', 'asked with', 'what it says'], rows)}${notes.map((note) => `note: ${note}\n`).join('')}`
}

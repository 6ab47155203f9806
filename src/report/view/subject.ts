import type { PreflightRecord, PreflightToken } from '../../record/preflight.ts'
import type { RunRecord } from '../../record/run-record.ts'
import { counted } from '../../text/counted.ts'
import { quote } from './curl.ts'

/** Whose tokens a run uses: `owner mona (classic), 3 tokens without a role`. */
export function tokensText(tokens: readonly Partial<Pick<PreflightToken, 'role' | 'login' | 'kind'>>[]): string {
  const withRole = tokens.filter(({ role }) => role !== undefined)
  const others = tokens.length - withRole.length
  const parts = [
    ...withRole.map(({ role, login, kind }) => `${role} ${login ?? '(login unknown)'} (${kind})`),
    ...(others > 0 ? [`${counted(others, 'token')} without a role`] : []),
  ]
  return parts.length === 0 ? 'none: requests are sent anonymously' : parts.join(', ')
}

/** The target of a run as a reader knows it. */
export function targetText({ target, preflight }: Pick<RunRecord, 'target' | 'preflight'>): string {
  return preflight?.reference ? `the embedded reference server (${target.baseUrl})` : target.baseUrl
}

/** The options by which another command finds the target of a run: ` --base-url http://localhost:3000`; none for the usual file. */
export function targetArguments({ target, preflight }: Pick<RunRecord, 'target' | 'preflight'>): string {
  if (preflight === undefined) return ''
  if (preflight.configuration !== undefined) return configArgument(preflight.configuration)
  return preflight.reference ? ' --reference' : ` --base-url ${quoted(target.baseUrl)}`
}

/** ` --config FILE`, unless the file is the one that is found by itself. */
export function configArgument(file: string): string {
  return file === defaultConfigFile ? '' : ` --config ${quoted(file)}`
}

/** The configuration that a command loads when none is named. */
export const defaultConfigFile = 'conformance.config.yaml'

/** A text as one word of a shell. */
function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : quote(text)
}

/** With what a run judged: `configuration a.yaml; tokens: owner mona (classic)`. */
export function meansText({ configuration, tokens }: PreflightRecord): string {
  const file = configuration === undefined ? 'no configuration file' : `configuration ${configuration}`
  return `${file}; ${tokens.length === 0 ? 'no tokens: requests are sent anonymously' : `tokens: ${tokensText(tokens)}`}`
}

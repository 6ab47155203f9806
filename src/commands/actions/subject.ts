import type { ReachableConfig, TokenConfig } from '../../config/config.ts'
import { counted } from '../../text/counted.ts'
import { printable } from '../../text/show.ts'

/** What is judged, in lines for the terminal: the target, the versions, the configuration file and whose tokens are used. */
export function subjectLines({ target, versions, file, tokens }: ReachableConfig): string[] {
  const rows = [
    ['target', target.reference ? `the embedded reference server (${target.baseUrl})` : target.baseUrl],
    ['versions', versions.join(', ')],
    ['configuration', file ?? 'none'],
    ['tokens', tokensText(tokens)],
  ]
  return rows.map(([name = '', text = '']) => printable(`${name.padEnd(14)} ${text}`))
}

function tokensText(tokens: readonly TokenConfig[]): string {
  const withRole = tokens.filter(({ role }) => role !== undefined)
  const others = tokens.length - withRole.length
  const parts = [
    ...withRole.map(({ role, login, kind }) => `${role} ${login ?? '(login unknown)'} (${kind})`),
    ...(others > 0 ? [`${counted(others, 'token')} without a role`] : []),
  ]
  return parts.length === 0 ? 'none: requests are sent anonymously' : parts.join(', ')
}

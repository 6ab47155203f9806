import type { ReachableConfig } from '../../config/config.ts'
import { tokensText } from '../../report/view/subject.ts'
import { printable } from '../../text/format.ts'

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

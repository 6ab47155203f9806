import { printableLines } from '../../text/format.ts'
import { knownSecrets } from './redaction.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these sequences set a colour
const colour = /(\u001b\[\d{1,2}m)/

/** A text without secrets, control characters and commands of pipelines. Escapes are those of JSON, which keeps its meaning. */
export function outputText(text: string, { colours = false }: { readonly colours?: boolean } = {}) {
  const safe = knownSecrets.redact(text)
  const pieces = colours ? safe.split(colour) : [safe]
  const shown = pieces
    .map((piece) => (colours && colour.test(piece) ? piece : printableLines(piece)))
    .join('')
  // `::error::` at the begin of a line, and `##[error]` and `##vso[` anywhere, are commands of pipelines.
  return shown.replace(/^([^\S\n]*):(?=:)/gm, '$1\\u003a').replace(/#(?=#[a-z]*\[)/gi, '\\u0023')
}

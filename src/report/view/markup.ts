import { printable, printableLines } from '../../text/format.ts'

/** Text from the target, escaped for Markdown. An underscore within a word needs no escape. */
export function text(line: string) {
  return printable(line).replace(special, (character) =>
    entities.has(character) ? `&#${character.charCodeAt(0)};` : `\\${character}`,
  )
}

const special = /[&<>@\\`*{}[\]()#+!|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?=\/\/)|(?<=\bwww)\./gi

/** Characters that form markup, mentions or links even behind a backslash. */
const entities = new Set(['&', '<', '>', '@', ':', '.'])

/** Text as a code span; backticks would end it. */
export function code(line: string) {
  return `\`${printable(line).replaceAll('`', "'").replaceAll('|', '\\|')}\``
}

/** Text for an XML attribute or element. Markup, commands of pipelines and characters that XML forbids are escaped. */
export function xml(text: string) {
  const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }
  const escaped = printableLines(text).replace(/[&<>"]/g, (character) => `&${names[character]};`)
  // A pipeline interprets "::" at the beginning of a line and "##" anywhere in its log, so also in a report there.
  return escaped.replace(/(?<=^\s*):(?=:)|#(?=#)/gm, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** The first lines, as many as fit into `size` characters, and those about the number of further lines. */
export function fitting(lines: readonly string[], size: number, more: (left: number) => string[]) {
  let used = 0
  const shown = lines.filter((line) => {
    used += line.length + 1
    return used <= size
  })
  return shown.length < lines.length ? [...shown, ...more(lines.length - shown.length)] : shown
}

/** The first `most` lines, and a line about the number of further lines. */
export function limited(lines: readonly string[], most: number, more: (left: number) => string) {
  return lines.length > most ? [...lines.slice(0, most), more(lines.length - most)] : [...lines]
}

import { printable } from '../../text/format.ts'

/** Text from the target as Markdown that means only itself; an underscore within a word means nothing and stays as it is. */
export function text(line: string): string {
  return printable(line).replace(special, (character) =>
    entities.has(character) ? `&#${character.charCodeAt(0)};` : `\\${character}`,
  )
}

const special = /[&<>@\\`*{}[\]()#+!|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?=\/\/)|(?<=\bwww)\./gi

/** A backslash does not keep these from making markup, mentions, references or links. */
const entities = new Set(['&', '<', '>', '@', ':', '.'])

/** Text as a code span; backticks would end it. */
export function code(line: string): string {
  return `\`${printable(line).replaceAll('`', "'").replaceAll('|', '\\|')}\``
}

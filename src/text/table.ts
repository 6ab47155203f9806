import { stripVTControlCharacters as plain } from 'node:util'
import { printable } from './format.ts'

/** The least room for the last column; a table that leaves less becomes a list of blocks. Characters. */
const leastRoom = 30

/** The columns of the terminal. Output without a width is not wrapped, so that programs such as `grep` find whole rows. */
function terminalWidth() {
  return process.stdout.columns || Number.POSITIVE_INFINITY
}

/** Rows under a heading, in aligned columns. The last column is wrapped; a table without room for it has one block for each row. */
export function renderTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width = terminalWidth(),
) {
  const cells = rows.map((row) => row.map((cell) => printable(cell)))
  const widthOf = (column: number) =>
    Math.max(...[head, ...cells].map((row) => row[column]?.length ?? 0))
  const widths = head.map((_, column) => widthOf(column))
  const last = widths.pop() ?? 0
  const label = (row: readonly string[]) =>
    widths.map((size, column) => `${(row[column] ?? '').padEnd(size)}  `).join('')
  const room = width - label(head).length
  if (room < Math.min(leastRoom, last)) return cells.map((row) => block(head, row, width)).join('')
  return [head, ...cells]
    .map((row) => hanging(label(row), row[widths.length] ?? '', width))
    .join('')
}

/** A row as its first cell and one line for each further cell, which the heading labels. */
function block(
  [, ...labels]: readonly string[],
  [first = '', ...cells]: readonly string[],
  width: number,
) {
  const longest = Math.max(...labels.map(({ length }) => length))
  const lines = cells.map((cell, index) =>
    hanging(`  ${(labels[index] ?? '').padEnd(longest)}  `, cell, width),
  )
  return `${first}\n${lines.join('')}`
}

/** Wraps long lines. A line with a label, which two spaces end, continues below the text after its label; any other continues four spaces deeper. Commands and their comments stay whole, so that they can be copied. */
export function wrapped(text: string | readonly string[], width = terminalWidth()) {
  const whole = typeof text === 'string' ? text : `${text.join('\n')}\n`
  return whole.replace(
    /^(?!.*\bcurl | *#)( *)(\S+(?: \S+)* {2,})?(.+)$/gm,
    (_, indent: string, label = '', line: string) =>
      hanging(indent + label, line, width, indent + ' '.repeat(plain(label).length || 4)).trimEnd(),
  )
}

/** A label with its wrapped text. Further lines begin with `indent`: by default, with as many spaces as the label has characters. A number stays beside its unit, and a command in quotes stays whole. Long JSON is broken after commas, and a long path after slashes if the indent is the default. */
function hanging(label: string, text: string, width: number, indent?: string) {
  const below = indent ?? ' '.repeat(plain(label).length)
  const places = indent === undefined ? /(?<=[/,])/ : /(?<=^[[{].*,)/
  const partsOf = (word: string) =>
    word.length > width - below.length ? word.split(places) : [word]
  const [first, ...words] = text
    .split(/(?<= )(?<!\d min )(?<!"npx [^"]*)(?!(?<=\d )(?:min|s|kB|MB|%)(?!\w))/)
    .flatMap(partsOf)
  const lines = [`${label}${first}`]
  for (const word of words) {
    const longer = `${lines.at(-1)}${word}`
    if (plain(longer).trimEnd().length <= width) lines[lines.length - 1] = longer
    else lines.push(below + word)
  }
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

import { printable } from '../../text/format.ts'

/** Rows under a heading, columns aligned; the last column is not padded. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const shown = [head, ...rows].map((row) => row.map((cell) => printable(cell)))
  const widths = head.map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)))
  return shown
    .map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

/** A value as JSON for programs. */
export function renderJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

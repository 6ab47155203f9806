import { printable } from '../../text/format.ts'

/** A record as JSON text. Each item of a list is one line, so that records can be compared by line, and a line number leads to a check. */
export function recordJson(value: object): string {
  return `${textOf(value, 2, '')}\n`
}

function textOf(value: unknown, levels: number, indent: string): string {
  const isList = Array.isArray(value)
  const isOpen = isList ? value.length > 0 : typeof value === 'object' && value !== null && levels > 0
  if (!isOpen) return jsonLine(value)
  const inner = `${indent}  `
  const member = ([name, of]: [string, unknown]) => `${jsonLine(name)}: ${textOf(of, levels - 1, inner)}`
  const known = Object.entries(value as object).filter(([, of]) => isList || of !== undefined)
  const items = isList ? value.map(jsonLine) : known.map(member)
  const [open, close] = isList ? '[]' : '{}'
  return `${open}\n${items.map((item) => `${inner}${item}`).join(',\n')}\n${indent}${close}`
}

/** JSON without text that a terminal, or a pipeline whose log shows it, would obey. */
function jsonLine(value: unknown): string {
  return printable(JSON.stringify(value)).replaceAll('##', '#\\u0023')
}

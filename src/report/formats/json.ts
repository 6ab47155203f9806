import { printable } from '../../text/format.ts'

/** The depth to which a record is written on several lines. */
const openLevels = 2

/** A record as JSON text. Each item of a list is one line, so that records can be compared by line, and a line number leads to a check. */
export function recordJson(value: object): string {
  return `${textOf(value, openLevels, '')}\n`
}

function textOf(value: unknown, levels: number, indent: string): string {
  const isOpen = typeof value === 'object' && value !== null && levels > 0
  if (Array.isArray(value) && value.length > 0)
    return lines(
      '[',
      ']',
      value.map((item) => jsonLine(item)),
      indent,
    )
  if (!isOpen || Array.isArray(value)) return jsonLine(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  const texts = members.map(([name, member]) => `${jsonLine(name)}: ${textOf(member, levels - 1, `${indent}  `)}`)
  return lines('{', '}', texts, indent)
}

function lines(open: string, close: string, items: readonly string[], indent: string): string {
  return `${open}\n${items.map((item) => `${indent}  ${item}`).join(',\n')}\n${indent}${close}`
}

/** JSON on one line, with every character escaped that a terminal would act on. */
function jsonLine(value: unknown): string {
  return printable(JSON.stringify(value))
}

import { printable } from '../../text/format.ts'

/** A record as JSON text. Each item of a list is one line, so that a line number leads to a check and records can be compared. */
export function recordJson(value: object) {
  return [...piecesOf(value, 2, ''), '\n'].join('')
}

/** The text in pieces: joining each level by itself would copy a long record several times. */
function* piecesOf(value: unknown, levels: number, indent: string): Generator<string> {
  const isList = Array.isArray(value)
  const isOpen = isList
    ? value.length > 0
    : typeof value === 'object' && value !== null && levels > 0
  if (!isOpen) return yield jsonLine(value)
  const [open, close] = isList ? '[]' : '{}'
  let before = `${open}\n${indent}  `
  for (const [name, of] of Object.entries(value as object)) {
    if (of === undefined && !isList) continue
    yield isList ? before : `${before}${jsonLine(name)}: `
    yield* isList ? [jsonLine(of)] : piecesOf(of, levels - 1, `${indent}  `)
    before = `,\n${indent}  `
  }
  yield `\n${indent}${close}`
}

/** JSON without characters that a terminal, or a pipeline with this output in its log, would interpret: they are escaped. */
export const jsonLine = (value: unknown) =>
  printable(JSON.stringify(value)).replaceAll('##', '#\\u0023')

import { NoAnswer } from './no-answer.ts'

/** The most nested levels and the most values of a JSON text that is parsed. */
const budget = { depth: 1000, values: 1_000_000 }

/** True for a text that may be parsed. */
export function isAffordable(body: Buffer): boolean {
  return excessOf(body) === undefined
}

/** Throws {@link NoAnswer} for a body that looks like JSON and exceeds the budget. Such a body is never parsed. */
export function refuseOversizedJson(body: Buffer): void {
  const isJson = /^\s*[{[]/.test(body.subarray(0, 64).toString('latin1').replace('\u00ef\u00bb\u00bf', ''))
  const excess = isJson ? excessOf(body) : undefined
  if (excess !== undefined) throw new NoAnswer(`the JSON body ${excess}`, { final: true })
}

/** Parses a JSON text, with or without a byte order mark; undefined for other texts. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** How a JSON text exceeds the budget, found without parsing it. Values are counted by the brackets and commas outside strings. */
function excessOf(body: Buffer): string | undefined {
  // A shorter text cannot exceed the budget, because each level and each value takes a byte.
  if (body.length <= budget.depth) return undefined
  let depth = 0
  let values = 0
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === quote) at = endOfString(body, at)
    else if (byte === closeBrace || byte === closeBracket) depth -= 1
    else if (byte === comma || byte === openBrace || byte === openBracket) {
      values += 1
      if (byte !== comma) depth += 1
      if (depth > budget.depth) return `nests deeper than ${budget.depth} levels`
      if (values > budget.values) return `has more than ${budget.values} values`
    }
  }
  return undefined
}

/** The index of the quotation mark that closes the string at `start`; the length of the text where none does. */
function endOfString(body: Buffer, start: number): number {
  for (let end = body.indexOf(quote, start + 1); end >= 0; end = body.indexOf(quote, end + 1)) {
    let before = end
    while (body[before - 1] === backslash) before -= 1
    if ((end - before) % 2 === 0) return end
  }
  return body.length
}

const [quote = 0, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\,{}[]')

import { NoAnswer } from './no-answer.ts'

/** The most nested levels and the most values of a JSON text that is parsed. */
const budget = { depth: 1000, values: 1_000_000 }

/** A shorter text cannot exceed the budget, because each level and each value takes a byte. */
const shortest = Math.min(budget.depth, budget.values)

/** The cost of parsing a JSON text: values are counted by the brackets and commas outside strings. */
interface JsonCost {
  readonly depth: number
  readonly values: number
}

/** True for a text that may be parsed. */
export function isAffordable(body: Buffer): boolean {
  if (body.length <= shortest) return true
  const { depth, values } = jsonCost(body)
  return depth <= budget.depth && values <= budget.values
}

/** Throws {@link NoAnswer} for a body that looks like JSON and exceeds the budget. Such a body is never parsed. */
export function refuseOversizedJson(body: Buffer): void {
  if (body.length <= shortest) return
  if (!/^\s*[{[]/.test(body.subarray(0, 64).toString('latin1').replace('\u00ef\u00bb\u00bf', ''))) return
  const { depth, values } = jsonCost(body)
  if (depth > budget.depth) throw new NoAnswer(`the JSON body nests deeper than ${budget.depth} levels`, { final: true })
  if (values > budget.values) throw new NoAnswer(`the JSON body has more than ${budget.values} values`, { final: true })
}

/** Parses an affordable JSON text, with or without a byte order mark; undefined for other texts. */
export function parseJson(body: Buffer): unknown {
  if (!isAffordable(body)) return undefined
  try {
    return JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** Measures a JSON text without parsing it. Counting ends where the budget is exceeded. */
function jsonCost(body: Buffer): JsonCost {
  let [depth, deepest, values] = [0, 0, 0]
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === quote) at = endOfString(body, at)
    else if (byte === comma) values += 1
    else if (byte === closeBrace || byte === closeBracket) depth -= 1
    else if (byte === openBrace || byte === openBracket) {
      depth += 1
      values += 1
      if (depth > deepest) deepest = depth
    }
    if (deepest > budget.depth || values > budget.values) break
  }
  return { depth: deepest, values }
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

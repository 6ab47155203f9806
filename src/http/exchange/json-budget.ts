import { NoAnswer } from './no-answer.ts'

/** What a JSON text may cost to parse, whatever its length. */
const budget = { depth: 1000, values: 1_000_000 }

/** What parsing a JSON text would cost; values are counted by the brackets and commas outside strings. */
interface JsonCost {
  readonly depth: number
  readonly values: number
  /** Objects and lists. */
  readonly nests: number
}

/** Measures a JSON text without parsing it; counting ends where the budget is passed. */
function jsonCost(body: Buffer): JsonCost {
  let [depth, deepest, values, nests] = [0, 0, 0, 0]
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === quote) at = endOfString(body, at)
    else if (byte === comma) values += 1
    else if (byte === closeBrace || byte === closeBracket) depth -= 1
    else if (byte === openBrace || byte === openBracket) {
      depth += 1
      values += 1
      nests += 1
      if (depth > deepest) deepest = depth
    }
    if (deepest > budget.depth || values > budget.values) break
  }
  return { depth: deepest, values, nests }
}

/** Where the string that begins at `start` ends; behind the text where it does not. */
function endOfString(body: Buffer, start: number): number {
  for (let end = body.indexOf(quote, start + 1); end >= 0; end = body.indexOf(quote, end + 1)) {
    let before = end
    while (body[before - 1] === backslash) before -= 1
    if ((end - before) % 2 === 0) return end
  }
  return body.length
}

/** How many objects and lists texts have that were measured and may be parsed: once is enough. */
const affordable = new WeakMap<Buffer, number>()

/** What an object or a list of two bytes adds to what a body takes: more while it is parsed, nothing when its value is let go. Bytes. */
const nestBytes = 16

/** What a body takes while it is looked at: its length, and more where it is JSON of many small objects and lists. Bytes. */
export function weightOf(body: Buffer): number {
  return body.length + nestBytes * (affordable.get(body) ?? 0)
}

/** True for a text that may be parsed. */
export function isAffordable(body: Buffer): boolean {
  if (body.length <= Math.min(budget.depth, budget.values) || affordable.has(body)) return true
  const { depth, values } = jsonCost(body)
  return depth <= budget.depth && values <= budget.values
}

/** Throws {@link NoAnswer} for a body that looks like JSON and would cost more than the budget; it is never parsed. */
export function refuseOversizedJson(body: Buffer): void {
  // Each level and each value takes a byte at least.
  if (body.length <= Math.min(budget.depth, budget.values)) return
  if (!/^\s*[{[]/.test(body.subarray(0, 64).toString('latin1').replace('\u00ef\u00bb\u00bf', ''))) return
  const { depth, values, nests } = jsonCost(body)
  if (depth > budget.depth) throw new NoAnswer(`the JSON body nests deeper than ${budget.depth} levels`, { final: true })
  if (values > budget.values) throw new NoAnswer(`the JSON body has more than ${budget.values} values`, { final: true })
  affordable.set(body, nests)
}

const [quote = 0, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\,{}[]')

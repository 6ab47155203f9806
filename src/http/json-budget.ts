import { NoAnswer } from './no-answer.ts'

/** What a JSON text may cost to parse, whatever its length. */
const budget = { depth: 1000, values: 1_000_000 }

/** What parsing a JSON text would cost; values are counted by the brackets and commas outside strings. */
interface JsonCost {
  readonly depth: number
  readonly values: number
}

/** Measures a JSON text without parsing it; counting ends where a limit is passed. */
function jsonCost(body: Buffer, limits: JsonCost = budget): JsonCost {
  let [depth, deepest, values, quoted] = [0, 0, 0, false]
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === quote) quoted = !quoted
    else if (quoted) at += byte === backslash ? 1 : 0
    else if (byte === comma) values += 1
    else if (byte === closeBrace || byte === closeBracket) depth -= 1
    else if (byte === openBrace || byte === openBracket) {
      depth += 1
      values += 1
      if (depth > deepest) deepest = depth
    }
    if (deepest > limits.depth || values > limits.values) break
  }
  return { depth: deepest, values }
}

/** True for a text that may be parsed. */
export function isAffordable(body: Buffer): boolean {
  const { depth, values } = jsonCost(body)
  return depth <= budget.depth && values <= budget.values
}

/** Throws {@link NoAnswer} for a body that looks like JSON and would cost more than the budget; it is never parsed. */
export function refuseOversizedJson(body: Buffer): void {
  if (!/^\s*[{[]/.test(body.subarray(0, 64).toString('latin1').replace('\u00ef\u00bb\u00bf', ''))) return
  const { depth, values } = jsonCost(body)
  if (depth > budget.depth) throw new NoAnswer(`the JSON body nests deeper than ${budget.depth} levels`, { final: true })
  if (values > budget.values) throw new NoAnswer(`the JSON body has more than ${budget.values} values`, { final: true })
}

const [quote, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\,{}[]')

import { NoResponse } from './no-response.ts'

/** The most nested levels and the most values of a JSON text that is parsed. */
const budget = { depth: 1000, values: 500_000 }

/** The memory of a parsed value beside its text, and of an item of the outermost list with its place and id. Bytes. */
const bytesOf = { value: 64, item: 512 }

/** Throws {@link NoResponse} for a body that looks like JSON and exceeds the budget. Such a body is never parsed. */
export function refuseOversizedJson(body: Buffer): void {
  const isJson = /^\s*[{[]/.test(body.subarray(0, 64).toString('latin1').replace('\u00ef\u00bb\u00bf', ''))
  const excess = isJson && weightOf(body)
  if (typeof excess === 'string') throw new NoResponse(`the JSON body ${excess}`, { final: true })
}

/** Parses a JSON text, with or without a byte order mark; undefined for other texts. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** The memory of a parsed JSON text in bytes, or a clause about the exceeded budget. Counts its brackets and commas outside strings. */
export function weightOf(body: Buffer): number | string {
  let depth = 0
  let values = 0
  let weight = body.length
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === quote) at = endOfString(body, at)
    else if (byte === closeBrace || byte === closeBracket) depth -= 1
    else if (byte === comma || byte === openBrace || byte === openBracket) {
      values += 1
      weight += byte === comma && depth === 1 ? bytesOf.item : bytesOf.value
      if (byte !== comma) depth += 1
      if (depth > budget.depth) return `nests deeper than ${budget.depth} levels`
      if (values > budget.values) return `has more than ${budget.values} values`
    }
  }
  return weight
}

/** The index of the quotation mark that closes the string at `start`; the length of the text if no other one follows. */
function endOfString(body: Buffer, start: number): number {
  for (let end = body.indexOf(quote, start + 1); end >= 0; end = body.indexOf(quote, end + 1)) {
    let before = end
    while (body[before - 1] === backslash) before -= 1
    if ((end - before) % 2 === 0) return end
  }
  return body.length
}

const [quote = 0, backslash, comma, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\,{}[]')

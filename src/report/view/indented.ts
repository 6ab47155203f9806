/** Deeper levels are indented no further: a body nested a thousand deep must not grow to a thousand times its size. */
const deepestIndent = 20

/**
 * JSON on several lines, exactly as it came but for white space between its tokens: numbers, repeated names and a text that was cut stay
 * as they are. Anything else is returned unchanged.
 */
export function indented(body: string): string {
  if (!/^\s*[[{]/.test(body)) return body
  const tokens = body.match(/"(?:[^"\\]|\\.)*"?|[[\]{},:]|[^\s"[\]{},:]+/gs) ?? []
  let depth = 0
  let text = ''
  for (const [index, token] of tokens.entries()) {
    const [before, after] = [tokens[index - 1] ?? '', tokens[index + 1] ?? '']
    if (isEnd(token)) {
      depth -= 1
      text += isBegin(before) ? token : `${line(depth)}${token}`
    } else text += token === ':' ? ': ' : token
    if (isBegin(token)) depth += 1
    if (token === ',' || (isBegin(token) && !isEnd(after))) text += line(depth)
  }
  return text
}

function isBegin(token: string): boolean {
  return token === '{' || token === '['
}

function isEnd(token: string): boolean {
  return token === '}' || token === ']'
}

function line(depth: number): string {
  return `\n${'  '.repeat(Math.max(0, Math.min(depth, deepestIndent)))}`
}

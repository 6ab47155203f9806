/** The deepest indent, so that a deeply nested body does not grow to many times its size. Levels. */
const deepestIndent = 20

/** JSON on several lines: only the white space between its tokens changes. Anything else is returned unchanged. */
export function indented(body: string) {
  if (!/^\s*[[{]/.test(body)) return body
  let depth = 0
  return body.replace(/"(?:[^"\\]|\\.)*"?|[[{]\s*[\]}]|[[\]{},:]|[^\s"[\]{},:]+|\s+/gs, (token) => {
    if (/^[[{]$/.test(token)) depth += 1
    if (/^[\]}]$/.test(token)) depth -= 1
    if (/^[[{,]$/.test(token)) return `${token}${line(depth)}`
    if (/^[\]}]$/.test(token)) return `${line(depth)}${token}`
    if (token === ':') return ': '
    return token.startsWith('"') ? token : token.replaceAll(/\s/g, '')
  })
}

function line(depth: number) {
  return `\n${'  '.repeat(Math.max(0, Math.min(depth, deepestIndent)))}`
}

/** Header lines without those that are about one connection: a proxy does not pass them on. */
export function withoutConnection(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    if (!/^(connection|keep-alive|transfer-encoding)$/i.test(name)) kept.push(name, value)
  }
  return kept
}

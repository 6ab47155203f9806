/** An unknown name, no longer than logins may commonly be. All checks use the same one, so that they share its response. */
export const unknownName = 'no-such-6f1d0c39-2b7e-4c85'

/** The same name in other letter case; the name itself if it has no letters. */
export function swapCase(text: string): string {
  const upper = text.toUpperCase()
  return upper === text ? text.toLowerCase() : upper
}

/** True when an address ends with a path: hosts and prefixes may differ behind proxies (readings D25). */
export function endsWith(address: unknown, path: string): boolean {
  return typeof address === 'string' && address.replace(/[?#].*$/, '').endsWith(path)
}

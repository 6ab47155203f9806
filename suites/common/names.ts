/** An unknown name, no longer than logins may commonly be. All checks use the same one, so that they share its response. */
export const unknownName = 'no-such-6f1d0c39-2b7e-4c85'

/** The same name in other letter case. Only ASCII letters change, since others have no partner or several: `ß` becomes `SS`. */
export function swapCase(text: string): string {
  const upper = text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
  return upper === text ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : upper
}

/** True when an address ends with a path: hosts and prefixes may differ behind proxies (readings D25). */
export function endsWith(address: unknown, path: string): boolean {
  return typeof address === 'string' && address.replace(/[?#].*$/, '').endsWith(path)
}

/** True when an address ends with a path: hosts and prefixes may differ behind proxies (readings D25). */
export function endsWith(address: unknown, path: string): boolean {
  return typeof address === 'string' && address.replace(/[?#].*$/, '').endsWith(path)
}

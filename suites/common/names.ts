import { randomUUID } from 'node:crypto'

/** A name that nothing has: random, no longer than logins commonly may be, and the same for all checks, so that they share its response. */
export const unknownName = `no-such-${randomUUID().slice(0, 18)}`

/** The same name in other letters; the name itself where it has none. */
export function swapCase(text: string): string {
  const upper = text.toUpperCase()
  return upper === text ? text.toLowerCase() : upper
}

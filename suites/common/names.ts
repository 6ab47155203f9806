/** A name that nothing has: no longer than logins commonly may be, and the same for all checks and runs, so that they share its response. */
export const unknownName = 'no-such-6f1d0c39-2b7e-4c85'

/** The same name in other letters; the name itself where it has none. */
export function swapCase(text: string): string {
  const upper = text.toUpperCase()
  return upper === text ? text.toLowerCase() : upper
}

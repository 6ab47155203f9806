import { closest, distance } from 'fastest-levenshtein'

/** ` (did you mean "tokens"?)`, or nothing where no accepted word is near. */
export function guess(word: string, accepted: readonly string[]): string {
  if (accepted.length === 0) return ''
  const begun = word.length >= 4 ? accepted.find((candidate) => candidate.startsWith(word)) : undefined
  if (begun !== undefined) return ` (did you mean "${begun}"?)`
  const near = closest(word, [...accepted])
  return distance(word, near) <= Math.max(2, Math.floor(word.length / 3)) ? ` (did you mean "${near}"?)` : ''
}

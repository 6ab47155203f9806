import { closest, distance } from 'fastest-levenshtein'

/** A mistake in a command or in the configuration. The command line prints the message and ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The text of a thrown value: the message of an error, any other value as a string. @internal */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** True for an error of the operating system, such as a full disk or too many open files. @internal */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

/** The origin of an error that ended a command: the system, the installation or the suite. @internal */
export function originOf(error: unknown): string {
  if (isSystemError(error)) return 'the system refused it, not the target'
  // Node reports a package as missing when too many files are open.
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_MODULE'))
    return 'the installation is incomplete, or there are too many open files (ulimit -n)'
  const frame =
    error instanceof Error
      ? error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '))
      : undefined
  return `this is an error in the suite, not in the target (${frame?.trim() ?? 'at an unknown place'})`
}

/** A suggestion for a mistyped word: ` (did you mean "tokens"?)`. Empty if no accepted word is similar. @internal */
export function didYouMean(word: string, accepted: readonly string[]): string {
  if (accepted.length === 0) return ''
  const begun =
    word.length >= 4 ? accepted.find((candidate) => candidate.startsWith(word)) : undefined
  if (begun !== undefined) return ` (did you mean "${begun}"?)`
  const near = closest(word, [...accepted])
  return distance(word, near) <= Math.max(2, Math.floor(word.length / 3))
    ? ` (did you mean "${near}"?)`
    : ''
}

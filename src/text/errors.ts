/** A mistake in a command or in the configuration. The command line prints the message and ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The end of a command before its result. The command line prints the message and ends with the exit code. */
export class EndedEarly extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The text of a thrown value: the message of an error, any other value as a string. @internal */
export function messageOf(error: unknown) {
  return error instanceof Error ? error.message : String(error)
}

/** True for an error of the operating system, such as a full disk or too many open files. @internal */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

/** The origin of an error that ended a command: the system, the installation or the suite. @internal */
export function originOf(error: unknown) {
  if (isSystemError(error)) return 'the system refused it, not the target'
  if (error instanceof RangeError && error.message.includes('Out of memory'))
    return 'the system permits too little memory (ulimit -v)'
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
export function didYouMean(word: string, accepted: readonly string[]) {
  if (accepted.length === 0) return ''
  const parts = partsOf(word)
  const isWider = (candidate: string) => parts.every((part) => partsOf(candidate).includes(part))
  const begun =
    word.length >= 4
      ? (accepted.find((candidate) => candidate.startsWith(word)) ?? accepted.find(isWider))
      : undefined
  if (begun !== undefined) return ` (did you mean "${begun}"?)`
  const most = Math.max(2, Math.floor(word.length / 3))
  const [near] = accepted
    .filter(({ length }) => Math.abs(length - word.length) <= most)
    .map((candidate) => ({ candidate, changes: changesBetween(word, candidate) }))
    .filter(({ changes }) => changes <= most)
    .sort((one, other) => one.changes - other.changes)
  return near === undefined ? '' : ` (did you mean "${near.candidate}"?)`
}

/** The words of a name: `events.public.event-shape` has four. */
const partsOf = (name: string) => name.split(/[.-]/)

/** The least number of added, removed or replaced characters that make one word of another. */
function changesBetween(word: string, other: string) {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [line, letter] of word.split('').entries()) {
    const next = [line + 1]
    for (const [column, wanted] of other.split('').entries()) {
      const replaced = (row[column] ?? 0) + (letter === wanted ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

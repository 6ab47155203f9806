import * as fs from 'node:fs'
import { UsageError } from '../../text/errors.ts'

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = fs.constants

/** Windows has neither pipes in folders nor these flags. */
const plain = O_WRONLY | O_CREAT | O_APPEND | (O_NONBLOCK ?? 0)

/** How a file is opened. */
interface Opening {
  /** False refuses a symbolic link; true follows it to a regular file. */
  readonly follows: boolean
}

/** Appends a text to a regular file, and creates a missing one. Throws {@link UsageError} for every other kind of file: a pipe would never end the call. */
export function appendToFile(file: string, text: string, { follows }: Opening) {
  const descriptor = fs.openSync(file, plain | (follows ? 0 : (O_NOFOLLOW ?? 0)), 0o666)
  try {
    if (!fs.fstatSync(descriptor).isFile()) throw new UsageError(`${file} is not a regular file`)
    fs.appendFileSync(descriptor, text)
  } finally {
    fs.closeSync(descriptor)
  }
}

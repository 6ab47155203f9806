import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf, UsageError } from '../../text/errors.ts'

/** Writes the file of an option, and creates a missing folder. Throws {@link UsageError}. */
export function writeNamedFile(option: string, file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  } catch (error) {
    const isFolder = (error as NodeJS.ErrnoException).code === 'EISDIR'
    throw new UsageError(`${option} "${file}": ${isFolder ? 'it is a folder; a file is accepted' : messageOf(error)}`)
  }
}

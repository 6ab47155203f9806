import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf, UsageError } from '../../text/errors.ts'

/** Writes the file of an option, and creates a missing folder. Throws {@link UsageError}. */
export function writeNamedFile(option: string, file: string, text: string, flag = 'w'): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { flag })
  } catch (error) {
    const isFolder = (error as NodeJS.ErrnoException).code === 'EISDIR'
    throw new UsageError(`${option} "${file}": ${isFolder ? 'it is a folder; a file is accepted' : messageOf(error)}`)
  }
}

/** Throws {@link UsageError} if the file of an option cannot be written. Its text stays as it is, and a file that is missing stays missing. */
export function refuseUnwritable(option: string, file: string): void {
  const isNew = !existsSync(file)
  writeNamedFile(option, file, '', 'a')
  if (isNew) rmSync(file)
}

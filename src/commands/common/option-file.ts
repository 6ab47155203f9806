import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { kindOf } from '../../report/files/ownership.ts'
import { fileAbove } from '../../report/files/placement.ts'
import { messageOf, UsageError } from '../../text/errors.ts'

/** The options with a file that the user edits. Others name a file that is replaced. */
const edited = ['--config', 'target.dialect']

/**
 * Writes the file of an option, and creates a missing folder. Throws {@link UsageError}, also for a pipe, which no reader may ever open,
 * and for a link to a file that would be replaced.
 */
export function writeOptionFile(option: string, file: string, text: string, flag = 'w') {
  try {
    mkdirSync(dirname(file), { recursive: true })
    if (statSync(file, { throwIfNoEntry: false })?.isFIFO())
      throw new Error('it is a pipe; a file is accepted')
    if (kindOf(file) === 'a symbolic link' && !edited.includes(option))
      throw new Error('it is a symbolic link; a file is accepted')
    writeFileSync(file, text, { flag })
  } catch (error) {
    const isFolder = (error as NodeJS.ErrnoException).code === 'EISDIR'
    const above = fileAbove(dirname(file))
    const problem = isFolder
      ? 'it is a folder; a file is accepted'
      : above && `${above}; the path of a folder is accepted there`
    throw new UsageError(`${option} "${file}": ${problem ?? messageOf(error)}`)
  }
}

/** Throws {@link UsageError} if the file of an option cannot be written. It neither changes nor creates the file. */
export function refuseUnwritable(option: string, file: string) {
  const isNew = !existsSync(file)
  const kind = isNew ? undefined : statSync(file)
  if (kind && !kind.isFile() && !kind.isDirectory())
    throw new UsageError(`${option} "${file}": it is a device; a file is accepted`)
  writeOptionFile(option, file, '', 'a')
  if (isNew) rmSync(file)
}

import type { Command } from '@commander-js/extra-typings'
import { isRunDirectory, ownMark } from '../report/files/ownership.ts'
import { addFiles, prepareDirectory } from '../report/files/placement.ts'
import { readRun } from '../report/files/read.ts'
import { formatNames } from '../report/formats/format-names.ts'
import { renderFormats } from '../report/formats/formats.ts'
import {
  type CommandContext,
  example,
  type OptionsOf,
  oneOf,
  repeatable,
} from './common/command.ts'

/** `report`: an existing run in other formats. */
export function define(command: Command, { print }: CommandContext) {
  return command
    .argument('[directory]', 'the directory that contains run.json', 'reports')
    .addOption(
      repeatable(
        '--format <format>',
        `${formatNames.join(', ')} (repeatable; default: all)`,
        oneOf(formatNames),
      ),
    )
    .option('--out <dir>', 'the directory of the new files (default: the directory of the run)')
    .addHelpText('after', example('report reports --format html --format sarif'))
    .action((directory, options) => void print(reportCommand(directory, options)))
}

/**
 * Writes an existing run in other formats: all except its records unless chosen. Returns the names of the files. Another directory
 * without records gets a mark, with which the next call may replace its files.
 */
export function reportCommand(
  directory: string,
  { format, out = directory }: OptionsOf<typeof define>,
) {
  const formats = format ?? formatNames.filter((name) => name !== 'json')
  const records = readRun(directory)
  prepareDirectory(out)
  const mark = isRunDirectory(out) || formats.includes('json') ? [] : [ownMark]
  const files = addFiles(out, () => [...mark, ...renderFormats(formats, records)])
  return files.map((file) => `${file}\n`).join('')
}

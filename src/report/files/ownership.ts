import * as fs from 'node:fs'
import { join } from 'node:path'
import { apiVersions } from '../../spec/versions.ts'
import { UsageError } from '../../text/errors.ts'

/** The folders of the versions and of the comparison, below the directory of the reports. */
export const laneFolders: readonly string[] = [...apiVersions, 'across-versions']
const laneFiles = ['report.json', 'junit.xml', 'results.sarif', 'ctrf.json']

/** Every file that a run can write below its directory. No other file is removed. */
export const ownFiles: readonly string[] = [
  ...['run.json', 'report.html', 'summary.md', 'badge.svg', 'badge.json'],
  ...laneFolders.flatMap((folder) => laneFiles.map((file) => `${folder}/${file}`)),
]

/** Says that the reports of a directory are of the suite, where the record of their run is not beside them. */
export const ownMark = { path: 'run.json', text: '{"format":"service-conformance-run"}\n' }

/** The file with a line about each run. A run adds to it, and never replaces it. */
export const historyFile = 'history.jsonl'

/** An entry of a folder. Links are not followed. */
type Kind = 'a file' | 'a folder' | 'a symbolic link' | 'a device'

/** The kind of the entry at a path; undefined if there is none. */
export function kindOf(path: string): Kind | undefined {
  const entry = fs.lstatSync(path, { throwIfNoEntry: false })
  if (!entry) return undefined
  if (entry.isFile()) return 'a file'
  if (entry.isDirectory()) return 'a folder'
  return entry.isSymbolicLink() ? 'a symbolic link' : 'a device'
}

/** A longer `run.json` is of another program. Bytes. */
const longestRecord = 64 * 1024 * 1024

/** The text of `run.json` in a directory; undefined without such a file. */
export function runRecordIn(directory: string): string | undefined {
  const file = join(directory, 'run.json')
  if (kindOf(file) !== 'a file' || fs.statSync(file).size > longestRecord) return undefined
  return fs.readFileSync(file, 'utf8')
}

/** True for a directory that contains the reports of a run. */
export function isRunDirectory(directory: string) {
  try {
    const record: { format?: unknown } | null = JSON.parse(runRecordIn(directory) ?? 'null')
    return record?.format === 'service-conformance-run'
  } catch {
    return false
  }
}

/** The entries that a run needs in its directory, if they exist. */
const expected = [
  ...laneFolders.map((path) => ({ path, kind: 'a folder' })),
  ...[...ownFiles, historyFile].map((path) => ({ path, kind: 'a file' })),
]

/** Throws {@link UsageError} for files of others that are named like reports, and for a link or another entry in the way of reports. */
export function refuseForeign(directory: string) {
  for (const { path, kind } of expected) {
    const place = join(directory, path)
    const found = kindOf(place)
    if (found !== undefined && found !== kind)
      throw foreign(place, `is ${found}, and a run needs ${kind} there`)
  }
  if (isRunDirectory(directory)) return
  if (kindOf(directory) === 'a symbolic link' && fs.readdirSync(directory).length > 0)
    throw foreign(directory, 'is a link to a folder without the reports of a run')
  // Only run.json says that the other files are reports.
  const found = ownFiles.map((path) => join(directory, path)).find(kindOf)
  if (found !== undefined) throw foreign(found, 'is not of a run of this suite')
}

function foreign(path: string, why: string) {
  const next = 'Move it away, or choose another directory with --out (or report.directory)'
  return new UsageError(`reports are not written: ${path} ${why}. ${next}`)
}

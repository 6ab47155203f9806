import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { apiVersions } from '../spec/versions.ts'
import { messageOf } from '../text/message-of.ts'
import { UsageError } from '../text/usage-error.ts'
import type { RenderedFile } from './formats/formats.ts'

/** Where files are written before they take their places; what a killed run leaves is removed by the next one. */
const workFolder = '.service-conformance-'

/** The files that a run writes below its directory, whatever its formats and versions. Nothing else is ever removed. */
const ownFiles: readonly string[] = [
  'run.json',
  'report.html',
  'summary.md',
  'badge.svg',
  'badge.json',
  ...[...apiVersions, 'across-versions'].flatMap((lane) =>
    ['report.json', 'junit.xml', 'results.sarif', 'ctrf.json'].map((file) => `${lane}/${file}`),
  ),
]

/** Makes the directory of the reports where it is missing. Throws {@link UsageError} when nothing can be written there. */
export function prepareDirectory(directory: string): void {
  try {
    makeFolders(directory)
    rmdirSync(mkdtempSync(join(directory, workFolder)))
  } catch (error) {
    const isFile = existsSync(directory) && !statSync(directory).isDirectory()
    const why = isFile ? 'it is a file' : messageOf(error)
    throw new UsageError(
      `reports cannot be written to ${directory}: ${why}. --out (or report.directory) names a directory that can be written`,
    )
  }
}

/** Makes missing folders one by one: asked to make all at once, Node hangs below folders such as /proc. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return
  makeFolders(dirname(folder))
  mkdirSync(folder)
}

/**
 * Puts files in place below a directory, each as a whole: a reader never sees half a file, and a run that is killed before leaves
 * the former files as they are. Returns the paths written.
 */
export function placeFiles(directory: string, files: readonly RenderedFile[]): string[] {
  makeFolders(directory)
  removeLeftovers(directory)
  const work = mkdtempSync(join(directory, workFolder))
  try {
    for (const [index, { text }] of files.entries()) writeFileSync(join(work, String(index)), text)
    return files.map(({ path }, index) => {
      const place = join(directory, path)
      makeFolders(dirname(place))
      renameSync(join(work, String(index)), place)
      return place
    })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Removes the reports of a run from its directory, but for the paths that are to be kept; files of others stay. */
export function removeReports(directory: string, kept: readonly string[] = []): void {
  for (const path of ownFiles.filter((own) => !kept.includes(own))) {
    const file = join(directory, path)
    if (existsSync(file)) unlinkSync(file)
  }
  for (const lane of [...apiVersions, 'across-versions']) removeIfEmpty(join(directory, lane))
}

/** True for a directory that a run wrote: files with the names of reports in any other belong to somebody else. */
export function isRunDirectory(directory: string): boolean {
  try {
    return readFileSync(join(directory, 'run.json'), 'utf8').includes('"format": "service-conformance-run"')
  } catch {
    return false
  }
}

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
}

function removeLeftovers(directory: string): void {
  for (const name of readdirSync(directory).filter((entry) => entry.startsWith(workFolder))) {
    rmSync(join(directory, name), { recursive: true, force: true })
  }
}

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
import { apiVersions } from '../../spec/versions.ts'
import { messageOf, UsageError } from '../../text/errors.ts'
import type { RenderedFile } from '../formats/formats.ts'
import { withPlacementLock } from './placement-lock.ts'

/** Where files are written before they take their places; what a killed run leaves is removed by the next one. */
const workFolder = '.service-conformance-work-'

/** The same folder when it is whole: from here on, whoever comes next puts the rest in place. */
const readyFolder = '.service-conformance-ready'

/** In that folder: which file belongs where, and what of the former run goes. */
interface Placement {
  readonly places: readonly string[]
  readonly removed: readonly string[]
}

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
    completeReports(directory)
  } catch (error) {
    const why = fileAbove(directory) ?? reasons[(error as NodeJS.ErrnoException).code ?? ''] ?? messageOf(error)
    throw new UsageError(
      `reports cannot be written to ${directory}: ${why}. --out (or report.directory) names a directory that can be written`,
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'nothing can be written to that file system',
  ENOSPC: 'the disk is full',
  ENOENT: 'the folder cannot be made',
}

/** That a path, or a part of it, is a file. */
function fileAbove(path: string, of = path): string | undefined {
  if (existsSync(path)) return statSync(path).isDirectory() ? undefined : `${path === of ? 'it' : path} is a file`
  return dirname(path) === path ? undefined : fileAbove(dirname(path), of)
}

/** Makes missing folders one by one: asked to make all at once, Node hangs below folders such as /proc. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return
  makeFolders(dirname(folder))
  mkdirSync(folder)
}

/**
 * Puts files in place below a directory, in place of the reports of the former run there, all of them or none: a reader never sees half
 * a file, a run that is killed before the set is whole leaves the former one as it is, and one that is killed after that is completed by
 * the next command that reads or writes the directory. Returns the paths written.
 */
export function placeFiles(directory: string, files: readonly RenderedFile[], replacesRun = false): string[] {
  makeFolders(directory)
  return withPlacementLock(directory, () => {
    completeLocked(directory)
    const places = files.map(({ path }) => path)
    const removed = replacesRun && isRunDirectory(directory) ? ownFiles.filter((path) => !places.includes(path)) : []
    makeReady(directory, files, { places, removed })
    completeLocked(directory)
    return places.map((path) => join(directory, path))
  })
}

/** Completes what a run had begun to put in place when it was killed. */
export function completeReports(directory: string): void {
  if (existsSync(join(directory, readyFolder))) withPlacementLock(directory, () => completeLocked(directory))
}

function makeReady(directory: string, files: readonly RenderedFile[], placement: Placement): void {
  const work = mkdtempSync(join(directory, workFolder))
  try {
    for (const [index, { text }] of files.entries()) writeFileSync(join(work, String(index)), text, { flush: true })
    writeFileSync(join(work, 'placement.json'), JSON.stringify(placement), { flush: true })
    for (const { path } of files) makeFolders(dirname(join(directory, path)))
    renameSync(work, join(directory, readyFolder))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function completeLocked(directory: string): void {
  const ready = join(directory, readyFolder)
  if (existsSync(join(ready, 'placement.json'))) {
    const { places, removed } = JSON.parse(readFileSync(join(ready, 'placement.json'), 'utf8')) as Placement
    for (const [index, path] of places.entries()) {
      const file = join(ready, String(index))
      if (existsSync(file)) renameSync(file, join(directory, path))
    }
    for (const path of removed) rmSync(join(directory, path), { force: true })
    removeEmptyLanes(directory)
  }
  rmSync(ready, { recursive: true, force: true })
  removeLeftovers(directory)
}

/** Removes the reports of a run from its directory; files of others stay. */
export function removeReports(directory: string): void {
  for (const path of ownFiles) {
    const file = join(directory, path)
    if (existsSync(file)) unlinkSync(file)
  }
  removeEmptyLanes(directory)
}

function removeEmptyLanes(directory: string): void {
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

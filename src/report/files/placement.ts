import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { apiVersions } from '../../spec/versions.ts'
import { messageOf, UsageError } from '../../text/errors.ts'
import type { RenderedFile } from '../formats/formats.ts'

const partFolders: readonly string[] = [...apiVersions, 'across-versions']

/** Every file that a run can write below its directory. No other file is removed. */
const ownFiles: readonly string[] = [
  ...['run.json', 'report.html', 'summary.md', 'badge.svg', 'badge.json'],
  ...partFolders.flatMap((folder) =>
    ['report.json', 'junit.xml', 'results.sarif', 'ctrf.json'].map((file) => `${folder}/${file}`),
  ),
]

/** Creates the directory of the reports. Throws {@link UsageError} where no file can be written. */
export function prepareDirectory(directory: string): void {
  try {
    makeFolders(directory)
    rmdirSync(mkdtempSync(join(directory, '.new-')))
  } catch (error) {
    const why = fileAbove(directory) ?? reasons[codeOf(error)] ?? messageOf(error)
    throw new UsageError(
      `reports cannot be written to ${directory}: ${why}. --out (or report.directory) names a directory that can be written`,
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOENT: 'the folder cannot be created',
}

/** A clause about a path that is a file, or is below one. */
function fileAbove(path: string, of = path): string | undefined {
  if (existsSync(path)) return statSync(path).isDirectory() ? undefined : `${path === of ? 'it' : path} is a file`
  return dirname(path) === path ? undefined : fileAbove(dirname(path), of)
}

/** Creates missing folders one by one: Node hangs when it creates several below a folder such as /proc. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return
  makeFolders(dirname(folder))
  mkdirSync(folder)
}

/** The most attempts to place reports in a directory that other runs replace at the same time. */
const mostTries = 20

/** True for a directory that contains the reports of a run. */
export function isRunDirectory(directory: string): boolean {
  try {
    const record: { format?: unknown } | null = JSON.parse(readFileSync(join(directory, 'run.json'), 'utf8'))
    return record?.format === 'service-conformance-run'
  } catch {
    return false
  }
}

/**
 * Replaces the reports of the former run in a directory; other files stay. The new set is written beside the directory and takes its
 * place by a rename, so that a reader finds one whole set. The former set survives a crash: in its place, or beside it in a folder
 * `<directory>.former-…`. Returns the paths of the new files.
 */
export function replaceReports(directory: string, files: readonly RenderedFile[]): string[] {
  return besideOthers(() => replaced(directory, files))
}

/** Repeats work on a directory that other runs may replace at the same time. */
function besideOthers<Result>(work: () => Result): Result {
  for (let tried = 1; ; tried += 1) {
    try {
      return work()
    } catch (error) {
      if (tried === mostTries || !['ENOENT', 'EEXIST'].includes(codeOf(error))) throw error
    }
  }
}

function replaced(directory: string, files: readonly RenderedFile[]): string[] {
  makeFolders(directory)
  const target = realpathSync(directory)
  const own = new Set(isRunDirectory(target) ? ownFiles : [])
  if (!replacedByRename(target, files, own)) {
    addFiles(target, files)
    const written = new Set(files.map(({ path }) => path))
    for (const path of own) if (!written.has(path)) rmSync(join(target, path), { force: true })
  }
  return files.map(({ path }) => join(directory, path))
}

/** Writes files into a directory, each of them whole. Returns their paths. */
export function addFiles(directory: string, files: readonly RenderedFile[]): string[] {
  makeFolders(directory)
  const staged = mkdtempSync(join(directory, '.new-'))
  try {
    writeAll(staged, files)
    return files.map(({ path }) => {
      const file = join(directory, path)
      makeFolders(dirname(file))
      renameSync(join(staged, path), file)
      return file
    })
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

function writeAll(folder: string, files: readonly RenderedFile[]): void {
  for (const { path, text } of files) {
    makeFolders(dirname(join(folder, path)))
    writeFileSync(join(folder, path), text, { flush: true })
  }
}

/** The errors of a directory that cannot be renamed, such as a mount point. */
const immovable = new Set(['EBUSY', 'EACCES', 'EPERM', 'EXDEV', 'EROFS'])

/** False where the directory cannot be replaced: it cannot be renamed, or this process works in it. */
function replacedByRename(target: string, files: readonly RenderedFile[], own: ReadonlySet<string>): boolean {
  if (!relative(target, process.cwd()).startsWith('..')) return false
  let staged: string | undefined
  try {
    staged = mkdtempSync(`${target}.new-`)
    chmodSync(staged, statSync(target).mode)
    writeAll(staged, files)
    for (const former of exchange(staged, target)) {
      besideOthers(() => keepOthers(former, target, own))
      rmSync(former, { recursive: true, force: true })
    }
    return true
  } catch (error) {
    if (staged !== undefined) rmSync(staged, { recursive: true, force: true })
    if (immovable.has(codeOf(error))) return false
    throw error
  }
}

/** Renames one folder to the path of another. Returns the new paths of the folders that were there. */
function exchange(staged: string, target: string): string[] {
  const former = mkdtempSync(`${target}.former-`)
  try {
    renameSync(target, former)
  } catch (error) {
    rmdirSync(former)
    if (codeOf(error) !== 'ENOENT') throw error
  }
  const moved = existsSync(former) ? [former] : []
  try {
    renameSync(staged, target)
    return moved
  } catch (error) {
    // Another run has placed its reports in the meantime.
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) return [...moved, ...exchange(staged, target)]
    for (const folder of moved) renameSync(folder, target)
    throw error
  }
}

/** Moves the files that no run wrote from the former directory to the new one. */
function keepOthers(former: string, target: string, own: ReadonlySet<string>, folder = ''): void {
  for (const name of readdirSync(join(former, folder))) {
    const path = folder === '' ? name : `${folder}/${name}`
    if (partFolders.includes(path)) keepOthers(former, target, own, path)
    else if (!own.has(path) && !existsSync(join(target, path))) {
      makeFolders(dirname(join(target, path)))
      renameSync(join(former, path), join(target, path))
    }
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}

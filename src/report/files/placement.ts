import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { messageOf, UsageError } from '../../text/errors.ts'
import type { RenderedFile } from '../formats/formats.ts'
import {
  isRunDirectory,
  kindOf,
  laneFolders,
  ownFiles,
  refuseForeign,
  runRecordIn,
} from './ownership.ts'

/** Renders files one after the other, the record of the run first. They are rendered again where they could not be placed. */
type Files = () => Iterable<RenderedFile>

/** The run records in the directories that this process prepared, as it last saw them. */
const lastSeen = new Map<string, string | undefined>()

/** Creates the directory of the reports. Throws {@link UsageError} if no file can be written, or a file of others is in the way. */
export function prepareDirectory(directory: string) {
  try {
    makeFolders(directory)
    fs.rmSync(fs.mkdtempSync(join(directory, '.new-')), { recursive: true })
    lastSeen.set(directory, runRecordIn(directory))
  } catch (error) {
    throw new UsageError(
      `reports cannot be written to ${directory}: ${fileAbove(directory) ?? messageOf(error)}. --out (or report.directory) names a directory that can be written`,
    )
  }
  refuseForeign(directory)
}

/** A clause about a path that is a file, or is below one: `reports is a file`. */
export function fileAbove(path: string) {
  if (fs.existsSync(path)) return fs.statSync(path).isDirectory() ? undefined : `${path} is a file`
  return fileAbove(dirname(path))
}

/** Creates missing folders one by one: Node hangs when it creates several below a folder such as /proc. */
function makeFolders(folder: string) {
  if (fs.existsSync(folder)) return
  makeFolders(dirname(folder))
  fs.mkdirSync(folder)
}

/** Creates a missing directory. Throws {@link UsageError} if a file of others is in the way: no report is placed without this call. */
function claim(directory: string) {
  makeFolders(directory)
  refuseForeign(directory)
}

/** The directory for the reports: a new one beside `directory` if another run wrote its own since {@link prepareDirectory}. */
export function directoryBesideOthers(directory: string) {
  const found = runRecordIn(directory)
  if (!lastSeen.has(directory) || found === undefined || found === lastSeen.get(directory))
    return directory
  lastSeen.set(directory, found)
  let number = 2
  while (kindOf(`${directory}-${number}`)) number += 1
  return `${directory}-${number}`
}

/** The reports in a directory after an error, as a sentence. */
export function leftReports(directory: string) {
  const record = runRecordIn(directory)
  if (record === undefined || !isRunDirectory(directory)) return 'There are no reports in it'
  return record === lastSeen.get(directory)
    ? 'The reports of the former run are unchanged'
    : 'Its run.json is new, and its other reports may be missing or of the former run'
}

/**
 * Replaces the reports of the former run in a directory; other files stay. The new set is written beside the directory and takes its
 * place by a rename, so that a reader finds one whole set. The former set survives a crash: in its place, or beside it in a folder
 * `<directory>.former-…`. Throws {@link UsageError} for a file of others in the place of a report, and errors of the system.
 */
export function replaceReports(directory: string, files: Files) {
  retryBesideOthers(() => {
    claim(directory)
    const target = fs.realpathSync(directory)
    const own = new Set(isRunDirectory(target) ? ownFiles : [])
    if (replacedByRename(target, files, own)) return
    const added = addFiles(target, files)
    // Without run.json, the others would seem to be files of others.
    for (const path of [...own].reverse()) {
      if (!added.includes(join(target, path))) fs.rmSync(join(target, path), { force: true })
    }
  })
  const [index] = files()
  if (lastSeen.has(directory)) lastSeen.set(directory, index?.text)
}

/** Repeats work that failed because another run replaced the directory at the same time. */
function retryBesideOthers(work: () => void, left = 20) {
  try {
    work()
  } catch (error) {
    if (left === 1 || !['ENOENT', 'EEXIST', 'ENOTEMPTY'].includes(codeOf(error))) throw error
    retryBesideOthers(work, left - 1)
  }
}

/** Writes files into a directory, each of them whole. Returns their paths. Throws {@link UsageError} like {@link replaceReports}. */
export function addFiles(directory: string, files: Files) {
  claim(directory)
  return staging(join(directory, '.new-'), files, (staged, paths) =>
    paths.map((path) => {
      const file = join(directory, path)
      makeFolders(dirname(file))
      fs.renameSync(join(staged, path), file)
      return file
    }),
  )
}

/** Writes files to a temporary folder, and removes the files that `place` leaves there. */
function staging<Placed>(
  prefix: string,
  files: Files,
  place: (staged: string, paths: string[]) => Placed,
) {
  const staged = fs.mkdtempSync(prefix)
  const paths: string[] = []
  try {
    for (const { path, text } of files()) {
      makeFolders(dirname(join(staged, path)))
      fs.writeFileSync(join(staged, path), text, { flush: true })
      paths.push(path)
    }
    return place(staged, paths)
  } finally {
    removeIfPossible(staged)
  }
}

/** Removes a temporary folder. A rest of it changes no report, so an error would hide the result of the run. */
function removeIfPossible(folder: string) {
  try {
    fs.rmSync(folder, { recursive: true, force: true })
  } catch {
    // The rest stays beside the reports.
  }
}

/** The errors of a directory that cannot be renamed, such as a mount point. */
const immovable = new Set(['EBUSY', 'EACCES', 'EPERM', 'EXDEV', 'EROFS'])

/** False if the directory cannot be replaced: it cannot be renamed, or this process works in it. */
function replacedByRename(target: string, files: Files, own: ReadonlySet<string>) {
  if (!relative(target, process.cwd()).startsWith('..')) return false
  try {
    staging(`${target}.new-`, files, (staged) => {
      fs.chmodSync(staged, fs.statSync(target).mode)
      replaceFolder(staged, target, own)
    })
    return true
  } catch (error) {
    if (immovable.has(codeOf(error))) return false
    throw error
  }
}

/** Replaces a folder by another one, which keeps the files of others. Restores the former folder if that fails. */
function replaceFolder(staged: string, target: string, own: ReadonlySet<string>) {
  const former = `${target}.former-${randomUUID()}`
  fs.renameSync(target, former)
  const moves: Move[] = []
  try {
    move(moves, staged, target)
  } finally {
    // Another run may have put its reports there meanwhile, or replaces these ones now. It keeps the files of others as well.
    if (moves.length > 0 || fs.existsSync(target)) emptyFormer(former, target, own, moves)
    else restore(former, target, moves)
  }
}

/** Moves the files of others out of the former folder and removes it. Moves everything back if that fails. */
function emptyFormer(former: string, target: string, own: ReadonlySet<string>, moves: Move[]) {
  try {
    retryBesideOthers(() => keepOthers(former, target, own, moves))
  } catch (error) {
    restore(former, target, moves)
    throw error
  }
  removeIfPossible(former)
}

/** Undoes moves, the latest first, and puts the former folder in its place. Throws an error of the system with its place if that fails. */
function restore(former: string, target: string, moves: Move[]) {
  try {
    for (const { from, to } of moves.reverse()) fs.renameSync(to, from)
    fs.renameSync(former, target)
  } catch (error) {
    throw Object.assign(
      new Error(`${messageOf(error)}; files of the former run are in ${former}`),
      { syscall: 'rename' },
    )
  }
}

/** A rename that can be undone. */
interface Move {
  readonly from: string
  readonly to: string
}

function move(moves: Move[], from: string, to: string) {
  fs.renameSync(from, to)
  moves.push({ from, to })
}

/** Moves the files that no run wrote from the former directory to the new one. A link is moved itself. */
function keepOthers(
  former: string,
  target: string,
  own: ReadonlySet<string>,
  moves: Move[],
  folder = '',
) {
  for (const name of fs.readdirSync(join(former, folder))) {
    const path = `${folder}${name}`
    const isLane = laneFolders.includes(path) && kindOf(join(former, path)) === 'a folder'
    if (isLane) keepOthers(former, target, own, moves, `${path}/`)
    else if (!own.has(path) && !kindOf(join(target, path))) {
      makeFolders(dirname(join(target, path)))
      move(moves, join(former, path), join(target, path))
    }
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''

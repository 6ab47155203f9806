import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { packageRoot } from '../src/package/root.ts'

/** One import statement, by the files' paths from the root: `src/cli.ts`. Type imports count too. */
export interface FileImport {
  readonly from: string
  readonly to: string
}

/** How often the files of one folder import those of another, by folder. */
export type FolderGraph = ReadonlyMap<string, ReadonlyMap<string, number>>

const roots = ['src', 'suites', 'fixtures', 'bench']

/** Every import between the project's own files, tests left out. */
export function projectImports(): FileImport[] {
  const files = roots.flatMap((root) =>
    readdirSync(join(packageRoot, root), { recursive: true, encoding: 'utf8' }).map((file) => `${root}/${file}`),
  )
  return files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).flatMap(importsOf)
}

/** The project's own files that a file imports, statically or when it comes to it. */
function importsOf(file: string): FileImport[] {
  return [...staticImports(file), ...specifiersIn(file, /\bimport\(\s*'(\.[^']+)'/g)]
}

/** The project's own files that are loaded together with a file. Types are erased, so their imports load nothing. */
function staticImports(file: string, { types = true } = {}): FileImport[] {
  const pattern = types
    ? /^(?:import|export)\b[^'"]*?from '(\.[^']+)'/gm
    : /^(?:import|export)\b(?! type)[^'"]*?from '(\.[^']+)'/gm
  return specifiersIn(file, pattern)
}

/** The packages that a file imports values of: `vitest`, `node:fs`. */
export function packagesOf(file: string): string[] {
  const text = readFileSync(join(packageRoot, file), 'utf8')
  return [...text.matchAll(/^import\b(?! type)[^'"]*?from '([^.'][^']*)'/gm)].map(([, name = '']) => name)
}

function specifiersIn(file: string, pattern: RegExp): FileImport[] {
  const text = readFileSync(join(packageRoot, file), 'utf8')
  return [...text.matchAll(pattern)].map(([, specifier = '']) => ({ from: file, to: posix.join(dirname(file), specifier) }))
}

/** Every file that loading a file loads, itself included. */
export function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const { to } of staticImports(file, { types: false })) loadedWith(to, seen)
  return seen
}

/** Imports between folders, counted; `folderOf` names the folder of a file. Imports within a folder are left out. */
export function folderGraph(imports: readonly FileImport[], folderOf: (file: string) => string): FolderGraph {
  const pairs = imports.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))
  const folders = new Set(pairs.flatMap(({ from, to }) => [from, to]))
  const graph = new Map([...folders].map((folder) => [folder, new Map<string, number>()]))
  for (const { from, to } of pairs) {
    const row = graph.get(from)
    if (row && from !== to) row.set(to, (row.get(to) ?? 0) + 1)
  }
  return graph
}

/** A way from a folder back to itself, as the folders on it; nothing for an acyclic graph. */
export function cycleIn(graph: FolderGraph): string[] | undefined {
  const done = new Set<string>()
  const visit = (folder: string, path: readonly string[]): string[] | undefined => {
    const begin = path.indexOf(folder)
    if (begin >= 0) return [...path.slice(begin), folder]
    if (done.has(folder)) return undefined
    for (const next of graph.get(folder)?.keys() ?? []) {
      const found = visit(next, [...path, folder])
      if (found) return found
    }
    done.add(folder)
    return undefined
  }
  for (const folder of graph.keys()) {
    const found = visit(folder, [])
    if (found) return found
  }
  return undefined
}

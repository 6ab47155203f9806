import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type YAMLError,
} from 'yaml'
import { didYouMean, messageOf, UsageError } from '../text/errors.ts'

/** The keys and positions that lead to a member of a file: `['tokens', 0, 'login']`. */
export type Path = readonly (string | number)[]

/** Names the place of a member: `conformance.config.yaml:7`. */
export type Locate = (path: Path) => string

/** The longest file that is read: the library compares each key of a map with all others. Bytes. */
const longestFile = 256 * 1024

/** Throws {@link UsageError} with the place of a member before the sentence. */
export function refuse(locate: Locate, path: Path, sentence: string): never {
  throw new UsageError(`${locate(path)}: ${sentence}`)
}

/** The value of a YAML file, and the places of its members. Throws {@link UsageError} for a file that is not a map in YAML. */
export function readYaml(file: string): { value: unknown; locate: Locate } {
  const text = textOf(file)
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const [problem] = document.errors
  if (problem)
    throw new UsageError(
      `${file}:${lines.linePos(problem.pos[0]).line} is not valid YAML: ${yamlProblem(problem, text)}`,
    )
  const value = contentOf(document, file)
  if (Array.isArray(value))
    throw new UsageError(`${file}:1 is a list; a map is accepted, such as "target: { baseUrl: … }"`)
  return { value, locate: (path) => `${file}:${lineOf(document, lines, path)}` }
}

/** The text of a file. Other encodings would garble names and hide keys. */
function textOf(file: string): string {
  const problem = fileProblem(file)
  if (problem !== undefined) throw new UsageError(problem)
  try {
    const bytes = readFileSync(file)
    if (bytes.length > longestFile) throw new Error(`it is longer than ${longestFile / 1024} KiB`)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError)
      throw new UsageError(`${file} is not encoded as UTF-8; save it as UTF-8`)
    throw new UsageError(`${file} cannot be read: ${messageOf(error)}`)
  }
}

/** The reason why a file does not exist, with the name of a similar file in its folder; undefined for an existing file. */
export function fileProblem(file: string): string | undefined {
  const entry = statSync(file, { throwIfNoEntry: false })
  if (entry) return entry.isDirectory() ? `${file} is a folder; a YAML file is accepted` : undefined
  const folder = dirname(resolve(file))
  const beside = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder)
    : []
  const yaml = beside.filter((name) => /\.ya?ml$/.test(name))
  const stem = (name: string) => name.replace(/(\.config)?\.ya?ml$/, '')
  const alike = yaml.find((name) => stem(name) === stem(basename(file)))
  return `there is no file ${file}${alike === undefined ? didYouMean(basename(file), yaml) : ` (did you mean "${alike}"?)`}`
}

/** The value of a document. Throws {@link UsageError} for aliases that would make it huge or endless. */
function contentOf(document: Document, file: string): unknown {
  try {
    const value: unknown = document.toJS() ?? {}
    if (isEndless(value)) throw new Error('an alias refers to a map or a list that contains it')
    return value
  } catch (error) {
    throw new UsageError(`${file} is not valid YAML: ${messageOf(error)}`)
  }
}

function isEndless(value: unknown, above: readonly unknown[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (
    above.includes(value) ||
    Object.values(value).some((member) => isEndless(member, [...above, value]))
  )
}

function yamlProblem({ code, message, pos }: YAMLError, text: string): string {
  const key = /^[^\s:]*/.exec(text.slice(pos[0]))?.[0]
  if (code === 'DUPLICATE_KEY' && key) return `the map contains the key "${key}" twice`
  const [line = ''] = text.slice(text.lastIndexOf('\n', pos[0]) + 1).split('\n')
  const [bare] = /\$\{[A-Za-z_][A-Za-z0-9_]*\}/.exec(line) ?? []
  return bare === undefined ? message : `${message} (did you mean "${bare}" in quotes?)`
}

/** The line of a member's key, or of the nearest enclosing member that exists. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  const key = isMap(parent)
    ? parent.items.find((item) => isScalar(item.key) && item.key.value === path.at(-1))?.key
    : undefined
  const node = key ?? document.getIn(path, true)
  const range = (node as { range?: [number, number, number] } | undefined)?.range
  if (range) return lines.linePos(range[0]).line
  return path.length > 1 ? lineOf(document, lines, path.slice(0, -1)) : 1
}

/** The text of a YAML file after a change. Comments and the order of members stay; the library decides the layout. */
export function changedYaml(file: string, text: string, change: (content: Document) => void) {
  const document = parseDocument(text)
  const [problem] = document.errors
  if (problem) throw new UsageError(`${file} is not valid YAML: ${problem.message}`)
  change(document)
  return document.toString({ lineWidth: 0 })
}

/** Appends an entry, on one line, to a list of a document; a missing list is created. */
export function appendTo(document: Document, list: string, entry: object) {
  if (!isSeq(document.get(list))) document.set(list, document.createNode([]))
  document.addIn([list], document.createNode(entry, { flow: true }))
}

import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { remembered } from '../text/data.ts'
import { packageRoot } from './root.ts'

/** The source file of the caller of `callee`, from the package's root. Undefined if the engine does not report it. */
export function sourceOfCaller(callee: (...words: never) => unknown): () => string | undefined {
  const { stackTraceLimit } = Error
  const trace: { stack?: string } = {}
  // One line of the stack is enough. Each further line takes as long again.
  Error.stackTraceLimit = 1
  Error.captureStackTrace(trace, callee)
  Error.stackTraceLimit = stackTraceLimit
  return () => sourceIn(trace.stack?.split('\n')[1] ?? '')
}

function sourceIn(frame: string) {
  const [, file] =
    /(?:\(|at (?:async )?)((?:file:)?\/[^()]*|[A-Za-z]:[^()]*?):\d+:\d+\)?$/.exec(frame) ?? []
  if (file === undefined) return undefined
  return remembered(sources, file, () =>
    sourceOf(file.startsWith('file:') ? fileURLToPath(file) : file),
  )
}

/** The sources of the files that were seen: each of them defines several checks. */
const sources = new Map<string, string>()

/** The source of a file of the project or of its build, from the package's root; of any other file, from the working folder. */
function sourceOf(file: string) {
  const inside = relative(packageRoot, file)
  return (inside.startsWith('..') ? relative(process.cwd(), file) : inside)
    .replaceAll('\\', '/')
    .replace(/^dist\/(.*)\.js$/, '$1.ts')
}

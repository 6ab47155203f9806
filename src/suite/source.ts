import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../package/root.ts'

/**
 * The source file of whoever calls the function `callee`, from the package's root: `suites/common/paging.ts`, for the build too.
 * Undefined where the engine of JavaScript does not tell.
 */
export function sourceOfCaller(callee: (...words: never) => unknown): string | undefined {
  const trace: { stack?: string } = {}
  Error.captureStackTrace(trace, callee)
  const frame = trace.stack?.split('\n')[1] ?? ''
  const [, file] = /(?:\(|at (?:async )?)((?:file:)?\/[^()]*|[A-Za-z]:[^()]*?):\d+:\d+\)?$/.exec(frame) ?? []
  return file === undefined ? undefined : sourceOf(file.startsWith('file:') ? fileURLToPath(file) : file)
}

/** The source of a file of the project or of its build, from the package's root; of any other file, from the working folder. */
function sourceOf(file: string): string {
  const inside = relative(packageRoot, file)
  return (inside.startsWith('..') ? relative(process.cwd(), file) : inside)
    .replaceAll('\\', '/')
    .replace(/^dist\/(.*)\.js$/, '$1.ts')
}

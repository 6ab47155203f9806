import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import { UsageError } from '../text/errors.ts'
import type { Config } from './config.ts'
import { readYaml } from './yaml-file.ts'

/** The suites and the release that a file names; lists need no target and no secret. Throws {@link UsageError}. */
export function readSuiteSettings(file: string): Pick<Config, 'suites' | 'requirements'> {
  const { suites, requirements } = readYaml(file).value as {
    suites?: string | string[]
    requirements?: unknown
  }
  return {
    ...(suites === undefined
      ? {}
      : { suites: suiteFiles([suites].flat().map(String), dirname(resolve(file))) }),
    ...(requirements === undefined ? {} : { requirements: String(requirements) }),
  }
}

/** The files that match `suites`, as sorted absolute paths; `*` matches any text within a name. Throws {@link UsageError}. */
export function suiteFiles(patterns: readonly string[], folder: string) {
  return [...new Set(patterns.flatMap((pattern) => matching(pattern, resolve(folder, pattern))))]
}

function matching(pattern: string, path: string) {
  if (existsSync(path) && !statSync(path).isFile())
    throw new UsageError(
      `suites: "${pattern}" is a folder or a device; files are accepted, as in ./conformance/*.js`,
    )
  const { dir: place, base: name } = parse(path)
  if (place.includes('*'))
    throw new UsageError(
      `suites: "${pattern}": a "*" is accepted in the name of a file only, as in ./conformance/*.js`,
    )
  const found = existsSync(place) ? readdirSync(place).filter((file) => matches(name, file)) : []
  if (found.length === 0)
    throw new UsageError(`suites: "${pattern}": there is no such file in ${place}`)
  return found.sort().map((file) => join(place, file))
}

function matches(pattern: string, file: string) {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&'))
  return (
    new RegExp(`^${parts.join('.*')}$`).test(file) &&
    (parts.length === 1 || !file.endsWith('.d.ts'))
  )
}

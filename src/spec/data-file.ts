import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../package/root.ts'

/** The content of a YAML file of the package, named from `src`: `spec/changes.yaml`. */
export function readData(name: string) {
  return parse(readFileSync(join(packageRoot, 'src', name), 'utf8'))
}

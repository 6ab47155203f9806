import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from './root.ts'

const built = new URL('../data.json', import.meta.url)
const data = existsSync(built) ? JSON.parse(readFileSync(built, 'utf8')) : {}

/** The content of a YAML file of the sources: `src/spec/changes/changes.yaml`. A build has all of them as JSON, so that each command starts fast. */
export function readData(name: string) {
  return data[name] ?? parse(readFileSync(join(packageRoot, name), 'utf8'))
}

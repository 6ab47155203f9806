import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './root.ts'

/** Name and version of the suite, from package.json. */
export const suiteIdentity: { readonly name: string; readonly version: string } = readIdentity()

function readIdentity() {
  const { name, version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
  return { name, version }
}

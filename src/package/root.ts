import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the package: the nearest one above this module with a package.json, for the sources and for the build. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)))

const { name, version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))

/** Name and version of the suite, from package.json. */
export const suiteIdentity: { readonly name: string; readonly version: string } = { name, version }

function findRoot(folder: string) {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder)
    throw new Error('service-conformance is installed without its package.json')
  return findRoot(parent)
}

// Builds what "npm pack" ships: compiled and minified modules, and the types that the entries name.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const entries = ['src/index.d.ts', 'src/vitest.d.ts'].map((file) => join(dist, file))

rmSync(dist, { recursive: true, force: true })
compile('tsconfig.build.json')
compile('tsconfig.types.json')
const built = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((file) => join(dist, file))
built.filter((file) => file.endsWith('.js')).forEach(slim)
const named = entries.reduce(typesNamedBy, new Set())
for (const file of built) if (file.endsWith('.d.ts') && !named.has(file)) rmSync(file)

function compile(project) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** One module stays one file, so that stack traces and "explain" name the source. */
function slim(file) {
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    minify: true,
    format: 'esm',
    legalComments: 'none',
    charset: 'utf8',
  })
  writeFileSync(file, code)
}

/** The declarations that a declaration names, itself included. */
function typesNamedBy(seen, file) {
  if (seen.has(file)) return seen
  seen.add(file)
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?['"](\.[^'"]+)['"]/g)
  for (const [, path] of imports) typesNamedBy(seen, join(dirname(file), path.replace(/\.[jt]s$/, '.d.ts')))
  return seen
}

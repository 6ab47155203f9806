// Builds what "npm pack" ships: compiled and minified modules, and the types that the entries name.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync, transformSync } from 'esbuild'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const reference = join(dist, 'fixtures', 'reference')
const entries = ['src/index.d.ts', 'src/vitest.d.ts'].map((file) => join(dist, file))

rmSync(dist, { recursive: true, force: true })
compile('tsconfig.build.json')
compile('tsconfig.types.json')
const built = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((file) => join(dist, file))
joinReference()
built.filter((file) => file.endsWith('.js') && !file.startsWith(reference)).forEach(slim)
const named = entries.reduce(typesNamedBy, new Set())
for (const file of built) if (file.endsWith('.d.ts') && !named.has(file)) rmSync(file)

function compile(project) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** The reference server becomes a few files: what a program imports of it, and what those share. */
function joinReference() {
  const { outputFiles } = buildSync({
    entryPoints: ['faults/index.js', 'variants/index.js', 'server/start.js'].map((file) => join(reference, file)),
    outdir: reference,
    outbase: reference,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    charset: 'utf8',
    packages: 'external',
    external: [join(dist, 'src', '*'), join(dist, 'suites', '*')],
    write: false,
  })
  for (const file of built) if (file.startsWith(reference) && file.endsWith('.js')) rmSync(file)
  // The bundler names what lies outside as seen from its output folder, whatever the depth of a file.
  for (const { path, text } of outputFiles) writeFileSync(path, text.replaceAll('"../../', `"${relative(dirname(path), dist)}/`))
}

/** One module stays one file elsewhere, so that stack traces and "explain" name the source. */
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

// Builds what "npm pack" ships: compiled, joined and minified modules, and the types that the entries name.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transformSync } from 'esbuild'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const inDist = (...files) => files.map((file) => join(dist, file))
const minified = { minify: true, format: 'esm', legalComments: 'none', charset: 'utf8' }

rmSync(dist, { recursive: true, force: true })
compile('tsconfig.build.json')
compile('tsconfig.types.json')
const built = inDist(...readdirSync(dist, { recursive: true, encoding: 'utf8' }))
const modules = built.filter((file) => file.endsWith('.js'))
// The place of some modules tells something: the source of a check, or what a path is relative to. They stay files, and what they import.
const placed = modules.filter((file) => readFileSync(file, 'utf8').includes('import.meta'))
const apart = namedBy('.js', [...inDist('suites/index.js', 'src/run/engine/entry.js'), ...placed])
const programs = await joined(inDist('src/cli.js', 'src/index.js', 'src/vitest.js'))
for (const file of modules) apart.has(file) ? slim(file) : rmSync(file)
for (const { path, text } of programs) writeFileSync(path, text)
const types = namedBy('.d.ts', inDist('src/index.d.ts', 'src/vitest.d.ts'))
for (const file of built.filter((each) => each.endsWith('.d.ts'))) types.has(file) ? indentByTabs(file) : rmSync(file)
for (const file of readdirSync(join(root, 'schemas'), { recursive: true, encoding: 'utf8' }))
  if (file.endsWith('.json')) ship(file)

function compile(project) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { status } = spawnSync(process.execPath, [compiler, '-p', project], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** The programs and the modules that they alone import, as few files. */
async function joined(entryPoints) {
  const keepApart = {
    name: 'keep-apart',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\./ }, ({ importer, path }) => {
        const file = resolve(dirname(importer), path)
        return apart.has(file) ? { path: file, external: true } : undefined
      }),
  }
  const output = {
    outdir: join(dist, 'src'),
    bundle: true,
    splitting: true,
    platform: 'node',
    packages: 'external',
    write: false,
  }
  const { outputFiles } = await build({ ...minified, ...output, entryPoints, plugins: [keepApart] })
  // The bundler leaves the paths of what stays apart absolute.
  return outputFiles.map(({ path, text }) => ({ path, text: text.replaceAll(`"${dist}/`, `"${relative(dirname(path), dist)}/`) }))
}

function slim(file) {
  writeFileSync(file, transformSync(readFileSync(file, 'utf8'), minified).code)
}

function indentByTabs(file) {
  const indented = readFileSync(file, 'utf8').replace(/^( {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
  writeFileSync(file, indented)
}

/** A schema without white space. */
function ship(file) {
  const shipped = join(dist, 'schemas', file)
  mkdirSync(dirname(shipped), { recursive: true })
  writeFileSync(shipped, JSON.stringify(JSON.parse(readFileSync(join(root, 'schemas', file), 'utf8'))))
}

/** The modules, or the declarations, that some files name, themselves included. */
function namedBy(extension, files, seen = new Set()) {
  for (const file of files.filter((each) => !seen.has(each))) {
    seen.add(file)
    const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?['"](\.[^'"]+)['"]/g)
    const named = [...imports].map(([, path]) => join(dirname(file), path.replace(/\.[jt]s$/, extension)))
    namedBy(extension, named, seen)
  }
  return seen
}

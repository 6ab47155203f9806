// Packs the project from a fresh copy, installs it in an unrelated project and uses it there as a stranger would.
// "node tools/install-check.mjs" takes the running Node, "node tools/install-check.mjs 20 22 24 26" these lines. The last line is JSON.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(join(tmpdir(), 'service-conformance-install-'))
const lines = process.argv.slice(2)

try {
  const packed = await pack()
  const installations = []
  for (const line of lines.length === 0 ? [undefined] : lines) installations.push(await check(packed.file, line))
  process.stdout.write(`${JSON.stringify({ ...packed, installations })}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The tarball, made from a copy without anything that a clone would not have. */
async function pack() {
  const copy = join(folder, 'clone')
  const left = new Set(['.git', 'node_modules', 'dist', '.cache', 'coverage'])
  cpSync(root, copy, { recursive: true, filter: (file) => dirname(file) !== root || !left.has(basename(file)) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const started = Date.now()
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: copy })
  const answer = JSON.parse(stdout)
  const [{ filename, unpackedSize, size, files }] = Array.isArray(answer) ? answer : Object.values(answer)
  const packed = { unpackedSize, packedSize: size, files: files.map(({ path }) => path) }
  say(`packed ${packed.files.length} files, ${unpackedSize} bytes unpacked, ${size} packed`, started)
  return { file: join(folder, filename), ...packed }
}

/** Installs the tarball beside configuration files of other tools, which the suite must not read, and uses it. */
async function check(tarball, line) {
  const project = join(folder, `project-${line ?? 'this'}`)
  mkdirSync(join(project, 'deep', 'down'), { recursive: true })
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'a-shop', private: true, type: 'commonjs' }))
  for (const name of ['vite.config.ts', 'vitest.config.ts', 'postcss.config.cjs']) {
    writeFileSync(join(project, name), 'throw new Error("the configuration of another tool was read")\n')
  }
  writeFileSync(
    join(project, 'tsconfig.json'),
    '{ "compilerOptions": { "jsx": "react", "baseUrl": "nowhere" }, "extends": "./missing.json" }',
  )
  const started = Date.now()
  const wanted = [tarball, ...(line === undefined ? [] : [`node@${line}`])]
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...wanted], { cwd: project })
  const installSeconds = seconds(started)
  const node = line === undefined ? process.execPath : join(project, 'node_modules', 'node', 'bin', 'node')
  const { stdout } = await run(node, ['--version'])
  say(`installed, Node ${stdout.trim()}`, started)
  const packages = packagesIn(join(project, 'node_modules')).filter((name) => !/^(node|node-bin-.*)$/.test(name)).length
  const useStarted = Date.now()
  const installed = join(project, 'node_modules', 'service-conformance')
  // Whoever runs this as root may write all the same, so the state is compared too.
  await run('chmod', ['-R', 'a-w', installed])
  try {
    await use(project, node, installed)
  } finally {
    await run('chmod', ['-R', 'u+w', installed])
  }
  return { node: stdout.trim(), installSeconds, useSeconds: seconds(useStarted), packages }
}

/** Every command that needs no server of one's own, from several folders; the installation must be as it was afterwards. */
async function use(project, node, installed) {
  const before = stateOf(installed)
  const command = join(project, 'node_modules', '.bin', 'service-conformance')
  // The command is found on the path, as npx does, and runs under the Node of the line.
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter), FORCE_COLOR: '0', CI: '' }
  const call = async (cwd, ...words) => {
    const started = Date.now()
    const { stdout } = await run(command, words, { cwd, env })
    say(`service-conformance ${words.join(' ')}`, started)
    return stdout
  }
  const deep = join(project, 'deep', 'down')

  assert.match(await call(project, '--version'), /^\d+\.\d+\.\d+\n$/)
  assert.match(await call(deep, 'list', 'checks', '--only', 'events.public'), /\d+ checks\n$/)
  assert.match(await call(deep, 'list', 'faults'), /^events\.public\.\S+ /m)
  const explained = await call(deep, 'explain', 'events.public.per-page-default')
  assert.match(explained, /source +suites\/common\/paging\.ts.*on the reference server, which is stopped again: passed/s)
  await call(
    deep,
    'run',
    '--reference',
    '--only',
    'events.public.status',
    '--only',
    'notifications.thread',
    '--out',
    'own-reports',
  )
  const report = JSON.parse(readFileSync(join(deep, 'own-reports', 'run.json'), 'utf8'))
  assert.equal(report.verdict, 'conforms')
  assert.match(await call(deep, 'report', 'own-reports', '--format', 'html'), /report\.html\n$/)
  assert.ok(existsSync(join(deep, 'own-reports', 'report.html')))
  assert.equal(JSON.parse(await call(deep, 'openapi', '--api-version', '2026-03-10')).openapi.slice(0, 2), '3.')
  await judgeServed(project, command, env, call)
  await importLibrary(project, node)
  assert.deepEqual(stateOf(installed), before, 'the installation was written to')
}

/** A server in one process, judged by the configuration that it wrote in another one. */
async function judgeServed(project, command, env, call) {
  const server = spawn(command, ['serve', '--write-config', 'served.yaml'], { cwd: project, env })
  try {
    await new Promise((resolve, reject) => {
      server.stdout.once('data', resolve)
      server.once('exit', () => reject(new Error('the reference server did not start')))
    })
    await call(join(project, 'deep'), 'run', '--config', '../served.yaml', '--only', 'events.public.status', '--out', 'served')
  } finally {
    server.kill()
  }
}

/** What the package exports, from a module of the project. */
async function importLibrary(project, node) {
  const module = `
    import { judgeTarget, loadConfig, startReferenceServer, renderReport, compareRuns, check, suite, need } from 'service-conformance'
    import config from 'service-conformance/schemas/config.schema.json' with { type: 'json' }
    import { createRequire } from 'node:module'
    const names = [judgeTarget, loadConfig, startReferenceServer, renderReport, compareRuns, check, suite, need]
    const version = createRequire(import.meta.url)('service-conformance/package.json').version
    console.log(JSON.stringify([names.every((name) => typeof name === 'function'), config.title, version]))
  `
  writeFileSync(join(project, 'use.mjs'), module)
  const { stdout } = await run(node, ['--no-warnings', 'use.mjs'], { cwd: project })
  const [functions, title, version] = JSON.parse(stdout)
  assert.deepEqual([functions, title], [true, 'conformance.config.yaml'])
  assert.match(version, /^\d/)
}

/** Every file of an installation with its size and the time of its last change. */
function stateOf(place) {
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((file) => [file, statSync(join(place, file)).size, statSync(join(place, file)).mtimeMs])
}

/** The names of the packages in a folder of modules, nested ones included. */
function packagesIn(modules) {
  if (!existsSync(modules)) return []
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'))
  const all = names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((part) => `${name}/${part}`) : [name],
  )
  return all.flatMap((name) => [name, ...packagesIn(join(modules, name, 'node_modules'))])
}

async function run(file, words, options = {}) {
  try {
    return await promisify(execFile)(file, words, { maxBuffer: 64 * 1024 * 1024, ...options })
  } catch (error) {
    throw new Error(`${basename(file)} ${words.join(' ')} ended with ${error.code}\n${error.stdout ?? ''}${error.stderr ?? ''}`)
  }
}

function seconds(started) {
  return Math.round((Date.now() - started) / 100) / 10
}

function say(what, started) {
  process.stderr.write(`${String(seconds(started)).padStart(6)} s  ${what}\n`)
}

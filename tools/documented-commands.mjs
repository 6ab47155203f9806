// Runs every command and every program of the documentation against the reference server, page by page, and counts them.
// "node tools/documented-commands.mjs [page]..." takes these pages only; "--list" shows what would be run.
//
// In a page, the blocks of a scratch folder are made from top to bottom:
// - A block with a file's name behind its language (```js conformance/quota.js) is written to that file.
// - A block "sh" is run by bash; a block "js" without a file's name is run as a module.
// - "<!-- exits N -->" above a block states its exit code; "<!-- illustration: why -->" says why it is not run.
// - "<!-- with socat -->" runs a block, and the rest of its page, only where these programs are present.
// http://localhost:3000 stands for the reference server, of which TARGET_URL and the tokens are in the environment.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { startAdminApi } from './admin-api.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const cli = join(root, 'dist', 'src', 'cli.js')
const usualAddress = 'http://localhost:3000'
/** How long one block may take. Milliseconds. */
const deadline = 600_000

const words = process.argv.slice(2)
const pages = words.filter((word) => !word.startsWith('--'))
const all = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...markdownBelow('docs')]
const blocks = (pages.length > 0 ? pages : all).flatMap(blocksOf)
const totals = { run: 0, programs: 0, illustrations: 0, withoutRuntime: 0 }

if (words.includes('--list')) process.stdout.write(`${JSON.stringify(blocks.filter(isRunnable), null, 1)}\n`)
else await runAll()

async function runAll() {
  for (const page of new Set(blocks.map((block) => block.page))) {
    const own = blocks.filter((block) => block.page === page)
    if (own.some(isRunnable)) await runPage(page, own)
  }
  const { run, programs, illustrations, withoutRuntime } = totals
  process.stdout.write(
    `${run} documented commands and ${programs} programs were run, ${illustrations} commands are illustrations, ${withoutRuntime} need a program that is not here\n`,
  )
}

function markdownBelow(folder) {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `${folder}/${file}`)
}

/** The fenced blocks of a page that have a language, with what the comment above says of each. */
function blocksOf(page) {
  const text = readFileSync(join(root, page), 'utf8')
  const pattern = /(?:<!-- (illustration|exits|with):? ?(.*?) -->\n+)?^```(\w+)(?: (\S+))?\n(.*?)^```$/gms
  return [...text.matchAll(pattern)].map(([, mark, value, language, file, code]) => {
    const commands = language === 'sh' && file === undefined ? commandsOf(code) : []
    return { page, language, file, code, commands, ...(mark === undefined ? {} : { [mark]: value }) }
  })
}

/** One command a line; a line that ends with a backslash goes on. */
function commandsOf(code) {
  const lines = code.replaceAll('\\\n', ' ').split('\n')
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
}

function isRunnable({ language, file, commands }) {
  return commands.length > 0 || (language === 'js' && file === undefined)
}

async function runPage(page, own) {
  const folder = mkdtempSync(join(tmpdir(), 'service-conformance-page-'))
  const server = await startServer(folder)
  const admin = await startAdminApi(server.provider)
  const place = { folder, server, children: [], env: environmentOf(folder, server, admin.address) }
  try {
    let missing
    for (const block of own) {
      missing ??= block.with?.split(' ').find((program) => spawnSync('which', [program]).status !== 0)
      await runBlock(block, place, missing)
    }
    process.stderr.write(`${page} is as it says\n`)
  } finally {
    for (const child of place.children) end(child)
    end(server.child)
    await admin.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runBlock(block, place, missing) {
  const { file, language, code, commands, illustration } = block
  if (file !== undefined) return write(join(place.folder, file), localized(code, place))
  if (!isRunnable(block)) return
  if (illustration !== undefined) totals.illustrations += Math.max(commands.length, 1)
  else if (missing !== undefined) totals.withoutRuntime += Math.max(commands.length, 1)
  else if (language === 'js') await runProgram(block, place)
  else await runCommands(block, place)
}

async function runProgram(block, place) {
  write(join(place.folder, 'example.mjs'), localized(block.code, place))
  await expectExit(block, place, process.execPath, ['--no-warnings', 'example.mjs'])
  totals.programs += 1
}

async function runCommands(block, place) {
  await expectExit(block, place, 'bash', ['--noprofile', '--norc', '-euo', 'pipefail', '-c', localized(block.code, place)])
  totals.run += block.commands.length
}

/** What a command starts in the background goes on until the page ends. */
async function expectExit({ page, code, exits = '0' }, { folder, env, children }, file, parameters) {
  const child = spawn(file, parameters, { cwd: folder, env, detached: true })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const timer = setTimeout(() => end(child), deadline)
  const status = await new Promise((resolve) => child.once('exit', (number, signal) => resolve(String(number ?? signal))))
  clearTimeout(timer)
  await new Promise((resolve) => setTimeout(resolve, 50))
  if (status !== exits) throw new Error(`${page}: this ended with ${status} instead of ${exits}:\n${code}\n${said}`)
}

/** Ends a process and what it started. */
function end(child) {
  try {
    process.kill(-child.pid, 'SIGTERM')
  } catch {
    // It has ended already.
  }
}

/** The reference server in a process of its own; the scratch folder has the package installed. */
async function startServer(folder) {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  symlinkSync(root, join(modules, 'service-conformance'))
  symlinkSync(join(root, 'node_modules', 'vitest'), join(modules, 'vitest'))
  write(join(modules, '.bin', 'service-conformance'), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`)
  write(
    join(modules, '.bin', 'vitest'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'node_modules/vitest/vitest.mjs')}" "$@"\n`,
  )
  for (const name of ['service-conformance', 'vitest']) chmodSync(join(modules, '.bin', name), 0o755)
  write(join(folder, 'package.json'), '{ "name": "a-shop", "private": true, "type": "module" }')
  const written = join(modules, 'reference.yaml')
  const child = spawn(process.execPath, [cli, 'serve', '--write-config', written], { detached: true })
  const ready = await new Promise((resolve, reject) => {
    child.stdout.once('data', (line) => resolve(JSON.parse(line)))
    child.once('exit', () => reject(new Error('the reference server did not start')))
  })
  return { child, ...ready, tokens: parse(readFileSync(written, 'utf8')).tokens }
}

function environmentOf(folder, { baseUrl, tokens }, admin) {
  const secrets = tokens.map(({ role, secret }) => [`${role.toUpperCase().replaceAll('-', '_')}_TOKEN`, secret])
  return {
    ...Object.fromEntries(secrets),
    PATH: [join(folder, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: folder,
    TARGET_URL: baseUrl,
    ADMIN_URL: admin,
    npm_config_update_notifier: 'false',
  }
}

function localized(code, { server }) {
  return code.replaceAll(usualAddress, server.baseUrl)
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { buildSync } from 'esbuild'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import { packageRoot } from '../../package/root.ts'
import { addFiles, prepareDirectory, replaceReports } from './placement.ts'
import { readRun } from './read.ts'
import { writeReports } from './write.ts'

const { folder: home, at } = temporaryFolder('placement')
const program = at('placement.mjs')
/** The marker of a directory that a run wrote. */
const ownRecord = '{"format":"service-conformance-run"}'

beforeAll(() => {
  const source = join(packageRoot, 'src/report/files/placement.ts')
  buildSync({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', outfile: program })
})

/** An empty directory, the only one in its parent. */
function folder() {
  return mkdtempSync(join(mkdtempSync(at('parent-')), 'reports-'))
}

/** The names of the other files in the parent of a directory. */
function beside(directory: string) {
  return readdirSync(dirname(directory)).filter((name) => !directory.endsWith(name))
}

/** A process that works in `cwd` and replaces the reports of a directory again and again, each time by 20 files with one text. */
function placing(directory: string, name: string, rounds: number, cwd = home) {
  const script = `
    import { replaceReports } from ${JSON.stringify(program)}
    for (let round = 0; round < ${rounds}; round += 1) {
      const text = '${name}' + round
      replaceReports(${JSON.stringify(directory)}, () => Array.from({ length: 20 }, (_, index) => ({ path: index + '.txt', text })))
    }`
  return spawn(process.execPath, ['--input-type=module', '-e', script], { cwd, stdio: 'inherit' })
}

/** The texts of the 20 files; one text where they are of one set. */
function textsIn(directory: string) {
  const files = Array.from({ length: 20 }, (_, index) => join(directory, `${index}.txt`))
  return [...new Set(files.map(textOrMissing))]
}

/** The text of a file that another process may replace at any moment. */
function textOrMissing(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return 'missing'
  }
}

test('a run removes the reports that an earlier run wrote in other formats and versions, and nothing else', () => {
  const directory = folder()
  const records = sampleRecords()
  writeReports(directory, records, ['html', 'junit', 'badge'])
  for (const file of ['history.jsonl', 'README.md', '2022-11-28/notes.txt']) writeFileSync(join(directory, file), 'mine')
  writeReports(directory, { ...records, reports: records.reports.slice(1) }, ['markdown'])
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()
  expect(files).toEqual([
    '2022-11-28',
    '2022-11-28/notes.txt',
    '2026-03-10',
    '2026-03-10/report.json',
    'README.md',
    'history.jsonl',
    'run.json',
    'summary.md',
  ])
})

test.each([
  ['replaced', replaceReports],
  ['extended', addFiles],
])('a directory that is %s with files that cannot be written keeps the former set', (_, place) => {
  const directory = folder()
  addFiles(directory, () => [{ path: 'run.json', text: ownRecord }])
  const broken = {
    path: 'report.html',
    get text(): string {
      throw new Error('the renderer failed')
    },
  }
  expect(() => place(directory, () => [{ path: 'run.json', text: 'new' }, broken])).toThrow('the renderer failed')
  expect(readFileSync(join(directory, 'run.json'), 'utf8')).toBe(ownRecord)
  expect(readdirSync(directory)).toEqual(['run.json'])
  expect(beside(directory)).toEqual([])
})

test('a new set replaces the former one with the same access rights, and nothing remains beside the directory', () => {
  const directory = folder()
  chmodSync(directory, 0o750)
  for (const formats of [['badge', 'html'], ['markdown']]) writeReports(directory, sampleRecords(), formats)
  expect(readdirSync(directory)).toEqual(['2022-11-28', '2026-03-10', 'run.json', 'summary.md'])
  expect(statSync(directory).mode & 0o777).toBe(0o750)
  expect(beside(directory)).toEqual([])
})

test('a link to a directory stays a link', () => {
  const [directory, link] = [folder(), join(folder(), 'link')]
  symlinkSync(directory, link)
  writeReports(link, sampleRecords(), [])
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(readRun(directory).run.seed).toBe(7)
})

test('processes that write into one directory at the same time leave one whole set', async () => {
  const directory = folder()
  const ended = ['a', 'b', 'c'].map((name) => once(placing(directory, name, 40), 'exit'))
  expect((await Promise.all(ended)).map(([code]) => code)).toEqual([0, 0, 0])
  expect(textsIn(directory)).toEqual([expect.stringMatching(/^[abc]39$/)])
  expect(beside(directory)).toEqual([])
})

test('a whole set survives a process that is killed while it replaces the former one', async () => {
  const directory = folder()
  for (let kill = 0; kill < 12; kill += 1) {
    const child = placing(directory, `${kill}-`, 1e6)
    while (!textsIn(directory)[0]?.startsWith(`${kill}-`)) await new Promise((resolve) => setTimeout(resolve, 5))
    await new Promise((resolve) => setTimeout(resolve, 10 * Math.random()))
    child.kill('SIGKILL')
    await once(child, 'exit')
    const former = beside(directory).filter((name) => name.includes('.former-'))
    const place = existsSync(join(directory, '0.txt')) ? directory : join(dirname(directory), former.at(-1) ?? '')
    expect(textsIn(place)).toEqual([expect.stringMatching(new RegExp(`^${kill}-`))])
    for (const name of beside(directory)) rmSync(join(dirname(directory), name), { recursive: true })
  }
})

test('the directory in which a process works is not renamed, and gets its files one by one', async () => {
  const directory = folder()
  const { ino } = statSync(directory)
  expect(await once(placing(directory, 'a', 2, directory), 'exit')).toEqual([0, null])
  expect(textsIn(directory)).toEqual(['a1'])
  expect(statSync(directory).ino).toBe(ino)
  expect(readdirSync(directory)).toHaveLength(20)
})

test.each([
  ['a file', (root: string) => join(root, 'taken')],
  ['a folder below a file', (root: string) => join(root, 'taken', 'reports')],
  ['a folder of the system', () => '/proc/reports'],
])('%s cannot be the directory of reports', (_, place) => {
  const root = folder()
  writeFileSync(join(root, 'taken'), '')
  expect(() => prepareDirectory(place(root))).toThrow(/^reports cannot be written to .*--out/)
})

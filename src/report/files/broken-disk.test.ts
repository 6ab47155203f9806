import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import { leftReports, prepareDirectory } from './placement.ts'
import { writeReports } from './write.ts'

const changing = ['mkdirSync', 'mkdtempSync', 'writeFileSync', 'renameSync', 'chmodSync', 'rmSync'] as const
const whole = Object.fromEntries(changing.map((name) => [name, fs[name]]))
afterEach(() => repair())

function repair() {
  Object.assign(fs, whole)
  syncBuiltinESMExports()
}

/** Lets some of the later changes of files fail with a code. Returns the number of changes so far. */
function breakDisk(code: string, fails: (change: number) => boolean) {
  let changes = 0
  const broken = changing.map((name) => {
    const change = (...words: unknown[]) => {
      changes += 1
      if (fails(changes)) throw Object.assign(new Error(`${code}: ${name}`), { code, syscall: name })
      return (whole[name] as (...words: unknown[]) => unknown)(...words)
    }
    return [name, change]
  })
  Object.assign(fs, Object.fromEntries(broken))
  syncBuiltinESMExports()
  return () => changes
}

/** The files below a folder with their texts. */
function filesIn(folder: string) {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort() : []
  const files = names.filter((name) => fs.statSync(join(folder, name)).isFile())
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

const { at } = temporaryFolder('broken')
const foreign = ['mine.txt', '2026-03-10/notes.txt']

/** A directory with the reports of a run and with files of others. */
function written() {
  const directory = join(mkdtempSync(at('disk-')), 'reports')
  mkdirSync(directory)
  prepareDirectory(directory)
  writeReports(directory, sampleRecords(), ['junit'])
  for (const name of foreign) writeFileSync(join(directory, name), 'mine')
  prepareDirectory(directory)
  return directory
}

/** The message of the error with the sentence about the files; empty after success. */
function attempt(directory: string) {
  try {
    writeReports(directory, { ...sampleRecords(), run: { ...sampleRecords().run, seed: 8 } }, ['html'])
    return ''
  } catch (error) {
    return `${(error as Error).message}. ${leftReports(directory)}`
  } finally {
    repair()
  }
}

/** Writes reports on a disk that fails at one change after the other, until a change is late enough to fail no longer. */
function* attempts(code: string, lasting: boolean) {
  for (let failing = 1, hasFailed = true; hasFailed; failing += 1) {
    const directory = written()
    const before = filesIn(directory)
    const changes = breakDisk(code, (change) => (lasting ? change >= failing : change === failing))
    yield { directory, before, said: attempt(directory) }
    hasFailed = changes() >= failing
  }
}

const codes = ['EIO', 'EACCES', 'ENOSPC'].flatMap((code) => [[code, false] as const, [code, true] as const])

test.each(codes)('on a disk that fails with %s (lasting: %s), each sentence about the files is true', (code, lasting) => {
  let tried = 0
  for (const { directory, before, said } of attempts(code, lasting)) {
    tried += 1
    const after = filesIn(directory)
    const place = /files of the former run are in (.+?)\. /.exec(said)?.[1]
    const kept = { ...(place ? filesIn(place) : {}), ...after }
    for (const name of foreign) expect([said, name, kept[name]]).toEqual([said, name, 'mine'])
    if (said === '')
      expect([Object.keys(after), after['run.json']]).toEqual([
        expect.arrayContaining(['report.html']),
        expect.stringContaining('"seed": 8'),
      ])
    if (said.includes('are unchanged')) expect(after).toEqual(before)
    if (said.includes('run.json is new')) expect(after['run.json']).toContain('"seed": 8')
    if (said.includes('no reports in it'))
      expect([said, after['run.json']]).toEqual([expect.stringContaining('are in'), undefined])
    const beside = readdirSync(dirname(directory)).filter((name) => name.includes('.former-'))
    if (!lasting && place === undefined) expect([said, beside.length <= (said === '' ? 1 : 0)]).toEqual([said, true])
  }
  expect(tried).toBeGreaterThan(10)
})

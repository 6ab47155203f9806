import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import { addFiles, prepareDirectory } from './placement.ts'
import { appendToFile } from './regular-file.ts'
import { addToHistory, writeReports } from './write.ts'

const { at } = temporaryFolder('ownership')

/** A folder with a folder `private`, which contains a key, and the directory of reports. */
function scene() {
  const root = mkdtempSync(at('scene-'))
  const [secret, reports] = [join(root, 'private'), join(root, 'reports')]
  for (const each of [secret, reports]) mkdirSync(each)
  writeFileSync(join(secret, 'key'), 'mine')
  return { root, secret, reports }
}

/** Every way in which reports come to a directory: the preparation of a run, its end, and the command `report`. */
const places = [
  prepareDirectory,
  (directory: string) => writeReports(directory, sampleRecords(), ['html']),
  (directory: string) => addFiles(directory, () => []),
]

const pipe = (path: string) => execFileSync('mkfifo', [path])

/** Entries of others in a directory of reports. Each entry is refused before and after a run of the suite. */
const inTheWay: [string, string, (path: string, secret: string) => void][] = [
  ['a link in the place of a version', '2026-03-10', (path, secret) => symlinkSync(secret, path)],
  ['a link to nothing in the place of a version', '2026-03-10', (path) => symlinkSync('nothing', path)],
  ['a file in the place of a version', '2026-03-10', (path) => writeFileSync(path, 'mine')],
  ['a file in the place of the comparison', 'across-versions', (path) => writeFileSync(path, 'mine')],
  ['a link in the place of the record', 'run.json', (path, secret) => symlinkSync(join(secret, 'key'), path)],
  ['a pipe in the place of the record', 'run.json', pipe],
  ['a folder in the place of a page', 'report.html', (path) => mkdirSync(path)],
  ['a link in the place of a page', 'report.html', (path, secret) => symlinkSync(join(secret, 'key'), path)],
  ['a link in the place of the history', 'history.jsonl', (path, secret) => symlinkSync(join(secret, 'key'), path)],
]

test.each(inTheWay)('%s is refused, and nothing moves', (_, name, make) => {
  const { secret, reports, root } = scene()
  writeReports(reports, sampleRecords(), ['junit'])
  const path = join(reports, name)
  rmSync(path, { recursive: true, force: true })
  make(path, secret)
  const before = [lstatSync(path).mode, ...readdirSync(reports)]
  for (const place of places) expect(() => place(reports)).toThrow(new RegExp(`^reports are not written: .*${name} is a .*--out`))
  expect([lstatSync(path).mode, ...readdirSync(reports)]).toEqual(before)
  expect(readdirSync(root)).toEqual(['private', 'reports'])
  expect(readFileSync(join(secret, 'key'), 'utf8')).toBe('mine')
})

const tooLong = '{"format":"service-conformance-run"}'.padEnd(2 ** 26 + 1)

test.each(['{"format":"of another program"}', 'no JSON', tooLong])('a record of another program is refused: %#', (text) => {
  const { reports } = scene()
  writeFileSync(join(reports, 'run.json'), text)
  for (const place of places) expect(() => place(reports)).toThrow(/run\.json is not of a run of this suite.*--out/)
  expect(readFileSync(join(reports, 'run.json'), 'utf8')).toBe(text)
})

test.each(['report.html', 'summary.md', '2026-03-10/report.json'])(
  'a file of others that is named %s is refused and stays',
  (name) => {
    const { reports } = scene()
    mkdirSync(join(reports, '2026-03-10'))
    writeFileSync(join(reports, name), 'mine')
    for (const place of places)
      expect(() => place(reports)).toThrow(new RegExp(`^reports are not written: .*${name} is not of a run of this suite.*--out`))
    expect(readFileSync(join(reports, name), 'utf8')).toBe('mine')
  },
)

test('a link as the directory is accepted to an empty folder and to reports, and refused to a folder of others', () => {
  const { root, secret, reports } = scene()
  const [own, foreign] = [join(root, 'own'), join(root, 'foreign')]
  symlinkSync(reports, own)
  symlinkSync(secret, foreign)
  for (const place of places) expect(() => place(foreign)).toThrow(/foreign is a link to a folder without the reports of a run/)
  for (let run = 0; run < 2; run += 1) {
    prepareDirectory(own)
    writeReports(own, sampleRecords(), [])
  }
  expect(readdirSync(secret)).toEqual(['key'])
  expect(existsSync(join(reports, 'run.json'))).toBe(true)
})

test('a link among the other files of a directory moves as a link', () => {
  const { secret, reports } = scene()
  symlinkSync(secret, join(reports, 'mine'))
  for (let run = 0; run < 2; run += 1) writeReports(reports, sampleRecords(), [])
  expect(lstatSync(join(reports, 'mine')).isSymbolicLink()).toBe(true)
  expect(readdirSync(secret)).toEqual(['key'])
})

test('a pipe is never opened for writing, a link only where it is followed', () => {
  const { root, secret } = scene()
  const [fifo, link] = [join(root, 'fifo'), join(root, 'link')]
  pipe(fifo)
  symlinkSync(join(secret, 'key'), link)
  expect(() => appendToFile(fifo, 'x', { follows: true })).toThrow()
  expect(() => appendToFile(link, 'x', { follows: false })).toThrow()
  appendToFile(link, ' and new', { follows: true })
  expect(readFileSync(join(secret, 'key'), 'utf8')).toBe('mine and new')
  symlinkSync(join(secret, 'key'), join(root, 'history.jsonl'))
  expect(() => addToHistory(root, sampleRecords())).toThrow()
})

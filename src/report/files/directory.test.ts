import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleRecords } from '../../report/testing/sample-run.ts'
import { placeFiles, prepareDirectory } from './directory.ts'
import { readRun } from './read.ts'
import { writeReports } from './write.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'service-conformance-directory-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
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

test('files with the names of reports stay where no run was written', () => {
  const directory = folder()
  writeFileSync(join(directory, 'report.html'), 'mine')
  writeReports(directory, sampleRecords(), [])
  expect(readFileSync(join(directory, 'report.html'), 'utf8')).toBe('mine')
})

test('a set of files that cannot be written leaves the former set as it was', () => {
  const directory = folder()
  placeFiles(directory, [{ path: 'run.json', text: 'former' }])
  const broken = {
    path: 'report.html',
    get text(): string {
      throw new Error('the renderer broke')
    },
  }
  expect(() => placeFiles(directory, [{ path: 'run.json', text: 'new' }, broken])).toThrow('the renderer broke')
  expect(readFileSync(join(directory, 'run.json'), 'utf8')).toBe('former')
  expect(readdirSync(directory)).toEqual(['run.json'])
})

test('what a killed run left while it wrote is removed by the next one', () => {
  const directory = folder()
  const left = join(directory, '.service-conformance-work-killed')
  mkdirSync(left)
  writeFileSync(join(left, '0'), 'half')
  placeFiles(directory, [{ path: 'run.json', text: '{}' }])
  expect(readdirSync(directory)).toEqual(['run.json'])
})

test('a set that a killed run had begun to put in place is completed by whoever reads it', () => {
  const directory = folder()
  writeReports(directory, sampleRecords(), ['badge'])
  const { run } = readRun(directory)
  const ready = join(directory, '.service-conformance-ready')
  mkdirSync(ready)
  writeFileSync(join(ready, 'placement.json'), JSON.stringify({ places: ['badge.json', 'run.json'], removed: ['badge.svg'] }))
  writeFileSync(join(ready, '1'), JSON.stringify({ ...run, seed: 77 }))
  expect(readRun(directory).run.seed).toBe(77)
  expect(readdirSync(directory).filter((name) => name.startsWith('.') || name.startsWith('badge'))).toEqual(['badge.json'])
})

test('a lock that a killed process left is taken over', () => {
  const directory = folder()
  // No process has the number 2^22 + 1: it is above the largest that Linux assigns.
  writeFileSync(join(directory, '.service-conformance-lock'), `${hostname()} ${2 ** 22 + 1}`)
  placeFiles(directory, [{ path: 'run.json', text: '{}' }])
  expect(readdirSync(directory)).toEqual(['run.json'])
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

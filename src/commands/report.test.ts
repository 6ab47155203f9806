import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { sampleRecords } from '../../fixtures/samples/run/records.ts'
import { readRun } from '../report/files/read.ts'
import { writeReports } from '../report/files/write.ts'
import { reportCommand } from './report.ts'

const folder = mkdtempSync(join(tmpdir(), 'service-conformance-report-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('report', () => {
  test('report renders records in the same way as the run itself', () => {
    const directory = join(folder, 'again')
    writeReports(directory, sampleRecords(), ['markdown'])
    const first = readFileSync(join(directory, 'summary.md'), 'utf8')
    expect(reportCommand(directory, { format: ['markdown'] })).toBe(`${join(directory, 'summary.md')}\n`)
    expect(readFileSync(join(directory, 'summary.md'), 'utf8')).toBe(first)
  })

  test('a record of another format and a missing record are reported in words', () => {
    const directory = join(folder, 'other')
    writeReports(directory, sampleRecords(), [])
    rmSync(join(directory, '2022-11-28', 'report.json'))
    expect(() => readRun(directory)).toThrow(/report\.json, which run\.json names, is missing$/)
    const file = join(directory, 'run.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"formatVersion": 1', '"formatVersion": 2'))
    expect(() => readRun(directory)).toThrow(/run\.json has the format version 2; this release reads 1$/)
  })
})

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import { suites } from '../../../suites/index.ts'
import type { ShardRecord } from '../../record/run-record.ts'
import { readRun } from '../../report/files/read.ts'
import { writeReports } from '../../report/files/write.ts'
import { Catalogue } from '../../suite/catalogue.ts'
import { mergeCommand } from '../merge.ts'
import { reportCommand } from '../report.ts'

const catalogue = new Catalogue(suites)

const folder = mkdtempSync(join(tmpdir(), 'service-conformance-merge-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('report and merge', () => {
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

  test('merge joins shards into the same result as a single run', () => {
    const whole = sampleRecords()
    const shards = [0, 1].map((shard) => {
      const directory = join(folder, `shard-${shard}`)
      const reports = whole.reports.map((report) => ({
        ...report,
        checks: report.checks.filter((_, index) => index % 2 === shard),
        requests: { ...report.requests, lags: [{ effect: 'a thread', seen: 3, missed: shard, slowest: shard + 0.5 }] },
      }))
      const { crossVersion } = whole.run
      const run = {
        ...whole.run,
        selection: { by: ['areas: events', `--shard ${shard + 1}/2`], selected: 6, of: 20 },
        crossVersion: shard === 0 ? crossVersion : { ...crossVersion, checks: [], exchanges: [], differences: [] },
      }
      writeReports(directory, { run, reports }, [])
      return directory
    })
    const out = join(folder, 'merged')
    const { columns } = process.stdout
    process.stdout.columns = 80
    const { code, text } = mergeCommand(shards, { out }, catalogue)
    process.stdout.columns = columns
    expect(code).toBe(1)
    expect(text.split('\n').filter((line) => line.length > 80 && !line.includes(' curl '))).toEqual([])
    const merged = readRun(out)
    expect(merged.reports.map(({ totals }) => totals)).toEqual(whole.reports.map(({ totals }) => totals))
    expect(merged.reports[0]?.requests.lags).toEqual([{ effect: 'a thread', seen: 6, missed: 1, slowest: 1.5 }])
    expect(merged.run.verdict).toBe(whole.run.verdict)
    expect(merged.run.selection).toEqual({ by: ['areas: events'], selected: 12, of: 20 })
    expect(merged.run.preflight).toEqual(whole.run.preflight)
    expect(new Set(merged.reports[0]?.exchanges.map(({ id }) => id)).size).toBe(4)
    expect(() => mergeCommand([shards[0] ?? '', shards[0] ?? ''], { out }, catalogue)).toThrow('was judged in more than one')
  })

  test.each<[string, ShardRecord[], RegExp]>([
    [
      'a missing one',
      [
        { index: 1, of: 3, selection: 'a' },
        { index: 3, of: 3, selection: 'a' },
      ],
      /^there is no shard 2\/3$/,
    ],
    [
      'one given twice',
      [
        { index: 1, of: 2, selection: 'a' },
        { index: 1, of: 2, selection: 'a' },
      ],
      /^a shard is given twice, and there is no shard 2\/2$/,
    ],
    [
      'other selections',
      [
        { index: 1, of: 2, selection: 'a' },
        { index: 2, of: 2, selection: 'b' },
      ],
      /not shards of one run: they are one of 2 shards of the selection a and one of 2 shards of the selection b/,
    ],
  ])('merge refuses shards with %s', (_, records, message) => {
    const places = records.map((shard, index) => {
      const directory = join(folder, `refused-${shard.selection}-${index}`)
      const { run, reports } = sampleRecords()
      writeReports(directory, { run: { ...run, shard }, reports: reports.map((report) => ({ ...report, checks: [] })) }, [])
      return directory
    })
    expect(() => mergeCommand(places, { out: join(folder, 'refused') }, catalogue)).toThrow(message)
  })
})

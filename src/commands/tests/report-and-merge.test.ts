import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandLine } from '../../../fixtures/samples/command-line.ts'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import { suites } from '../../../suites/index.ts'
import { readRun } from '../../report/files/read.ts'
import { writeReports } from '../../report/files/write.ts'
import { Catalogue } from '../../suite/catalogue.ts'
import { mergeCommand } from '../merge.ts'
import { reportCommand } from '../report.ts'

const catalogue = new Catalogue(suites)

const { at, read, write } = temporaryFolder('merge')

describe('report and merge', () => {
  test('report renders records in the same way as the run itself', () => {
    const directory = at('again')
    writeReports(directory, sampleRecords(), ['markdown'])
    const first = read('again/summary.md')
    expect(reportCommand(directory, { format: ['markdown'] })).toBe(`${join(directory, 'summary.md')}\n`)
    expect(read('again/summary.md')).toBe(first)
  })

  test('report writes another directory again and again, and refuses one with a page of others', async () => {
    const [directory, out] = [at('origin'), at('pages')]
    writeReports(directory, sampleRecords(), [])
    const report = () => commandLine(`report ${directory} --format html --out ${out}`)
    for (let call = 0; call < 2; call += 1) expect(await report()).toMatchObject({ code: 0, err: '' })
    rmSync(join(out, 'run.json'))
    write('pages/report.html', 'mine')
    expect(await report()).toMatchObject({ code: 2, out: '', err: expect.stringContaining('report.html is not of a run') })
    expect(read('pages/report.html')).toBe('mine')
  })

  test('a record of another format and a missing record are reported in words', () => {
    const directory = at('other')
    writeReports(directory, sampleRecords(), [])
    rmSync(join(directory, '2022-11-28', 'report.json'))
    expect(() => readRun(directory)).toThrow(/report\.json, which run\.json names, is missing$/)
    write('other/run.json', read('other/run.json').replace('"formatVersion": 1', '"formatVersion": 2'))
    expect(() => readRun(directory)).toThrow(/run\.json has the format version 2; this release reads 1$/)
  })

  test('merge joins shards into the same result as a single run', () => {
    const whole = sampleRecords()
    const shards = [0, 1].map((shard) => {
      const directory = at(`shard-${shard}`)
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
    const out = at('merged')
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

  const shard = (index: number, of: number, selection = 'a') => ({ index, of, selection })

  test.each<[title: string, shards: ReturnType<typeof shard>[], message: RegExp]>([
    ['a missing one', [shard(1, 3), shard(3, 3)], /^there is no shard 2\/3$/],
    ['one given twice', [shard(1, 2), shard(1, 2)], /^a shard is given twice, and there is no shard 2\/2$/],
    [
      'other selections',
      [shard(1, 2), shard(2, 2, 'b')],
      /not shards of one run: they are one of 2 shards of the selection a and one of 2 shards of the selection b/,
    ],
  ])('merge refuses shards with %s', (_, shards, message) => {
    const places = shards.map((shard, index) => {
      const directory = at(`refused-${index}`)
      const { run, reports } = sampleRecords()
      writeReports(directory, { run: { ...run, shard }, reports: reports.map((report) => ({ ...report, checks: [] })) }, [])
      return directory
    })
    expect(() => mergeCommand(places, { out: at('refused') }, catalogue)).toThrow(message)
  })
})

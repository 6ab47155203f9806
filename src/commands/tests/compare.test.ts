import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import type { sampleChecks } from '../../../fixtures/samples/report/report.ts'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import type { Outcome } from '../../record/reason.ts'
import { compareRuns } from '../../report/comparison/compare.ts'
import { comparisonMarkdown, comparisonText } from '../../report/comparison/comparison-formats.ts'
import { writeReports } from '../../report/files/write.ts'
import { compareCommand } from '../compare.ts'

const { at, read } = temporaryFolder('compare')

/** Sample records with another outcome of one check. */
function recordsWith(id: string, outcome: Outcome | undefined) {
  const records = sampleRecords()
  const change = (checks: ReturnType<typeof sampleChecks>) =>
    checks.flatMap((check) => (check.id !== id ? [check] : outcome === undefined ? [] : [{ ...check, outcome }]))
  return { ...records, reports: records.reports.map((report) => ({ ...report, checks: change(report.checks) })) }
}

/** The directory of a run with an outcome of one check. */
function written(name: string, outcome: Outcome | undefined, changed: { result?: 'inconclusive'; by?: string[] } = {}) {
  const directory = at(name)
  const { run, ...records } = recordsWith('events.public.status', outcome)
  const { result = run.gate.result, by } = changed
  const selection = by ? { selection: { by, selected: 2, of: 4 } } : {}
  writeReports(directory, { ...records, run: { ...run, gate: { ...run.gate, result }, ...selection } }, [])
  return directory
}

describe('compare', () => {
  test.each([
    ['passed', 'failed', 'regression'],
    ['passed', 'warned', 'regression'],
    ['untested', 'failed', 'exposed'],
    [undefined, 'failed', 'exposed'],
    ['waived', 'failed', 'regression'],
    ['failed', 'passed', 'fix'],
    ['waived', 'passed', 'fix'],
    ['passed', 'untested', 'lost'],
    ['passed', 'errored', 'lost'],
    ['errored', 'passed', 'unlocked'],
    [undefined, 'passed', 'new'],
    ['failed', 'waived', 'other'],
    ['failed', 'untested', 'open'],
  ] as const)('a change from %s to %s is a %s', (before, after, kind) => {
    const runs = [before, after].map((outcome, index) => ({
      name: `run ${index}`,
      records: recordsWith('events.public.status', outcome),
    }))
    const { changes } = compareRuns(runs)
    expect(changes.map((change) => [change.lane, change.kind])).toEqual([
      ['2022-11-28', kind],
      ['2026-03-10', kind],
    ])
  })

  test('a comparison as Markdown lists new failures first and stays below the limit of a comment', () => {
    const names = Array.from({ length: 3000 }, (_, index) => `events.public.made-up-check-number-${index}`)
    const records = (outcome: Outcome) => {
      const sample = recordsWith('events.public.status', 'passed')
      const check = sample.reports[0]?.checks[0]
      const made = names.map((id, index) => ({
        ...check,
        id,
        outcome: index === 2999 && outcome === 'errored' ? 'failed' : outcome,
      }))
      return { ...sample, reports: sample.reports.map((report) => ({ ...report, checks: made as typeof report.checks })) }
    }
    const text = comparisonMarkdown(
      compareRuns([
        { name: 'before', records: records('passed') },
        { name: 'after', records: records('errored') },
      ]),
    )
    expect(text.length).toBeLessThan(60_000)
    expect(text.split('\n').find((line) => line.includes('made-up'))).toContain('regression')
    expect(text).toMatch(/… and \d+ more changes/)
  })

  test('compare prints a matrix for many runs without markup from the target', () => {
    const runs = (['passed', 'failed', 'passed'] as const).map((outcome, index) => ({
      name: `<run ${index}>`,
      records: recordsWith('events.public.status', outcome),
    }))
    const comparison = compareRuns(runs)
    expect(comparisonMarkdown(comparison)).toContain('| other | 2026-03-10 | `events.public.status` | passed | failed | passed |')
    expect(comparisonText(comparison)).toContain('passed → failed → passed')
  })

  test('compare exits with 1 on a regression and on a loss, and with 3 where the last run concluded nothing', () => {
    const [good, bad] = [written('good', 'passed'), written('bad', 'failed')]
    expect(compareCommand([good, bad], {}).code).toBe(1)
    expect(compareCommand([bad, good], {}).code).toBe(0)
    const loss = compareCommand([good, written('lost', 'untested')], {})
    expect(loss.code).toBe(1)
    expect(loss.text).toMatch(/^1\. .* deviates, \d+ of \d+ applicable checks judged \(\d+ %\)$/m)
    expect(loss.text).toMatch(/^lost \(\d+\): passed before, not judged now$/m)
    expect(compareCommand([good, written('down', 'errored', { result: 'inconclusive' })], {}).code).toBe(3)
    expect(loss.text).toMatch(/^exit code 1: 2 passed before, not judged now$/m)
    const absent = compareCommand([good, written('absent', undefined)], {})
    expect(absent).toMatchObject({ code: 1, text: expect.stringMatching(/^lost \(2\)[\s\S]*passed → absent/m) })
    expect(() => compareCommand([good], {})).toThrow('two or more runs')
    expect(() => compareCommand([good, bad], { out: good })).toThrow(`--out "${good}": it is a folder; a file is accepted`)
    expect(() => compareCommand([good, at('nowhere')], {})).toThrow('nowhere"; a directory with run.json is accepted')
  })

  test.each(['text', 'markdown'] as const)('checks that the first run did not select take one line as %s', (format) => {
    const [part, whole] = [written('first', undefined, { by: ['--failed'] }), written('second', 'passed')]
    const { code, text } = compareCommand([part, whole], { format })
    expect(code).toBe(0)
    expect(text).toContain('not compared: 2 checks that the first run did not select')
    expect(text).toContain('0 changed')
    expect(text).not.toContain('events.public.status')
    expect(JSON.parse(compareCommand([part, whole], { json: true }).text).changes).toHaveLength(2)
    const red = compareCommand([part, written('second-red', 'failed')], { format })
    expect(red).toMatchObject({ code: 1, text: expect.stringMatching(/exposed.*events\.public\.status/s) })
  })

  test('a check that the last run did not select is not compared, and the number of such checks is printed', () => {
    const [whole, part] = [written('whole', 'passed'), written('part', undefined, { by: ['--failed'] })]
    const { code, text } = compareCommand([whole, part], {})
    expect(code).toBe(0)
    expect(text).toContain('not compared: 2 checks that passed before, which the last run did not select')
    expect(text).not.toContain('exit code')
    const red = compareCommand([whole, written('red-part', 'failed', { by: ['--failed'] })], {})
    expect(red).toMatchObject({ code: 1, text: expect.stringMatching(/^exit code 1: 2 worse than before$/m) })
    const out = at('comment.md')
    const file = compareCommand([whole, written('red', 'failed')], { out, format: 'markdown' })
    expect(file).toEqual({ code: 1, text: `${out}\nexit code 1: 2 worse than before\n` })
    expect(read('comment.md')).toMatch(/^# 2 worse than before\n/)
  })
})

describe('compare of implementations', () => {
  const dirs = () => [written('forge', 'passed'), written('hub', 'failed'), written('depot', 'passed')] as const

  test('html is one page, and Markdown of named runs is their table; neither has changes to end with 1', () => {
    const [forge, hub, depot] = dirs()
    const name = ['Forge', 'Hub']
    const page = compareCommand([forge, hub], { format: 'html', name })
    expect(page).toMatchObject({ code: 0, text: expect.stringContaining('<title>Comparison of Forge, Hub</title>') })
    const table = compareCommand([forge, hub], { format: 'markdown', name })
    expect(table).toMatchObject({ code: 0, text: expect.stringMatching(/^\| {2}\| Forge \| Hub \|$/m) })
    expect(compareCommand([forge, hub, depot], { format: 'markdown' }).text).toContain('| only here red |')
    expect(compareCommand([forge, hub], { format: 'markdown' }).code).toBe(1)
  })

  test('JSON of named runs has the matrix beside the changes', () => {
    const [forge, hub] = dirs()
    const json = (name?: string[]) => JSON.parse(compareCommand([forge, hub], { json: true, ...(name ? { name } : {}) }).text)
    const { matrix, ...comparison } = json(['Forge', 'Hub'])
    expect(matrix.implementations.map((one: { name: string }) => one.name)).toEqual(['Forge', 'Hub'])
    expect(Object.keys(json())).toEqual(Object.keys(comparison))
  })

  test('the configuration names an implementation, the place of a run tells equal names apart, and each run needs a name', () => {
    const { run, ...records } = sampleRecords()
    const named = { ...run, target: { ...run.target, name: 'Forge', version: '1.2' } }
    for (const place of ['first', 'second']) writeReports(at(place), { ...records, run: named }, [])
    const [forge] = dirs()
    const { text } = compareCommand([at('first'), forge], { format: 'html' })
    expect(text).toContain('<title>Comparison of Forge, ')
    expect(compareCommand([at('first'), at('second')], { format: 'html' }).text).toContain(`Forge (${at('second')})</title>`)
    expect(() => compareCommand([forge, forge], { name: ['one'] })).toThrow(
      '2 runs and 1 name: --name is accepted once for each run',
    )
  })
})

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../package/root.ts'
import { validatorOf } from '../../package/schemas.ts'
import { json, reportJson } from '../formats/json.ts'
import { packReport, unpackReport } from './packed.ts'
import { readRun } from './read.ts'

const [report] = readRun(join(packageRoot, 'reports', 'example')).reports
if (!report) throw new Error('the example has no report')
const packed = packReport(report)

describe('the stored form of a report', () => {
  test('the stored form becomes the same report again, member by member', () => {
    expect(json(unpackReport(JSON.parse(reportJson(report))))).toBe(json(report))
  })

  test('the stored form writes each line and text once and is shorter than an indented report', () => {
    for (const table of [packed.headerLines, packed.texts]) {
      const items = table?.map((item) => JSON.stringify(item)) ?? []
      expect(new Set(items).size).toBe(items.length)
    }
    expect(reportJson(report).length).toBeLessThan(json(report).length * 0.5)
  })

  test('the stored form and a report with everything in place are both valid', () => {
    const validate = validatorOf('report')
    expect(validate(JSON.parse(reportJson(report))), JSON.stringify(validate.errors)).toBe(true)
    expect(validate(JSON.parse(json(report))), JSON.stringify(validate.errors)).toBe(true)
  })

  test('a report with everything in place is read as it is', () => {
    expect(unpackReport(JSON.parse(json(report)))).toEqual(report)
  })

  test('what cannot be derived is kept: a foreign address, another method, a body, a check of another record', () => {
    const [exchange] = report.exchanges
    if (!exchange) throw new Error('the example has no exchange')
    const foreign = { ...exchange.request, method: 'HEAD', url: 'https://files.example/archive' }
    const bodies = [{ body: '[]' }, { body: '', truncated: false, bodyBytes: 9 }]
    const exchanges = bodies.map((body) => ({ ...exchange, request: foreign, response: { ...exchange.response, ...body } }))
    const requirements = report.requirements.map((each) => ({ ...each, checks: [...each.checks, 'versioning.across'] }))
    const odd = { ...report, exchanges, requirements }
    expect(unpackReport(JSON.parse(reportJson(odd)))).toEqual(odd)
  })

  test('the cell of a check is written once, unless it does not tell what the check expects', () => {
    const checks = report.checks.filter(({ matrix }) => matrix)
    expect(packed.checks.filter(({ matrix }) => typeof matrix === 'number')).toHaveLength(checks.length)
    const permissions = report.permissions.map((each) => ({ ...each, cell: 'undecided' as const }))
    for (const odd of [
      { ...report, permissions },
      { ...report, permissions: [] },
    ]) {
      const kept = packReport(odd).checks.flatMap(({ matrix }) => (matrix === undefined ? [] : [matrix]))
      expect(kept).toEqual(checks.map(({ matrix }) => matrix))
      expect(unpackReport(JSON.parse(reportJson(odd)))).toEqual(odd)
    }
  })

  test('a line, a check or a cell that its table does not have is left out', () => {
    const { headerLines: _, ...without } = packed
    expect(unpackReport(without).exchanges[0]?.request.headers).toEqual([])
    const checked = unpackReport({ ...packed, checks: [] }).requirements.flatMap(({ checks }) => checks)
    expect(checked.every((id) => !report.checks.some((check) => check.id === id))).toBe(true)
    expect(unpackReport({ ...packed, permissions: [] }).checks.filter((check) => 'matrix' in check)).toEqual([])
  })
})

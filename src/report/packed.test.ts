import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../package/root.ts'
import { validatorOf } from '../package/schemas.ts'
import { json, reportJson } from './formats/json.ts'
import { packReport, unpackReport } from './packed.ts'
import { readRun } from './read.ts'

const [report] = readRun(join(packageRoot, 'reports', 'example')).reports
if (!report) throw new Error('the example has no report')
const packed = packReport(report)

describe('the stored form of a report', () => {
  test('the stored form becomes the same report again', () => {
    expect(unpackReport(JSON.parse(reportJson(report)))).toEqual(report)
  })

  test('the stored form writes each header line once and is shorter than an indented report', () => {
    const lines = packed.headerLines?.map((line) => JSON.stringify(line)) ?? []
    expect(new Set(lines).size).toBe(lines.length)
    expect(reportJson(report).length).toBeLessThan(json(report).length * 0.6)
  })

  test('the stored form and a report with its lines in place are both valid', () => {
    const validate = validatorOf('report')
    expect(validate(JSON.parse(reportJson(report))), JSON.stringify(validate.errors)).toBe(true)
    expect(validate(JSON.parse(json(report))), JSON.stringify(validate.errors)).toBe(true)
  })

  test('a line that the table does not have is left out', () => {
    const { headerLines: _, ...without } = packed
    expect(unpackReport(without).exchanges[0]?.request.headers).toEqual([])
  })
})

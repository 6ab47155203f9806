import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleRecords } from '../../report/testing/sample-run.ts'
import { readHistory, withHistory } from './history.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'service-conformance-history-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return join(made, 'reports')
}

const line = {
  at: '2026-11-20T12:00:00.000Z',
  verdict: 'deviates',
  judged: 9,
  applicable: 15,
  failed: 3,
  warned: 2,
  suite: '0.1.0',
}

test('each run adds one line, and the records carry all of them', () => {
  const reports = folder()
  expect(withHistory(reports, sampleRecords()).history).toEqual([line])
  expect(withHistory(reports, sampleRecords()).history).toEqual([line, line])
  expect(readFileSync(join(reports, 'history.jsonl'), 'utf8').split('\n')).toHaveLength(3)
})

test('a damaged line is left out, and a missing file is no history', () => {
  const reports = folder()
  expect(readHistory(reports)).toEqual([])
  withHistory(reports, sampleRecords())
  appendFileSync(join(reports, 'history.jsonl'), `{"at":\n[]\nnull\n${JSON.stringify({ ...line, verdict: '<b>' })}\n`)
  expect(readHistory(reports)).toEqual([line])
})

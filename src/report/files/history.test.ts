import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import { addToHistory } from './write.ts'

test('each run adds one line', () => {
  const directory = mkdtempSync(join(tmpdir(), 'service-conformance-history-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const line = {
    at: '2026-11-20T12:00:00.000Z',
    verdict: 'deviates',
    judged: 9,
    applicable: 15,
    failed: 3,
    warned: 2,
    suite: '0.1.0',
  }
  for (const _ of [1, 2]) addToHistory(directory, sampleRecords())
  const lines = readFileSync(join(directory, 'history.jsonl'), 'utf8').trim().split('\n')
  expect(lines.map((text) => JSON.parse(text))).toEqual([line, line])
})

import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { sampleRecords } from '../../../fixtures/samples/run/records.ts'
import { addToHistory } from './write.ts'

const { folder, read } = temporaryFolder('history')

test('each run adds one line', () => {
  const line = {
    at: '2026-11-20T12:00:00.000Z',
    verdict: 'deviates',
    judged: 9,
    applicable: 15,
    failed: 3,
    warned: 2,
    suite: '0.1.0',
  }
  for (const _ of [1, 2]) addToHistory(folder, sampleRecords())
  const lines = read('history.jsonl').trim().split('\n')
  expect(lines.map((text) => JSON.parse(text))).toEqual([line, line])
})

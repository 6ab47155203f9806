import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRecording } from './recording.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-conformance-recording-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a recording gets its name when it is whole', () => {
  const recording = openRecording(join(folder, 'run'))
  recording.write({ end: true, notes: [] })
  expect({ isWhole: recording.isWhole(), files: readdirSync(folder).includes('run') }).toEqual({ isWhole: false, files: false })
  recording.close()
  recording.discard()
  expect({ isWhole: recording.isWhole(), files: readdirSync(folder) }).toEqual({ isWhole: true, files: ['run'] })
})

test('a line that cannot be written leaves the recording incomplete and the former one unchanged', () => {
  const file = join(folder, 'run')
  writeFileSync(file, 'former')
  const recording = openRecording(file)
  recording.write({ unwritable: 1n })
  recording.write({ end: true, notes: [] })
  recording.close()
  recording.discard()
  expect({ isWhole: recording.isWhole(), files: readdirSync(folder) }).toEqual({ isWhole: false, files: ['run'] })
  expect(readFileSync(file, 'utf8')).toBe('former')
})

test('a folder that vanishes during the run ends no run', () => {
  const recording = openRecording(join(folder, 'run'))
  rmSync(folder, { recursive: true })
  recording.write({ end: true, notes: [] })
  recording.close()
  recording.discard()
  expect(recording.isWhole()).toBe(false)
})

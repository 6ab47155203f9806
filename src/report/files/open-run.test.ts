import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { killedRuns, OpenRunNote } from './open-run.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'service-conformance-open-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

/** Rewrites the note of a run as one of a process that is gone: no process has a number above 2^22. */
function kill(directory: string): void {
  const file = join(directory, readdirSync(directory)[0] ?? '')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), pid: 2 ** 22 + 1 }))
}

test('a run that was killed is known by what it had made, until it is forgotten', () => {
  const directory = folder()
  const note = new OpenRunNote(directory, { run: 'r1', versions: ['2026-03-10'] })
  note.made(['the gist g1'])
  kill(directory)
  const [killed] = killedRuns(directory)
  expect(killed?.open).toMatchObject({ run: 'r1', versions: ['2026-03-10'], made: ['the gist g1'] })
  killed?.forget()
  expect(readdirSync(directory)).toEqual([])
})

test('a run that goes on is not taken for a killed one, and leaves nothing when it ends', () => {
  const directory = folder()
  const note = new OpenRunNote(directory, { run: 'r1', versions: [] })
  expect(killedRuns(directory)).toEqual([])
  note.end()
  expect(readdirSync(directory)).toEqual([])
})

test('a note that is damaged is removed', () => {
  const directory = folder()
  writeFileSync(join(directory, '.service-conformance-run-r1.json'), '{"run":')
  expect(killedRuns(directory)).toEqual([])
  expect(readdirSync(directory)).toEqual([])
})

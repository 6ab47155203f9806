import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HistoryLine, historyLineOf } from '../../record/history.ts'
import type { RunRecords } from '../../record/report-parts.ts'

const fileName = 'history.jsonl'

/** Adds the line of a run to `history.jsonl` in the directory of the reports; returns the records with that history. */
export function withHistory(directory: string, records: RunRecords): RunRecords {
  const line = historyLineOf(records)
  mkdirSync(directory, { recursive: true })
  appendFileSync(join(directory, fileName), `${JSON.stringify(line)}\n`)
  return { ...records, history: readHistory(directory) }
}

/** The former runs that `history.jsonl` lists; none where there is no such file. A line that is damaged is left out. */
export function readHistory(directory: string): HistoryLine[] {
  try {
    return readFileSync(join(directory, fileName), 'utf8').split('\n').flatMap(parsed)
  } catch {
    return []
  }
}

function parsed(line: string): HistoryLine[] {
  try {
    const value: unknown = JSON.parse(line)
    return isLine(value) ? [value] : []
  } catch {
    return []
  }
}

const texts = ['at', 'suite']
const counts = ['judged', 'applicable', 'failed', 'warned']

function isLine(value: unknown): value is HistoryLine {
  if (typeof value !== 'object' || value === null) return false
  const members = new Map<string, unknown>(Object.entries(value))
  const verdict = members.get('verdict')
  return (
    (verdict === 'conforms' || verdict === 'deviates' || verdict === 'inconclusive') &&
    texts.every((name) => typeof members.get(name) === 'string') &&
    counts.every((name) => Number.isSafeInteger(members.get(name)))
  )
}

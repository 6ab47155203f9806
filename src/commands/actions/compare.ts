import { type Comparison, compareRuns } from '../../report/comparison/compare.ts'
import { comparisonHtml, comparisonMarkdown, comparisonText } from '../../report/comparison/comparison-formats.ts'
import { readRun } from '../../report/files/read.ts'
import { UsageError } from '../../text/errors.ts'
import { writeNamedFile } from './named-file.ts'
import { renderJson } from './table.ts'

/** How a comparison is written. */
type ComparisonFormat = 'text' | 'json' | 'markdown' | 'html'

/** The options of `compare`. */
export interface CompareOptions {
  format?: ComparisonFormat | undefined
  json?: boolean | undefined
  out?: string | undefined
}

const renderers: Readonly<Record<ComparisonFormat, (comparison: Comparison) => string>> = {
  text: comparisonText,
  json: renderJson,
  markdown: comparisonMarkdown,
  html: comparisonHtml,
}

/** Compares runs, the first being the older; returns what to print and the exit code. Throws {@link UsageError}. */
export function compareCommand(places: readonly string[], { format, json, out }: CompareOptions): { text: string; code: number } {
  if (places.length < 2) throw new UsageError('compare takes two or more runs: their directories or their run.json')
  const comparison = compareRuns(places.map((place) => ({ name: place, records: readRun(place) })))
  const text = renderers[json ? 'json' : (format ?? 'text')](comparison)
  const code = codeOf(comparison)
  if (out === undefined) return { text, code }
  writeNamedFile('--out', out, text)
  return { text: `${out}\n`, code }
}

/** 1 for a regression, and for checks that passed and are not judged any more; 3 for these where the last run was inconclusive as a whole. */
function codeOf({ changes, unselected, inconclusive }: Comparison): number {
  if (changes.some(({ kind }) => kind === 'regression')) return 1
  const isLoss = unselected > 0 || changes.some(({ kind }) => kind === 'lost')
  return isLoss ? (inconclusive ? 3 : 1) : 0
}

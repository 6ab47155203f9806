import { join } from 'node:path'
import { parseJson } from '../../http/exchange/body.ts'
import { knownSecrets } from '../../http/redaction/redaction.ts'
import type { RunRecords } from '../../record/report-lanes.ts'
import { countOutcomes, coverageOf } from '../../record/verdict.ts'
import { formatNames } from '../formats/format-names.ts'
import { type RenderedFile, renderFormats } from '../formats/formats.ts'
import { historyFile, ownMark } from './ownership.ts'
import { replaceReports } from './placement.ts'
import { appendToFile } from './regular-file.ts'

/** Replaces the reports in `directory` with the records and the chosen formats. Returns the files that contained a secret. */
export function writeReports(directory: string, records: RunRecords, chosen: readonly string[]) {
  const names = formatNames.filter((name) => name === 'json' || chosen.includes(name))
  const leaks = new Map<string, Leak>()
  replaceReports(directory, function* () {
    for (const rendered of renderFormats(names, records)) {
      const { file, leak } = cleaned(rendered)
      if (leak) leaks.set(leak.file, { ...leak, file: join(directory, leak.file) })
      if (!leak?.withheld) yield file
      // The next run may replace the other reports beside a record that is withheld.
      else if (file.path === ownMark.path) yield ownMark
    }
  })
  return [...leaks.values()]
}

/** Adds a line about a run to `history.jsonl` in its directory. Checks of all versions and across them count together. Throws `UsageError` for a link or a pipe. */
export function addToHistory(directory: string, { run, reports }: RunRecords) {
  const checks = [...reports, run.crossVersion].flatMap((lane) => lane.checks)
  const { judged, applicable } = coverageOf(checks)
  const { failed, warned } = countOutcomes(checks)
  const at = reports.map(({ startedAt }) => startedAt).sort()[0] ?? ''
  const { verdict, suite, selection, provisional } = run
  const line = {
    at,
    verdict,
    judged,
    applicable,
    failed,
    warned,
    suite: suite.version,
    selection,
    provisional,
  }
  const file = join(directory, historyFile)
  appendToFile(file, `${JSON.stringify(line)}\n`, { follows: false })
}

/** A file that contained a secret. */
interface Leak {
  readonly file: string
  /** The environment variable of the secret. */
  readonly label: string
  /** The file is not written, because it would be damaged without the secret. */
  readonly withheld: boolean
}

/** The file without secrets, and the leak if it contained one. A leak is an error of the suite, because records contain no secret. */
export function cleaned({ path, text }: RenderedFile): {
  readonly file: RenderedFile
  readonly leak?: Leak
} {
  const parts = text.split(/(?<=\n)/)
  const safe = parts.map((part) => knownSecrets.redact(part))
  const first = parts.findIndex((part, index) => part !== safe[index])
  if (first < 0) return { file: { path, text } }
  const label = knownSecrets.labelIn(parts[first] ?? '') ?? ''
  const whole = safe.join('')
  const withheld = /\.(json|sarif)$/.test(path) && !isJson(whole)
  return { file: { path, text: whole }, leak: { file: path, label, withheld } }
}

const isJson = (text: string) => parseJson(Buffer.from(text)) !== undefined

import { readFileSync, rmSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Redactor } from '../../http/redaction/redaction.ts'
import type { RunRecords } from '../../record/report-parts.ts'
import type { Report } from '../../record/version-report.ts'
import type { RenderedFile } from '../formats/formats.ts'

/** A file that would contain a secret, and so is not written. */
export interface Leak {
  readonly file: string
  /** The environment variable of the secret. */
  readonly label: string
}

/** The records with each text of the target free of every secret that the run knows at its end. */
export function withoutSecrets({ run, reports }: RunRecords, redactor: Redactor): RunRecords {
  const clean = <Part extends Pick<Report, 'checks' | 'exchanges' | 'observations'>>(part: Part): Part => ({
    ...part,
    ...redactor.redactJson({ exchanges: part.exchanges, observations: part.observations }),
    checks: part.checks.map((check) => ({
      ...check,
      detail: redactor.redact(check.detail),
      ...(check.deviation ? { deviation: redactor.redactJson(check.deviation) } : {}),
    })),
  })
  return { run: { ...run, crossVersion: clean(run.crossVersion) }, reports: reports.map(clean) }
}

/**
 * The files that contain a secret in any form, whole or cut in two. Records contain no secret, so a leak is an error of the suite that
 * must not leave the machine.
 */
export function leaksIn(files: readonly RenderedFile[], redactor: Redactor): Leak[] {
  return files.flatMap(({ path, text }) => {
    const label = redactor.labelIn(text)
    return label === undefined ? [] : [{ file: path, label }]
  })
}

/** Removes a recording that contains a secret. */
export function withholdRecording(file: string, redactor: Redactor): Leak[] {
  const bytes = readFileSync(file)
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  const leaks = leaksIn([{ path: file, text: (isPacked ? gunzipSync(bytes) : bytes).toString('utf8') }], redactor)
  for (const leak of leaks) rmSync(leak.file)
  return leaks
}

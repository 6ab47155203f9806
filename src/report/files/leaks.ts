import { readFileSync, rmSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Redactor } from '../../http/redaction/redaction.ts'
import type { RunRecords } from '../../record/report-parts.ts'
import type { Report } from '../../record/version-report.ts'

/** A file that contained a secret, and so was removed. */
export interface Leak {
  readonly file: string
  /** The environment name that stands for the secret. */
  readonly label: string
}

/** The records with what comes from the target free of every secret that the run knows at its end. */
export function withoutSecrets({ run, reports, ...rest }: RunRecords, redactor: Redactor): RunRecords {
  const clean = <Part extends Pick<Report, 'checks' | 'exchanges' | 'observations'>>(part: Part): Part => ({
    ...part,
    ...redactor.redactJson({ exchanges: part.exchanges, observations: part.observations }),
    checks: part.checks.map((check) => ({
      ...check,
      detail: redactor.redact(check.detail),
      ...(check.deviation ? { deviation: redactor.redactJson(check.deviation) } : {}),
    })),
  })
  return { ...rest, run: { ...run, crossVersion: clean(run.crossVersion) }, reports: reports.map(clean) }
}

/**
 * Looks through written files for secrets in every form, whole or cut in two, and removes each file that contains one: the reports are made
 * without secrets, so a hit is an error of the suite that must not leave the machine. The files that were removed.
 */
export function withholdLeaks(files: readonly string[], redactor: Redactor): Leak[] {
  return files.flatMap((file) => {
    const label = redactor.labelIn(textOf(readFileSync(file)))
    if (label === undefined) return []
    rmSync(file)
    return [{ file, label }]
  })
}

/** The text of a file, with what it has in compressed form: a recording is compressed, and so is the data of a page. */
function textOf(bytes: Buffer): string {
  const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8')
  if (!text.startsWith('<!doctype html>')) return text
  const parts = text.matchAll(packedPart)
  return [text, ...[...parts].map(([, part = '']) => gunzipSync(Buffer.from(part, 'base64')).toString('utf8'))].join('\n')
}

/** The packed data of a page, as src/report/html writes it. */
const packedPart = /<script type="application\/gzip\+base64"[^>]*>([^<]*)</g

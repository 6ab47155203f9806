import { readFileSync, rmSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Redactor } from '../http/redaction.ts'

/** A file that contained a secret, and so was removed. */
export interface Leak {
  readonly file: string
  /** The environment name that stands for the secret. */
  readonly label: string
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

/** A recording is compressed. */
function textOf(bytes: Buffer): string {
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8')
}

import { readFileSync, rmSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { formsOf } from '../http/secret-forms.ts'

/** A file that contained a secret, and so was removed. */
export interface Leak {
  readonly file: string
  /** The environment name that stands for the secret. */
  readonly label: string
}

/** A secret and the name that stands for it. */
export interface NamedSecret {
  readonly secret: string
  readonly label: string
}

/**
 * Looks through written files for secrets in every form, whole or cut in two, and removes each file that contains one: the reports are made
 * without secrets, so a hit is an error of the suite that must not leave the machine. The files that were removed.
 */
export function withholdLeaks(files: readonly string[], secrets: readonly NamedSecret[]): Leak[] {
  const wanted = secrets.flatMap(({ secret, label }) => formsOf(secret).map((text) => ({ text, label })))
  return files.flatMap((file) => {
    const content = textOf(readFileSync(file))
    const found = wanted.find(({ text }) => content.includes(text))
    if (!found) return []
    rmSync(file)
    return [{ file, label: found.label }]
  })
}

/** A recording is compressed. */
function textOf(bytes: Buffer): string {
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8')
}

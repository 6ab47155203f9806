import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { knownSecrets } from '../../http/redaction/redaction.ts'
import type { RenderedFile } from '../formats/formats.ts'

/** A file that contained a secret. */
export interface Leak {
  readonly file: string
  /** The environment variable of the secret. */
  readonly label: string
  /** The file is not written, because it would be damaged without the secret. */
  readonly withheld: boolean
}

/** The file without secrets, and the leak if it contained one. A leak is an error of the suite, because records contain no secret. */
export function cleaned({ path, text }: RenderedFile): { readonly file: RenderedFile; readonly leak?: Leak } {
  const parts = text.split(/(?<=\n)/)
  const safe = parts.map((part) => knownSecrets.redact(part))
  const first = parts.findIndex((part, index) => part !== safe[index])
  if (first < 0) return { file: { path, text } }
  const label = knownSecrets.labelIn(parts[first] ?? '') ?? ''
  const whole = safe.join('')
  const withheld = /\.(json|sarif)$/.test(path) && !isJson(whole)
  return { file: { path, text: whole }, leak: { file: path, label, withheld } }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Removes the secrets from a recording; removes the file where that damages a line. */
export function cleanRecording(path: string): Leak[] {
  const { file, leak } = cleaned({ path, text: readFileSync(path, 'utf8') })
  if (!leak) return []
  const isWhole = file.text.split('\n').every((line) => line === '' || isJson(line))
  if (isWhole) writeFileSync(path, file.text)
  else rmSync(path)
  return [{ ...leak, withheld: !isWhole }]
}

import { remembered } from '../../text/data.ts'
import { isCommon, shortestHidden as shortest } from './own-words.ts'
import { formsOf, unescaped } from './secret-forms.ts'

interface Found {
  readonly from: number
  readonly to: number
  readonly label: string
}

/** How many nested layers of escapes are searched: an address may be in JSON, and the JSON in a page. */
const layers = 3

/** Replaces every known secret, in every form that a server may echo, by the name of its environment variable. */
export class Redactor {
  readonly #labels = new Map<string, string>()
  /** The lengths of the forms by their first characters, the longest first. One pass over a text finds all secrets. */
  readonly #lengths = new Map<string, number[]>()
  readonly #starts = new Uint8Array(2 ** hashBits)

  /** Registers a secret: texts contain `$label` in its place. A secret that is a common word is not replaced. */
  add(secret: string, label: string): void {
    if (this.#labels.get(secret) === `$${label}` || isCommon(secret)) return
    for (const form of formsOf(secret)) this.#learn(form, `$${label}`)
    if (this !== knownSecrets) knownSecrets.add(secret, label)
  }

  /** Forgets every secret. */
  clear(): void {
    this.#labels.clear()
    this.#lengths.clear()
    this.#starts.fill(0)
  }

  #learn(form: string, label: string): void {
    this.#labels.set(form, label)
    const start = form.slice(0, shortest)
    const lengths = remembered(this.#lengths, start, () => [])
    if (lengths.includes(form.length)) return
    lengths.push(form.length)
    lengths.sort((a, b) => b - a)
    this.#starts[hashAt(start, 0)] = 1
  }

  /** The text without secrets, and without the beginning of one that was cut. */
  redact(text: string): string {
    let done = 0
    let result = ''
    for (const { from, to, label } of this.#secretsIn(text)) {
      if (from < done) continue
      result += text.slice(done, from) + label
      done = to
    }
    return done === 0 ? text : result + text.slice(done)
  }

  /** The label of the first secret in a text, in any form; undefined for a text without one. */
  labelIn(text: string): string | undefined {
    return this.#secretsIn(text)[0]?.label.slice(1)
  }

  /** The secrets in a text, also behind layers of escapes, in their order. */
  #secretsIn(text: string, deeper = layers): Found[] {
    const found = this.#formsIn(text)
    const plain = deeper === 0 || this.#labels.size === 0 ? undefined : unescaped(text)
    if (!plain) return found
    const within = this.#secretsIn(plain.text, deeper - 1)
    if (within.length === 0) return found
    const behind = within.map(({ from, to, label }) => ({
      from: plain.placeOf(from),
      to: plain.placeOf(to),
      label,
    }))
    return [...found, ...behind].sort((a, b) => a.from - b.from || b.to - a.to)
  }

  #formsIn(text: string): Found[] {
    const found: Found[] = []
    for (let at = 0; at + shortest <= text.length; at += 1) {
      if (this.#starts[hashAt(text, at)] === 0) continue
      const { length, label } = this.#formAt(text, at) ?? {}
      if (length === undefined || label === undefined) continue
      found.push({ from: at, to: at + length, label })
      at += length - 1
    }
    return found
  }

  /** The form of a secret at a place of a text: a whole form, or at least half of one before the ellipsis of a cut. */
  #formAt(
    text: string,
    at: number,
  ): { readonly length: number; readonly label: string } | undefined {
    const lengths = this.#lengths.get(text.slice(at, at + shortest)) ?? []
    for (const length of lengths) {
      const form = text.slice(at, at + length)
      const label = this.#labels.get(form)
      if (label !== undefined) return { length: form.length, label }
    }
    const [begun = '', rest] = text.slice(at, at + (lengths[0] ?? 0)).split('…')
    // The cut may be within an escape.
    const beginning = begun.replace(/[%\\&][#\w]*$/, '')
    if (rest === undefined || beginning.length < shortestBeginning) return undefined
    const isBegun = (form: string) =>
      form.startsWith(beginning) && form.length <= 2 * beginning.length
    const [, label] = [...this.#labels].find(([form]) => isBegun(form)) ?? []
    return label === undefined ? undefined : { length: begun.length, label }
  }

  /** A JSON value without secrets, in keys and in strings. Its parts without secrets are not copied. */
  redactJson<Value>(value: Value): Value {
    if (typeof value === 'string') return this.redact(value) as Value
    if (!this.#hasSecret(value)) return value
    if (Array.isArray(value)) return value.map((item) => this.redactJson(item)) as Value
    const members = Object.entries(value as object).map(([key, member]) => [
      this.redact(key),
      this.redactJson(member),
    ])
    return Object.fromEntries(members) as Value
  }

  /** True for a JSON value with a secret in it. */
  #hasSecret(value: unknown): boolean {
    if (typeof value === 'string') return this.#secretsIn(value).length > 0
    if (Array.isArray(value)) return value.some((item) => this.#hasSecret(item))
    if (typeof value !== 'object' || value === null) return false
    return Object.keys(value).some(
      (key) => this.#hasSecret(key) || this.#hasSecret((value as Record<string, unknown>)[key]),
    )
  }
}

/** The shortest beginning of a secret that is hidden before an ellipsis. Characters. */
const shortestBeginning = 8

/** With fewer bits, the forms of a run's tokens would collide too often. */
const hashBits = 20

function hashAt(text: string, at: number): number {
  const low = text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 8)
  const high = (text.charCodeAt(at + 2) << 16) ^ (text.charCodeAt(at + 3) << 24)
  return Math.imul(low ^ high, 0x9e3779b1) >>> (32 - hashBits)
}

/** The secrets of all redactors of this thread. Every output of the process hides them. */
export const knownSecrets = new Redactor()

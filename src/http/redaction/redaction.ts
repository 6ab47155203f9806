import { formsOf } from './secret-forms.ts'

/** A secret and the label that replaces it in texts, as `$label`. */
export interface NamedSecret {
  readonly secret: string
  readonly label: string
}

/** Replaces every known secret, in every form that a server may echo, by the name of its environment variable. */
export class Redactor {
  readonly #labels = new Map<string, string>()
  /** The lengths of the forms by their first characters, the longest first. One pass over a text finds all secrets. */
  readonly #lengths = new Map<string, number[]>()
  readonly #starts = new Uint8Array(2 ** hashBits)
  readonly #onSecret: ((named: NamedSecret) => void) | undefined

  /** `onSecret` receives every registered secret, once for each label. */
  constructor(onSecret?: (named: NamedSecret) => void) {
    this.#onSecret = onSecret
  }

  /** Registers a secret; texts then contain `$label` instead. */
  add(secret: string, label: string): void {
    if (this.#labels.get(secret) === `$${label}`) return
    this.#onSecret?.({ secret, label })
    for (const form of formsOf(secret)) {
      if (form.length >= shortest) this.#learn(form, `$${label}`)
    }
  }

  #learn(form: string, label: string): void {
    this.#labels.set(form, label)
    const start = form.slice(0, shortest)
    const lengths = this.#lengths.get(start) ?? []
    if (lengths.includes(form.length)) return
    lengths.push(form.length)
    this.#lengths.set(
      start,
      lengths.sort((a, b) => b - a),
    )
    this.#starts[hashAt(start, 0)] = 1
  }

  /** The text without secrets. */
  redact(text: string): string {
    let done = 0
    let result = ''
    for (let at = 0; at + shortest <= text.length; at += 1) {
      if (this.#starts[hashAt(text, at)] === 0) continue
      const found = this.#formAt(text, at)
      if (found === undefined) continue
      result += text.slice(done, at) + this.#labels.get(found)
      done = at + found.length
      at = done - 1
    }
    return done === 0 ? text : result + text.slice(done)
  }

  /** The label of the first secret in a text, in any form; undefined for a text without one. */
  labelIn(text: string): string | undefined {
    for (let at = 0; at + shortest <= text.length; at += 1) {
      if (this.#starts[hashAt(text, at)] === 0) continue
      const found = this.#formAt(text, at)
      if (found !== undefined) return this.#labels.get(found)?.slice(1)
    }
    return undefined
  }

  #formAt(text: string, at: number): string | undefined {
    for (const length of this.#lengths.get(text.slice(at, at + shortest)) ?? []) {
      const found = text.slice(at, at + length)
      if (this.#labels.has(found)) return found
    }
    return undefined
  }

  /** A sentence without secrets. It may quote a value that was cut within a secret. */
  redactSentence(text: string): string {
    const whole = this.redact(text)
    if (!whole.includes('…')) return whole
    return [...this.#labels].reduce((sentence, [form, label]) => withoutBeginning(sentence, form, label), whole)
  }

  /** A structural copy of a JSON value without secrets, in keys and in strings. */
  redactJson<Value>(value: Value): Value {
    if (typeof value === 'string') return this.redact(value) as Value
    if (Array.isArray(value)) return value.map((item) => this.redactJson(item)) as Value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [this.redact(key), this.redactJson(member)])) as Value
  }
}

/** Shorter texts occur by chance in any body; replacing them would garble reports. */
const shortest = 4

function withoutBeginning(sentence: string, secret: string, label: string): string {
  if (!sentence.includes(secret.slice(0, shortest))) return sentence
  for (let length = secret.length - 1; length >= shortest; length -= 1) {
    const beginning = `${secret.slice(0, length)}…`
    if (sentence.includes(beginning)) return sentence.replaceAll(beginning, () => `${label}…`)
  }
  return sentence
}

/** With fewer bits, the forms of a run's tokens would collide too often. */
const hashBits = 20

/** A hash of four characters, with {@link hashBits} bits. */
function hashAt(text: string, at: number): number {
  const [a, b, c, d] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2), text.charCodeAt(at + 3)]
  return Math.imul(a ^ (b << 8) ^ (c << 16) ^ (d << 24), 0x9e3779b1) >>> (32 - hashBits)
}

import { formsOf } from './secret-forms.ts'

/** A secret and the name that stands for it in texts, as `$label`. */
export interface NamedSecret {
  readonly secret: string
  readonly label: string
}

/** Replaces every known secret, in every spelling that a server may echo it in, by the name of its environment variable. */
export class Redactor {
  readonly #labels = new Map<string, string>()
  /** The lengths of the spellings by their first characters, the longest first: a text is looked through once, however many secrets there are. */
  readonly #lengths = new Map<string, number[]>()
  readonly #starts = new Uint8Array(2 ** hashBits)
  readonly #onSecret: ((named: NamedSecret) => void) | undefined

  /** `onSecret` is told of every secret that is registered, once for each name. */
  constructor(onSecret?: (named: NamedSecret) => void) {
    this.#onSecret = onSecret
  }

  /** Registers a secret; `label` is shown in its place as `$label`. */
  add(secret: string, label: string): void {
    if (this.#labels.get(secret) === `$${label}`) return
    this.#onSecret?.({ secret, label })
    for (const spelling of formsOf(secret)) {
      if (spelling.length >= shortest) this.#learn(spelling, `$${label}`)
    }
  }

  #learn(spelling: string, label: string): void {
    this.#labels.set(spelling, label)
    const start = spelling.slice(0, shortest)
    const lengths = this.#lengths.get(start) ?? []
    if (lengths.includes(spelling.length)) return
    lengths.push(spelling.length)
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
      const found = this.#spellingAt(text, at)
      if (found === undefined) continue
      result += text.slice(done, at) + this.#labels.get(found)
      done = at + found.length
      at = done - 1
    }
    return done === 0 ? text : result + text.slice(done)
  }

  /** The label of a secret that a text contains in any spelling; undefined where it contains none. */
  labelIn(text: string): string | undefined {
    for (let at = 0; at + shortest <= text.length; at += 1) {
      if (this.#starts[hashAt(text, at)] === 0) continue
      const found = this.#spellingAt(text, at)
      if (found !== undefined) return this.#labels.get(found)?.slice(1)
    }
    return undefined
  }

  #spellingAt(text: string, at: number): string | undefined {
    for (const length of this.#lengths.get(text.slice(at, at + shortest)) ?? []) {
      const found = text.slice(at, at + length)
      if (this.#labels.has(found)) return found
    }
    return undefined
  }

  /** A sentence without secrets, also where it quotes a value that was cut within one. */
  redactSentence(text: string): string {
    const whole = this.redact(text)
    if (!whole.includes('…')) return whole
    return [...this.#labels].reduce((sentence, [spelling, label]) => withoutBeginning(sentence, spelling, label), whole)
  }

  /** A structural copy of a JSON value without secrets, in keys and in strings. */
  redactJson<Value>(value: Value): Value {
    if (typeof value === 'string') return this.redact(value) as Value
    if (Array.isArray(value)) return value.map((item) => this.redactJson(item)) as Value
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [this.redact(key), this.redactJson(member)])) as Value
  }
}

/** Shorter texts than this occur by chance in any body; replacing them would only garble reports. */
const shortest = 4

function withoutBeginning(sentence: string, secret: string, label: string): string {
  if (!sentence.includes(secret.slice(0, shortest))) return sentence
  for (let length = secret.length - 1; length >= shortest; length -= 1) {
    const beginning = `${secret.slice(0, length)}…`
    if (sentence.includes(beginning)) return sentence.replaceAll(beginning, () => `${label}…`)
  }
  return sentence
}

/** With fewer, the many spellings of a run's tokens would meet in most places of the table. */
const hashBits = 20

/** A number of so many bits for the characters by which spellings are found. */
function hashAt(text: string, at: number): number {
  const [a, b, c, d] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2), text.charCodeAt(at + 3)]
  return Math.imul(a ^ (b << 8) ^ (c << 16) ^ (d << 24), 0x9e3779b1) >>> (32 - hashBits)
}

import { formsOf } from './secret-forms.ts'

/** Replaces every known secret, in every spelling that a server may echo it in, by the name of its environment variable. */
export class Redactor {
  readonly #labels = new Map<string, string>()
  #pattern: RegExp | null = null
  /** Short texts that were looked through already: header lines repeat in every exchange. */
  readonly #short = new Map<string, string>()

  /** Registers a secret; `label` is shown in its place as `$label`. */
  add(secret: string, label: string): void {
    if (this.#labels.get(secret) === `$${label}`) return
    for (const spelling of formsOf(secret)) if (spelling.length >= shortest) this.#labels.set(spelling, `$${label}`)
    this.#pattern = null
    this.#short.clear()
  }

  /** The text without secrets. */
  redact(text: string): string {
    if (this.#labels.size === 0 || text.length < shortest) return text
    if (text.length > rememberedLength) return this.#replaced(text)
    const known = this.#short.get(text) ?? this.#replaced(text)
    if (this.#short.size < rememberedTexts) this.#short.set(text, known)
    return known
  }

  #replaced(text: string): string {
    this.#pattern ??= new RegExp(
      [...this.#labels.keys()]
        .sort((a, b) => b.length - a.length)
        .map(escapePattern)
        .join('|'),
      'g',
    )
    return text.replace(this.#pattern, (found) => this.#labels.get(found) ?? found)
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

/** Which texts are remembered, and how many of them. */
const rememberedLength = 300
const rememberedTexts = 10_000

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

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

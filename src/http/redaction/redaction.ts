import { remembered } from '../../text/data.ts'
import { isCommon, isTelling, longestHidden, shortestHidden as shortest } from './own-words.ts'
import { formsOf, unescaped } from './secret-forms.ts'
import { Sums } from './sums.ts'

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
  /** The lengths of the forms by a hash of their first characters, the longest first. One pass over a text finds all secrets. */
  readonly #lengths = new Map<number, number[]>()
  readonly #starts = new Uint8Array(2 ** hashBits)
  /** The sums of the long forms. To cut and to hash a long part at each place would take the length of the form each time. */
  readonly #longSums = new Set<number>()
  /** The forms by their first characters, which a cut may leave, and by an ellipsis and their last ones. */
  readonly #parts = new Map<string, string[]>()
  /** The sums of the forms that were compared with a cut text. */
  readonly #sums = new Map<string, Sums>()
  /** Whether these parts of forms are hidden beside an ellipsis. */
  readonly #telling = new Map<string, boolean>()

  /** Registers a secret: texts contain `$label` in its place. A secret that is a common word is not replaced. */
  add(whole: string, label: string) {
    const secret = whole.slice(0, longestHidden)
    if (this.#labels.get(secret) === `$${label}` || isCommon(secret)) return
    for (const form of formsOf(secret)) this.#learn(form, `$${label}`)
    if (this !== knownSecrets) knownSecrets.add(secret, label)
  }

  /** Forgets every secret. */
  clear() {
    this.#labels.clear()
    this.#lengths.clear()
    this.#starts.fill(0)
    this.#longSums.clear()
    this.#parts.clear()
    this.#sums.clear()
    this.#telling.clear()
  }

  #learn(form: string, label: string) {
    if (!this.#labels.has(form) && form.length > shortest)
      for (const key of [form.slice(0, shortest), `…${form.slice(-shortest)}`])
        remembered(this.#parts, key, () => []).push(form)
    this.#labels.set(form, label)
    if (form.length > longForm) this.#longSums.add(new Sums(form).of(0, form.length))
    const start = hashAt(form, 0)
    const lengths = remembered(this.#lengths, start, () => [])
    if (lengths.includes(form.length)) return
    lengths.push(form.length)
    lengths.sort((a, b) => b - a)
    this.#starts[start] = 1
  }

  /** The text without secrets, and without the beginning of one that was cut. */
  redact(text: string) {
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
  labelIn(text: string) {
    return this.#secretsIn(text)[0]?.label.slice(1)
  }

  /** The secrets in a text, also behind layers of escapes, in their order. */
  #secretsIn(text: string, deeper = layers): Found[] {
    if (this.#labels.size === 0) return []
    const plain = deeper === 0 ? undefined : unescaped(text)
    const within = plain ? this.#secretsIn(plain.text, deeper - 1) : []
    const behind = within.map(({ from, to, label }) => ({
      from: plain?.placeOf(from) ?? from,
      to: plain?.placeOf(to) ?? to,
      label,
    }))
    const found = [...this.#formsIn(text), ...this.#endsIn(text), ...behind]
    return found.sort((a, b) => a.from - b.from || b.to - a.to)
  }

  #formsIn(text: string): Found[] {
    const found: Found[] = []
    const searched = new SearchedText(text)
    for (let at = 0; at + shortest <= text.length; at += 1) {
      if (this.#starts[hashAt(text, at)] === 0) continue
      const to = this.#wholeAt(searched, at) ?? this.#begunAt(searched, at)
      if (to === undefined) continue
      found.push({ from: at, ...to })
      at = to.to - 1
    }
    return found
  }

  /** The last characters of secrets directly after an ellipsis. */
  #endsIn(text: string): Found[] {
    return [...text.matchAll(afterEllipsis)].flatMap(({ 0: found, 1: end = '', index }) => {
      const to = index + found.length
      const isEnd = (form: string) =>
        end.length < form.length && form.endsWith(end) && this.#isTelling(end, form)
      const form = this.#parts.get(`…${end.slice(-shortest)}`)?.find(isEnd)
      const label = this.#labels.get(form ?? '')
      return label === undefined ? [] : [{ from: to - end.length, to, label }]
    })
  }

  /** The longest whole form of a secret at a place of a text. */
  #wholeAt(searched: SearchedText, at: number): Omit<Found, 'from'> | undefined {
    const { text } = searched
    for (const length of this.#lengths.get(hashAt(text, at)) ?? []) {
      const to = at + length
      if (to > text.length) continue
      if (length > longForm && !this.#longSums.has(searched.sums.of(at, to))) continue
      const label = this.#labels.get(text.slice(at, to))
      if (label !== undefined) return { to, label }
    }
    return undefined
  }

  /** The first characters of a form at a place of a text, before the ellipsis of a cut. */
  #begunAt(searched: SearchedText, at: number): Omit<Found, 'from'> | undefined {
    const { text } = searched
    const cut = searched.cutAfter(at)
    if (cut === undefined || cut.end - at < shortest) return undefined
    const forms = this.#parts.get(text.slice(at, at + shortest))
    const length = cut.end - at
    const isBegun = (form: string) =>
      length < form.length &&
      this.#sumsOf(form).of(0, length) === searched.sums.of(at, cut.end) &&
      text.startsWith(form.slice(0, length), at) &&
      this.#isTelling(form.slice(0, length), form)
    const label = this.#labels.get(forms?.find(isBegun) ?? '')
    return label === undefined ? undefined : { to: cut.at, label }
  }

  #isTelling(part: string, form: string) {
    return remembered(this.#telling, part, () => isTelling(part, form))
  }

  #sumsOf(form: string) {
    return remembered(this.#sums, form, () => new Sums(form))
  }

  /** A JSON value without secrets, in keys and in strings. Its parts without secrets are not copied. */
  redactJson<Value>(value: Value, safe = new Set<unknown>()): Value {
    if (typeof value === 'string') return this.redact(value) as Value
    if (!this.#hasSecret(value, safe)) return value
    if (Array.isArray(value)) return value.map((item) => this.redactJson(item, safe)) as Value
    const members = Object.entries(value as object).map(([key, member]) => [
      this.redact(key),
      this.redactJson(member, safe),
    ])
    return Object.fromEntries(members) as Value
  }

  /** True for a JSON value with a secret in it. Other values are added to the safe ones: most members of records are equal. */
  #hasSecret(value: unknown, safe: Set<unknown>): boolean {
    if (safe.has(value)) return false
    const has =
      typeof value === 'string'
        ? this.#secretsIn(value).length > 0
        : Object.entries(value ?? {})
            .flat()
            .some((part) => this.#hasSecret(part, safe))
    if (!has) safe.add(value)
    return has
  }
}

/** The characters of a token after an ellipsis. */
const afterEllipsis = /(?:…|\.{3}|\\u2026|&hellip;)([\w+/=~-]{4,4096})/g

/** Longer forms are compared by their sums first. Characters. */
const longForm = 64

/** The longest escape that a cut may divide. Characters. */
const longestEscape = 10

/** A text that is searched for secrets, with the results that its places share. */
class SearchedText {
  readonly text: string
  readonly #ellipsis = /…|\.{3}|\\u2026|&hellip;/g
  #sums: Sums | undefined
  #cut: { readonly at: number; readonly end: number } | undefined = { at: -1, end: -1 }

  constructor(text: string) {
    this.text = text
  }

  get sums() {
    this.#sums ??= new Sums(this.text)
    return this.#sums
  }

  /** The next ellipsis, and the end of the text before it without a divided escape. Places are asked for in their order. */
  cutAfter(place: number): { readonly at: number; readonly end: number } | undefined {
    if (this.#cut === undefined || this.#cut.at >= place) return this.#cut
    this.#ellipsis.lastIndex = place
    const at = this.#ellipsis.exec(this.text)?.index
    const before = this.text.slice(Math.max(0, (at ?? 0) - longestEscape), at)
    const divided = /[%\\&][#{\w]*$/.exec(before)?.[0] ?? ''
    this.#cut = at === undefined ? undefined : { at, end: at - divided.length }
    return this.#cut
  }
}

/** With fewer bits, the forms of a run's tokens would collide too often. */
const hashBits = 20

function hashAt(text: string, at: number) {
  const low = text.charCodeAt(at) ^ (text.charCodeAt(at + 1) << 8)
  const high = (text.charCodeAt(at + 2) << 16) ^ (text.charCodeAt(at + 3) << 24)
  return Math.imul(low ^ high, 0x9e3779b1) >>> (32 - hashBits)
}

/** The secrets of all redactors of this thread. Every output of the process hides them. */
export const knownSecrets = new Redactor()

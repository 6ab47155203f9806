import type { HeaderLine } from '../../record/exchange-record.ts'

/** Holds an array or an object. */
type Holder = Readonly<Record<string, unknown>>

/** So many values of one first text or number are compared with; of those that have more, the ones seen last. */
const mostAlike = 8

/** What is known is forgotten when it has come to so many members, a long text counting for several. */
const mostMembers = 400_000

/** Characters that count as much as a member. */
const charactersOfMember = 64

/** So many header lines of at most so many characters are known before they are forgotten. */
const mostLines = 4000
const longestLine = 1000

/** Values that were read before: lists repeat the same objects again and again, and each distinct one is held once. */
export class RepeatedValues {
  readonly #known = new Map<unknown, Holder[]>()
  readonly #lines = new Map<string, HeaderLine>()
  #members = 0

  /** The same header lines, each of those that were seen before. */
  lines(lines: readonly HeaderLine[]): HeaderLine[] {
    return lines.map((line) => {
      if (line[0].length + line[1].length > longestLine) return line
      const text = `${line[0]}:${line[1]}`
      const known = this.#lines.get(text)
      if (known?.[0] === line[0]) return known
      if (this.#lines.size >= mostLines) this.#lines.clear()
      this.#lines.set(text, line)
      return line
    })
  }

  /** The same JSON value, made of those parts that were read before; its parts are replaced in place. */
  shared(value: unknown): unknown {
    if (!isHolder(value)) return value
    if (!Array.isArray(value)) return this.#held(value)
    this.#shareParts(value as unknown as Holder)
    return value
  }

  #shareParts(value: Holder): void {
    for (const name in value) {
      const part = value[name]
      if (!isHolder(part)) continue
      const held = this.#held(part)
      if (held !== part) (value as Record<string, unknown>)[name] = held
    }
  }

  #held(value: Holder): Holder {
    this.#shareParts(value)
    const sign = signOf(value)
    const alike = this.#known.get(sign)
    const at = alike?.findIndex((known) => isSame(known, value)) ?? -1
    const known = alike?.[at]
    if (!known) return this.#learn(sign, value)
    return known
  }

  #learn(sign: unknown, value: Holder): Holder {
    this.#members += sizeOf(value)
    if (this.#members > mostMembers) {
      this.#known.clear()
      this.#members = sizeOf(value)
    }
    const alike = this.#known.get(sign)
    if (!alike) this.#known.set(sign, [value])
    else if (alike.unshift(value) > mostAlike) alike.pop()
    return value
  }
}

/** What values that are the same have in common and few others do: the first text or number in them, or else the first name. */
function signOf(value: Holder): unknown {
  let first: string | undefined
  for (const name in value) {
    const member = value[name]
    if (typeof member === 'string' || typeof member === 'number') return member
    first ??= name
  }
  return first
}

/** True for equal members in the same order, those that are held being the same ones. */
function isSame(a: Holder, b: Holder): boolean {
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [names, others] = [Object.keys(a), Object.keys(b)]
  return names.length === others.length && names.every((name, at) => name === others[at] && Object.is(a[name], b[name]))
}

function sizeOf(value: Holder): number {
  let size = 1
  for (const name in value) {
    const member = value[name]
    size += typeof member === 'string' ? 1 + member.length / charactersOfMember : 1
  }
  return size
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null
}

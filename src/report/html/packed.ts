import { remembered } from '../../text/data.ts'

/** A JSON value whose texts and lists of member names are stored once each: a page has thousands of records of few forms. */
export interface Packed {
  readonly words: readonly string[]
  /** The names of the members of an object, as numbers of words. */
  readonly forms: readonly string[]
  /** A text is the number of its word, a number is a text, an object is its form and its members, a list begins with -1. */
  readonly root: unknown
}

/** Packs a JSON value. */
export function pack(whole: unknown): Packed {
  const [words, forms] = [new Map<string, number>(), new Map<string, number>()]
  const numberIn = (known: Map<string, number>, text: string) => remembered(known, text, () => known.size)
  const packed = (value: unknown): unknown => {
    if (typeof value === 'string') return numberIn(words, value)
    if (typeof value === 'number') return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return [-1, ...value.map(packed)]
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    const form = members.map(([name]) => numberIn(words, name)).join()
    return [numberIn(forms, form), ...members.map(([, member]) => packed(member))]
  }
  return { root: packed(whole), words: [...words.keys()], forms: [...forms.keys()] }
}

/** The value that was packed. */
export function unpack({ words, forms, root }: Packed): unknown {
  const names = forms.map((form) => form.split(',').map((word) => words[Number(word)] ?? ''))
  const unpacked = (value: unknown): unknown => {
    if (typeof value === 'number') return words[value]
    if (typeof value === 'string') return Number(value)
    if (!Array.isArray(value)) return value
    const [form, ...members] = value
    if (form === -1) return members.map(unpacked)
    return Object.fromEntries(members.map((member, index) => [names[form]?.[index], unpacked(member)]))
  }
  return unpacked(root)
}

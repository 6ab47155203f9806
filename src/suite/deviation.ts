import type { Exchange } from '../http/exchange/exchange.ts'
import { atPointer } from '../text/data.ts'
import { isObject, type Located } from './located.ts'

/** How many items of a list break a claim, and one member that separates them from the others. */
interface FailingItems {
  readonly failing: number
  readonly of: number
  /** Each failing item has this value at this place, and no other item has it. */
  readonly trait?: { readonly member: string; readonly value: unknown }
}

/** A difference without the values of one endpoint: `ETag header`, `absent`. Equal differences have one cause. */
export interface Difference {
  /** The compared thing. */
  readonly of: string
  /** How it differs. */
  readonly is: string
}

/** One observed difference from a check's claim. */
export interface Finding {
  readonly expected: string
  readonly actual: string
  /** Absent if `expected` and `actual` are the same wherever the cause is. */
  readonly difference?: Difference
  /** JSON pointer into the last exchange's body, in the document's words. */
  readonly pointer?: string
  /** The items of a list that break the claim. */
  readonly items?: FailingItems
  /** The evidence, in the order of the requests. */
  readonly exchanges: readonly Exchange[]
  /** The refused request of which the last exchange shows an effect. */
  readonly refused?: Exchange
}

/** Thrown by a check (through the matchers) when its claim is false. */
export class Deviation extends Error {
  override readonly name = 'Deviation'
  readonly finding: Finding
  constructor(finding: Finding) {
    const { expected, actual, exchanges, refused = exchanges.at(-1) } = finding
    const form = refused?.request.form
    super(`expected ${expected}, got ${actual}${form ? ` (request ${form})` : ''}`)
    this.finding = finding
  }
}

/** Members below this depth are not compared. */
const deepest = 3

/** Counts the failing items, and looks for a member that distinguishes them from the other items. */
export function failingItems(items: readonly Located[], failing: readonly Located[]): FailingItems {
  const counts = { failing: failing.length, of: items.length }
  const passing = items.filter((item) => !failing.includes(item))
  const lists = new Set(failing.map(({ exchange }) => exchange))
  // One item alone differs from all others by its id, and items of lists that fail as a whole by their request.
  if (failing.length < 2 || !passing.some(({ exchange }) => lists.has(exchange))) return counts
  const others = passing.map(scalarMembers)
  const [first = new Map<string, unknown>(), ...rest] = failing.map(scalarMembers)
  const shared = [...first].filter(([member, value]) =>
    rest.every((each) => each.get(member) === value),
  )
  const trait = shared.find(([member, value]) => others.every((each) => each.get(member) !== value))
  return trait ? { ...counts, trait: { member: trait[0], value: trait[1] } } : counts
}

/** The texts, numbers, booleans and nulls of the list's item that contains a value, by their path: `subject.type`. */
function scalarMembers({ exchange, pointer }: Located) {
  return new Map(scalarsOf(atPointer(exchange.json, /^\/\d+/.exec(pointer)?.[0] ?? pointer), []))
}

function scalarsOf(value: unknown, path: readonly string[]): [string, unknown][] {
  if (isObject(value) && path.length < deepest)
    return Object.entries(value).flatMap(([name, member]) => scalarsOf(member, [...path, name]))
  return path.length === 0 || (typeof value === 'object' && value !== null)
    ? []
    : [[path.join('.'), value]]
}

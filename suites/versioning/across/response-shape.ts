import { escapeStep } from '../../../src/text/data.ts'

/** One difference between the shapes of two JSON values. */
export interface ShapeDifference {
  readonly kind: 'removed' | 'added' | 'type'
  /** The keys that lead to it; `*` is any item of a list. */
  readonly steps: readonly string[]
  /** The types on either side; empty if the member is absent. */
  readonly older: string
  readonly newer: string
  /** The object with the member, in one of the versions. */
  readonly holder: Readonly<Record<string, unknown>>
}

type Holder = ShapeDifference['holder']

/** The members that one of two values lacks or has with another type. Both must contain the same objects. Items of empty lists do not count. */
export const compareShapes = (older: unknown, newer: unknown): ShapeDifference[] => compare([older], [newer], [], {})

function compare(older: unknown[], newer: unknown[], steps: readonly string[], holder: Holder): ShapeDifference[] {
  const types = { older: typesOf(older), newer: typesOf(newer) }
  const changed: ShapeDifference[] = types.older === types.newer ? [] : [{ kind: 'type', steps, ...types, holder }]
  return [
    ...changed,
    ...compareMembers(objectsAmong(older), objectsAmong(newer), steps),
    ...compareItems(older, newer, steps, holder),
  ]
}

function compareMembers(older: Holder[], newer: Holder[], steps: readonly string[]): ShapeDifference[] {
  if (older.length === 0 || newer.length === 0) return []
  const keys = new Set([...older, ...newer].flatMap((object) => Object.keys(object)))
  return [...keys].flatMap((key): ShapeDifference[] => {
    const before = holdersOf(key, older)
    const after = holdersOf(key, newer)
    const [holder = {}] = [...before, ...after]
    const values = before.map((object) => object[key])
    const others = after.map((object) => object[key])
    const below = [...steps, key]
    if (before.length > 0 && after.length > 0) return compare(values, others, below, holder)
    const kind = after.length === 0 ? 'removed' : 'added'
    return [{ kind, steps: below, older: typesOf(values), newer: typesOf(others), holder }]
  })
}

const holdersOf = (key: string, all: readonly Holder[]): Holder[] => all.filter((object) => Object.hasOwn(object, key))

function compareItems(older: unknown[], newer: unknown[], steps: readonly string[], holder: Holder): ShapeDifference[] {
  const before = itemsIn(older)
  const after = itemsIn(newer)
  return before.length === 0 || after.length === 0 ? [] : compare(before, after, [...steps, '*'], holder)
}

const itemsIn = (values: unknown[]): unknown[] => values.flatMap((value): unknown[] => (Array.isArray(value) ? value : []))

const objectsAmong = (values: unknown[]): Holder[] => values.filter((value): value is Holder => typeOf(value) === 'object')

/** The types of some values, as `null or string`. */
const typesOf = (values: unknown[]) => [...new Set(values.map(typeOf))].sort().join(' or ')

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The keys as a JSON pointer in which `*` is any item. */
export const pointerOf = (steps: readonly string[]): string => steps.map((step) => `/${escapeStep(step)}`).join('')

import { isObject, type JsonObject } from '../../../src/suite/located.ts'
import { escapeStep, remembered } from '../../../src/text/data.ts'

/** One difference between the shapes of two JSON values. */
export interface ShapeDifference {
  readonly kind: 'removed' | 'added' | 'type'
  /** The keys that lead to it; `*` is any item of a list. */
  readonly steps: readonly string[]
  /** The types on either side; empty if the member is absent. */
  readonly older: string
  readonly newer: string
  /** The object with the member, in one of the versions. */
  readonly holder: JsonObject
}

/** The types of the values at each place of a body. */
type Outline = Map<
  string,
  Pick<ShapeDifference, 'steps' | 'holder'> & { readonly types: Set<string> }
>

/** The members that one of two values lacks or has with another type. Both must contain the same objects. Items of empty lists do not count. */
export function compareShapes(older: unknown, newer: unknown): ShapeDifference[] {
  const before = outlined(new Map(), older, [], {})
  const after = outlined(new Map(), newer, [], {})
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((pointer): ShapeDifference[] => {
    const former = before.get(pointer)
    const present = after.get(pointer)
    const { steps = [], holder = {} } = former ?? present ?? {}
    const isMissing = former === undefined || present === undefined
    const above = pointerOf(steps.slice(0, -1))
    const areObjects = [before, after].every((outline) => outline.get(above)?.types.has('object'))
    // A place is missing only from objects: a list without items has no place for them.
    if (isMissing && (!areObjects || steps.at(-1) === '*')) return []
    const types = { older: namesOf(former?.types), newer: namesOf(present?.types) }
    if (types.older === types.newer) return []
    const kind = isMissing ? (former ? 'removed' : 'added') : 'type'
    return [{ kind, steps, ...types, holder }]
  })
}

/** The outline with the types of a value, and of all values within it. */
function outlined(outline: Outline, value: unknown, steps: readonly string[], holder: JsonObject) {
  const { types } = remembered(outline, pointerOf(steps), () => ({
    steps,
    holder,
    types: new Set<string>(),
  }))
  types.add(typeOf(value))
  if (Array.isArray(value))
    for (const item of value) outlined(outline, item, [...steps, '*'], holder)
  if (!isObject(value)) return outline
  for (const [key, member] of Object.entries(value))
    outlined(outline, member, [...steps, key], value)
  return outline
}

/** The names of some types, as `null or string`. */
const namesOf = (types: ReadonlySet<string> = new Set()) => [...types].sort().join(' or ')

function typeOf(value: unknown) {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The keys as a JSON pointer in which `*` is any item. */
export const pointerOf = (steps: readonly string[]) =>
  steps.map((step) => `/${escapeStep(step)}`).join('')

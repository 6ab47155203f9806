import type { ShapedKind } from '../../src/spec/change-table.ts'
import { isObject, type JsonObject } from '../../src/suite/located.ts'

/** Whether an object is of a kind, told by its members wherever it appears in a body (readings G12). */
export const looksLike = {
  repository: (object) => typeof object.full_name === 'string' && isObject(object.owner),
  'pull request': (object) => isObject(object.head) && isObject(object.base),
  issue: (object) => Number.isInteger(object.number) && typeof object.title === 'string' && !('head' in object),
  gist: (object) => 'files' in object,
} as const satisfies Readonly<Record<ShapedKind, (object: JsonObject) => boolean>>

/** True when an object looks like one of some kinds. */
export function looksLikeAny(kinds: readonly ShapedKind[], object: JsonObject): boolean {
  return kinds.some((kind) => looksLike[kind](object))
}

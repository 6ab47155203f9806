import type { ChangeNumber } from './change-endpoints.ts'
import type { Endpoint } from './endpoints.ts'
import type { Level } from './requirements.ts'

/** Objects that are recognised by their members, wherever they appear in a body (readings G12). */
export type ShapedKind = 'repository' | 'pull request' | 'issue' | 'gist'

/** Objects that are recognised by their place: the endpoints of a change return them, at this depth of a body. */
export const placedKinds = {
  quota: 'top level',
  'resource quota': 'any depth',
  'API root': 'top level',
  'base gist': 'any depth',
  organisation: 'top level',
  attestation: 'any depth',
  advisory: 'any depth',
  'migrated repository': 'repository of a migration',
} as const satisfies Record<string, 'top level' | 'any depth' | 'repository of a migration'>

export type PlacedKind = keyof typeof placedKinds

/**
 * The effect of the newer version on a field. `deprecated` fields may be removed (readings V6), `retyped` ones may change their
 * form. `added` fields take the place of another one; `kept` ones exist in both versions and are to be read instead.
 */
export type Direction = 'removed' | 'deprecated' | 'retyped' | 'added' | 'kept'

/** A member of response objects that a change concerns. */
export interface FieldPart {
  readonly part: 'field'
  readonly direction: Direction
  /** The member's name, or `*` where the document does not name the members. */
  readonly field: string
  /** The kinds of object that have the member. */
  readonly in: readonly ShapedKind[] | PlacedKind
  /** No other object has a member of this name, so that the difference belongs to the change wherever it occurs. */
  readonly unmistakable?: true
  /** The level of the claim that the older version still has a removed or deprecated field (readings V2); `open` if it is not judged. */
  readonly early: Level | 'open'
  /** The level of the claim that the newer version has an added or kept field: `must` if the document relies on it. */
  readonly lost: Level | 'open'
}

/** A status that changes on every endpoint of the row. */
export interface StatusPart {
  readonly part: 'status'
  readonly older: number
  readonly newer: number
  readonly early: Level
}

/** A member of the request body that the newer version no longer honours or no longer accepts in every form. */
interface RequestPart {
  readonly part: 'request'
  readonly field: string
  readonly on: Endpoint
  readonly older: string
  readonly newer: string
  readonly early: Level
}

/** Values of a response member; `at` is a JSON pointer in which `*` is any item. */
interface ValuePart {
  readonly part: 'value'
  readonly at: string
  readonly older: readonly string[]
  readonly newer: readonly string[]
  readonly early: Level | 'open'
}

/** The media type of a response. */
interface MediaTypePart {
  readonly part: 'media-type'
  readonly older: string
  readonly newer: string
  readonly early: Level
}

/** An operation that only the older version has. */
interface OperationPart {
  readonly part: 'operation'
  /** Its address as the document names it. */
  readonly address: string
  readonly early: Level
}

export type ChangePart = FieldPart | StatusPart | RequestPart | ValuePart | MediaTypePart | OperationPart

/** One row of the document's table of changes (section Versioning, Changes in version 2026-03-10). */
export interface Change {
  readonly number: ChangeNumber
  /** All differences between the versions. */
  readonly parts: readonly [ChangePart, ...ChangePart[]]
  /** The endpoints that the row names, or the family that it names where paths are not shown. */
  readonly affects: readonly Endpoint[]
}

import * as table from '../../../src/spec/changes/changes.ts'
import { type Endpoint, endpointLabel } from '../../../src/spec/endpoints.ts'
import { looksLike, looksLikeAny } from '../../common/removed-fields.ts'
import type { ShapeDifference } from './response-shape.ts'

/** Where a difference was found. */
export interface ComparedPlace {
  readonly endpoint: Endpoint
  /** The request that was sent, `GET /orgs/octo-org/migrations`: it distinguishes the addresses of a family. */
  readonly request: string
}

/** The differences that a field of each direction may cause. */
const causes: Readonly<Record<table.Direction, readonly ShapeDifference['kind'][]>> = {
  removed: ['removed'],
  deprecated: ['removed'],
  added: ['added'],
  kept: [],
  retyped: ['removed', 'added', 'type'],
}

/** The number of the change that describes a difference; undefined if there is none. */
export function changeNaming(
  difference: ShapeDifference,
  place: ComparedPlace,
): table.ChangeNumber | undefined {
  const named = table.changes.find((change) =>
    fieldParts(change.parts).some((part) => explains(part, difference, change, place)),
  )
  return named?.number
}

/** True when a change names the member as the one to read instead of another. */
export function isReplacement(difference: ShapeDifference, place: ComparedPlace) {
  return table.changes.some((change) =>
    fieldParts(change.parts).some(
      (part) => part.lost === 'must' && concerns(part, difference, change, place),
    ),
  )
}

const fieldParts = (parts: readonly table.ChangePart[]) =>
  parts.filter((part): part is table.FieldPart => part.part === 'field')

function explains(
  part: table.FieldPart,
  difference: ShapeDifference,
  change: table.Change,
  place: ComparedPlace,
) {
  if (part.direction === 'retyped' && isBelow(part, difference)) return true
  const isCaused = causes[part.direction].includes(difference.kind)
  return isCaused && concerns(part, difference, change, place)
}

/** Members inside a member of another form differ as well; a payload's `pull_request` is a pull request of its own. */
function isBelow({ field }: table.FieldPart, { kind, steps, holder }: ShapeDifference) {
  return (
    steps.at(-2) === field &&
    steps.at(-3) !== 'payload' &&
    !looksLike['pull request'](holder) &&
    kind !== 'added'
  )
}

/** True when the member is the one of the part, in an object that has it. */
function concerns(
  part: table.FieldPart,
  { steps, holder }: ShapeDifference,
  { affects }: table.Change,
  place: ComparedPlace,
) {
  if (part.field !== '*' && part.field !== steps.at(-1)) return false
  if (part.unmistakable) return true
  if (typeof part.in !== 'string') return looksLikeAny(part.in, holder)
  const label = endpointLabel(place.endpoint)
  return (
    affects.some((endpoint) => endpointLabel(endpoint) === label) &&
    isAtDepth(part.in, steps, place)
  )
}

function isAtDepth(kind: table.PlacedKind, steps: readonly string[], { request }: ComparedPlace) {
  const depth = table.placedKinds[kind]
  if (depth === 'top level') return steps.length === 1
  if (depth === 'any depth') return true
  return steps.includes('repositories') || request.endsWith('/repositories')
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { packageRoot } from '../package/root.ts'
import { type ChangeNumber, changeEndpoints, familyOf } from './change-endpoints.ts'
import type { Change, ChangePart, FieldPart } from './change-table.ts'
import { type Endpoint, endpointLabel, endpoints, methods } from './endpoints.ts'
import type { Level } from './requirements.ts'

/** `changes.yaml`, in which endpoints have their labels. */
const { changes: texts }: { changes: Record<ChangeNumber, { parts: Change['parts']; affects: readonly unknown[] }> } = parse(
  readFileSync(join(packageRoot, 'src', 'spec', 'changes.yaml'), 'utf8'),
)

const numbers = Object.keys(texts).map(Number) as ChangeNumber[]
const families = numbers.flatMap((number) => methods.map((method) => familyOf(number, method)))
const named: readonly Endpoint[] = [...Object.values(endpoints), ...Object.values(changeEndpoints), ...families]

function endpointNamed(label: unknown): Endpoint {
  const found = named.find((endpoint) => endpointLabel(endpoint) === label)
  if (!found) throw new Error(`changes.yaml names an unknown endpoint: ${label}`)
  return found
}

/** The 21 changes, in the document's order. */
export const changes: readonly Change[] = numbers.map((number) => {
  const { parts, affects } = texts[number]
  const [first, ...others] = parts.map((part) => (part.part === 'request' ? { ...part, on: endpointNamed(part.on) } : part))
  return { number, parts: [first as ChangePart, ...others], affects: affects.flat(2).map(endpointNamed) }
})

/** A field that a change removes, or deprecates, from objects of some kinds. */
export interface RemovedField extends Pick<FieldPart, 'field' | 'in' | 'early'> {
  readonly change: ChangeNumber
}

/** The fields that a change removes or deprecates. Throws if there are none. */
export function removedFields(change: ChangeNumber): readonly [RemovedField, ...RemovedField[]] {
  const parts = partsOf(change, 'field').filter(({ direction }) => direction === 'removed' || direction === 'deprecated')
  const [first, ...others] = parts.map(({ field, in: kinds, early }) => ({ change, field, in: kinds, early }))
  if (!first) throw new Error(`change ${change} removes no field`)
  return [first, ...others]
}

/** The level of the claim about the older version's form. Throws if it is not judged. */
export function earlyLevel({ early }: { readonly early: Level | 'open' }): Level {
  if (early === 'open') throw new Error('the document does not say what the older version must show')
  return early
}

/** The field that a change names as the one to read instead. Throws if it names none. */
export function replacementOf(change: ChangeNumber): FieldPart {
  const found = partsOf(change, 'field').find(({ direction }) => direction === 'added' || direction === 'kept')
  if (!found) throw new Error(`change ${change} names no replacement`)
  return found
}

/** The only part of a change that is of this kind. Throws where there is none. */
export function partOf<Kind extends ChangePart['part']>(change: ChangeNumber, kind: Kind): PartOf<Kind> {
  const [found] = partsOf(change, kind)
  if (!found) throw new Error(`change ${change} has no part "${kind}"`)
  return found
}

/** The parts of one kind that changes have on an endpoint. */
export function partsOn<Kind extends ChangePart['part']>(endpoint: Endpoint, kind: Kind) {
  const label = endpointLabel(endpoint)
  return changes
    .filter(({ affects }) => affects.some((affected) => endpointLabel(affected) === label))
    .flatMap(({ number }) => partsOf(number, kind).map((part) => ({ change: number, part })))
}

type PartOf<Kind extends ChangePart['part']> = Extract<ChangePart, { readonly part: Kind }>

function partsOf<Kind extends ChangePart['part']>(change: ChangeNumber, kind: Kind): PartOf<Kind>[] {
  const parts: readonly ChangePart[] = changes.find(({ number }) => number === change)?.parts ?? []
  return parts.filter((part): part is PartOf<Kind> => part.part === kind)
}

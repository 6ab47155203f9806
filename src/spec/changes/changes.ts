import { readData } from '../../package/data-file.ts'
import {
  type Endpoint,
  endpointLabel,
  endpoints,
  endpointsOf,
  type Method,
  methods,
  type WithPath,
} from '../endpoints.ts'
import type { Level } from '../requirements.ts'

const affected = { section: 'Versioning, Changes in version 2026-03-10', others: [] } as const
type ChangeEndpointName =
  | 'root'
  | 'rateLimit'
  | 'contents'
  | 'defaultSetup'
  | 'userSubscriptions'
  | 'createTeam'
  | 'organization'
  | 'updateOrganization'
  | 'deleteOrganization'
  | 'removeMember'
  | 'setMembership'
  | 'acceptInvitation'
  | 'createOrgRepository'
  | 'createUserRepository'
  | 'startOrgMigration'
  | 'deleteInstallation'
  | 'dispatchWorkflow'
  | 'setOrganizationSecret'
  | 'gists'
  | 'publicGists'
  | 'starredGists'
  | 'gist'
  | 'gistForks'
  | 'gistRevision'
  | 'userGists'
  | 'updateGist'
  | 'createGist'
  | 'forkGist'
  | 'orgAttestations'
  | 'repositoryAttestations'
  | 'userAttestations'
  | 'orgAttestationList'
  | 'userAttestationList'

/** The endpoints of the table of changes, besides the 26 of the endpoint tables. */
export const changeEndpoints = endpointsOf<Record<ChangeEndpointName, WithPath>>('Versioning')

/** The number of a change, from 1 to 21. */
export type ChangeNumber = number

/** The endpoint of claims that every served address can prove. */
export const anyAddress: Endpoint = {
  ...affected,
  section: 'Versioning',
  method: 'GET',
  path: '(any address)',
  success: { 200: null },
}

/** The addresses that a change describes only as a family. The need `version-request` declares those of a target. */
export function familyOf(change: ChangeNumber, method: Method = 'GET'): Endpoint {
  return { ...affected, method, path: `(an address of change ${change})`, success: {} }
}

/** Objects that are recognised by their members, anywhere in a body (readings G12). */
export type ShapedKind = 'repository' | 'pull request' | 'issue' | 'gist'

/** Objects that are recognised by their place: the endpoints of a change return them, at this depth of a body. */
export const placedKinds = {
  quota: 'top level',
  'resource quota': 'any depth',
  'API root': 'top level',
  'base gist': 'any depth',
  organization: 'top level',
  attestation: 'any depth',
  advisory: 'any depth',
  'migrated repository': 'repository of a migration',
} as const satisfies Record<string, 'top level' | 'any depth' | 'repository of a migration'>

/** A kind of object that is recognised by its place: a key of {@link placedKinds}. */
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
  /** No other object has a member of this name, so that each such difference belongs to the change. */
  readonly unmistakable?: true
  /** The level of the claim that the older version still has a removed or deprecated field (readings V2); `open` if it is not judged. */
  readonly early: Level | 'open'
  /** The level of the claim that the newer version has an added or kept field: `must` if the document relies on it. */
  readonly lost: Level | 'open'
}

/** A property that differs between the versions. */
interface Different<Kind extends string, Value> {
  readonly part: Kind
  readonly older: Value
  readonly newer: Value
  readonly early: Level
}

/** A status that changes on every endpoint of the row. */
type StatusPart = Different<'status', number>

/** A member of the request body that the newer version no longer honours or no longer accepts in every form. */
type RequestPart = Different<'request', string> & { readonly field: string; readonly on: Endpoint }

/** Values of a response member; `at` is a JSON pointer in which `*` is any item. */
type ValuePart = Different<'value', readonly string[]> & { readonly at: string }

/** An operation that only the older version has; the document names its `address`. */
interface OperationPart {
  readonly part: 'operation'
  readonly address: string
  readonly early: Level
}

/** One difference between the versions within a row of the table of changes. */
export type ChangePart =
  | FieldPart
  | StatusPart
  | RequestPart
  | ValuePart
  | Different<'media-type', string>
  | OperationPart

/** One row of the document's table of changes (section Versioning, Changes in version 2026-03-10). */
export interface Change {
  readonly number: ChangeNumber
  /** All differences between the versions. */
  readonly parts: readonly ChangePart[]
  /** The endpoints of the row, or its family of endpoints if the document shows no paths. */
  readonly affects: readonly Endpoint[]
}

/** `changes.yaml`, in which endpoints have their labels. */
const {
  changes: texts,
}: { changes: Record<string, { parts: Change['parts']; affects: readonly unknown[] }> } = readData(
  'src/spec/changes/changes.yaml',
)

const numbers = Object.keys(texts).map(Number)
const families = numbers.flatMap((number) => methods.map((method) => familyOf(number, method)))
const named: readonly Endpoint[] = [
  ...Object.values(endpoints),
  ...Object.values(changeEndpoints),
  ...families,
]

function endpointNamed(label: unknown) {
  const found = named.find((endpoint) => endpointLabel(endpoint) === label)
  if (!found) throw new Error(`changes.yaml names an unknown endpoint: ${label}`)
  return found
}

/** The 21 changes, in the document's order. */
export const changes: readonly Change[] = Object.entries(texts).map(
  ([number, { parts, affects }]) => ({
    number: Number(number),
    parts: parts.map((part) =>
      part.part === 'request' ? { ...part, on: endpointNamed(part.on) } : part,
    ),
    affects: affects.flat(2).map(endpointNamed),
  }),
)

/** A field that a change removes, or deprecates, from objects of some kinds. */
export interface RemovedField extends Pick<FieldPart, 'field' | 'in' | 'early'> {
  readonly change: ChangeNumber
}

const removals = numbers.flatMap((change) =>
  partsOf(change, 'field')
    .filter(({ direction }) => direction === 'removed' || direction === 'deprecated')
    .map(({ field, in: kinds, early }) => ({ change, field, in: kinds, early })),
)

/** The names of all members that a change removes or deprecates. */
export const removableNames: ReadonlySet<string> = new Set(removals.map(({ field }) => field))

/** The fields that a change removes or deprecates. Throws if there are none. */
export function removedFields(number: ChangeNumber): readonly [RemovedField, ...RemovedField[]] {
  const [first, ...others] = removals.filter(({ change }) => change === number)
  if (!first) throw new Error(`change ${number} removes no field`)
  return [first, ...others]
}

/** The level of the claim about the older version's form. Throws if it is not judged. */
export function earlyLevel({ early }: { readonly early: Level | 'open' }): Level {
  if (early === 'open')
    throw new Error('the document does not say what the older version must show')
  return early
}

/** The field that a change names as the one to read instead. Throws if it names none. */
export function replacementOf(change: ChangeNumber): FieldPart {
  const found = partsOf(change, 'field').find(
    ({ direction }) => direction === 'added' || direction === 'kept',
  )
  if (!found) throw new Error(`change ${change} names no replacement`)
  return found
}

/** The only part of a change that is of this kind. Throws if there is none. */
export function partOf<Kind extends ChangePart['part']>(change: ChangeNumber, kind: Kind) {
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

function partsOf<Kind extends ChangePart['part']>(change: ChangeNumber, kind: Kind) {
  const { parts = [] } = changes.find(({ number }) => number === change) ?? {}
  return parts.filter((part): part is PartOf<Kind> => part.part === kind)
}

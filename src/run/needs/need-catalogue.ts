import { addSchema, readSchema, schemaNames } from '../../package/schemas.ts'
import type { NeedName } from '../../spec/needs.ts'

/** A value is read and shared; a consumable is used up by one check in one version; an action causes something. */
type NeedKind = 'value' | 'consumable' | 'action'

const folder = 'needs/'

/** One row of the need catalogue, as its schema file states it. */
export interface NeedDescription {
  readonly name: NeedName
  readonly kind: NeedKind
  /** What the checks use it for. */
  readonly description: string
  /** How an operator gives it. */
  readonly how: string
  readonly with: object
  readonly given: object
  /** A value that serves whatever is asked for with the need; absent where it depends on that. */
  readonly example?: object
}

const catalogue = new Map<string, NeedDescription>(
  schemaNames()
    .filter((name) => name.startsWith(folder))
    .map((path) => [path.slice(folder.length), catalogueRow(path.slice(folder.length), readSchema(path))]),
)

/** What `schemas/needs/` describes, whatever the configuration's own suites add. */
export const shippedNeeds: ReadonlyMap<string, NeedDescription> = new Map(catalogue)

/** The catalogue: what `schemas/needs/` describes, and what the configuration's own suites added. */
export const needCatalogue: ReadonlyMap<string, NeedDescription> = catalogue

/** Adds a need of the configuration's own suites. Throws when its schema is not valid or another need has its name. */
export function addNeed(name: string, schema: Record<string, unknown>): void {
  addSchema(`${folder}${name}`, schema)
  catalogue.set(name, catalogueRow(name, schema))
}

function catalogueRow(called: string, text: Record<string, unknown>): NeedDescription {
  const schema = text as unknown as {
    kind: NeedKind
    description: string
    how?: string
    properties: { with: object; given: object }
    examples?: { with?: object; given: object }[]
  }
  const name = called as NeedName
  const example = schema.examples?.find((one) => one.with === undefined)?.given
  return {
    name,
    ...(example ? { example } : {}),
    kind: schema.kind,
    description: schema.description,
    how: schema.how ?? usualHow(name),
    with: schema.properties.with,
    given: schema.properties.given,
  }
}

/** How an operator gives a need whose schema says nothing else. */
export function usualHow(name: string): string {
  return `give it under needs.${name} in the configuration, or let the provider answer the need "${name}"`
}

/** The sentence about a need whose provided value does not fit: it describes a value that does. */
export function unfit(name: string): string {
  return `${name} was given but does not serve here (${needCatalogue.get(name)?.description})`
}

/** How an operator gives whatever a report calls missing: a need, a token of a role, or a setting of the target. */
export function howToGive(name: string): string {
  const role = /^token:(.*)$/.exec(name)?.[1]
  if (role) return `add { role: ${role}, kind: classic, login: …, secret: "\${…}" } to tokens`
  if (name.startsWith('paths.')) return `set target.${name} in the configuration`
  if (name === 'target.rateLimit')
    return 'set target.rateLimit to { path, pointer, counts } of an address that returns the remaining rate limit'
  return needCatalogue.get(name)?.how ?? usualHow(name)
}

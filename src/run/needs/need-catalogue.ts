import { addSchema, readSchema, schemaNames } from '../../package/schemas.ts'
import type { NeedName } from '../../spec/needs.ts'

/** A value is read and shared; a consumable is used up by one check in one version; an action causes something. */
type NeedKind = 'value' | 'consumable' | 'action'

const folder = 'needs/'

/** One row of the need catalogue, as its schema file states it. */
export interface NeedDescription {
  readonly name: NeedName
  readonly kind: NeedKind
  /** The purpose for the checks. */
  readonly description: string
  /** How an operator provides it. */
  readonly how: string
  readonly with: object
  readonly given: object
  /** A value that serves every request for the need; absent when it depends on the request. */
  readonly example?: object
}

const catalogue = new Map<string, NeedDescription>(
  schemaNames()
    .filter((name) => name.startsWith(folder))
    .map((path) => [path.slice(folder.length), catalogueRow(path.slice(folder.length), readSchema(path))]),
)

/** The needs of `schemas/needs/`, without those of own suites. */
export const shippedNeeds: ReadonlyMap<string, NeedDescription> = new Map(catalogue)

/** The catalogue: the needs of `schemas/needs/` and those of the configuration's own suites. */
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

/** The usual way to provide a need. */
export function usualHow(name: string): string {
  return `give it under needs.${name} in the configuration, or let the provider answer the need "${name}"`
}

/** The sentence about a need whose value does not fit, with a description of a value that does. */
export function unfit(name: string): string {
  return `${name} was given but does not serve here (${needCatalogue.get(name)?.description})`
}

/** How an operator provides a missing item of a report: a need, a token of a role, or a setting of the target. */
export function howToGive(name: string): string {
  const role = /^token:(.*)$/.exec(name)?.[1]
  if (role) return `add { role: ${role}, kind: classic, login: …, secret: "\${…}" } to tokens`
  if (name.startsWith('paths.')) return `set target.${name} in the configuration`
  if (name === 'target.rateLimit')
    return 'set target.rateLimit to { path, pointer, counts } of an address that returns the remaining rate limit'
  return needCatalogue.get(name)?.how ?? usualHow(name)
}

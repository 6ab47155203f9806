import { readSchema, schemaNames } from '../../package/schemas.ts'
import type { NeedName } from '../../spec/needs.ts'

/** A value is read and shared; a consumable is used up by one check in one version; an action causes something. */
type NeedKind = 'value' | 'consumable' | 'action'

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
}

/** The catalogue, read from `schemas/needs/`. */
export const needCatalogue: ReadonlyMap<string, NeedDescription> = new Map(
  schemaNames()
    .filter((name) => name.startsWith('needs/'))
    .map((path) => [path.slice('needs/'.length), catalogueRow(path)]),
)

function catalogueRow(path: string): NeedDescription {
  const schema = readSchema(path) as {
    kind: NeedKind
    description: string
    how?: string
    properties: { with: object; given: object }
  }
  const name = path.slice('needs/'.length) as NeedName
  return {
    name,
    kind: schema.kind,
    description: schema.description,
    how: schema.how ?? `give it under needs.${name} in the configuration, or let the provider answer the need "${name}"`,
    with: schema.properties.with,
    given: schema.properties.given,
  }
}

import { addSchema, readSchema, schemaNames } from '../../package/schemas.ts'
import type { NeedName } from '../../spec/needs.ts'
import { didYouMean, UsageError } from '../../text/errors.ts'

const folder = 'needs/'

/** One row of the need catalogue, as its schema file states it. */
export interface NeedDescription {
  readonly name: NeedName
  /** The kinds of needs: a `value` is read and shared; one check in one version uses up a `consumable`; an `action` changes the target. */
  readonly kind: 'value' | 'consumable' | 'action'
  /** The purpose for the checks. */
  readonly description: string
  /** How an operator provides it. */
  readonly how: string
  readonly with: object
  readonly given: object
  /** The examples of its schema; `with` is absent if the value serves every request for the need. */
  readonly examples: readonly { readonly with?: object; readonly given: object }[]
}

/** A schema of a need, which `addNeed` and the tests have validated. */
interface NeedSchema extends Pick<NeedDescription, 'kind' | 'description'>, Partial<Pick<NeedDescription, 'how' | 'examples'>> {
  readonly properties: Pick<NeedDescription, 'given'> & Partial<Pick<NeedDescription, 'with'>>
}

const paths = schemaNames().filter((path) => path.startsWith(folder))
const catalogue = new Map(paths.map((path) => rowOf(path.slice(folder.length), readSchema(path))))

/** The catalogue: the needs of `schemas/needs/` and those of the configuration's own suites. */
export const needCatalogue: ReadonlyMap<string, NeedDescription> = catalogue

/** Adds a need of the configuration's own suites. Throws when its schema is not valid or another need has its name. */
export function addNeed(name: string, schema: Record<string, unknown>): void {
  addSchema(`${folder}${name}`, schema)
  catalogue.set(...rowOf(name, schema))
}

function rowOf(called: string, schema: object): [name: string, row: NeedDescription] {
  const name = called as NeedName
  const { kind, description, how = usualHow(name, kind), properties, examples = [] } = schema as NeedSchema
  const { with: specifics = {}, given } = properties
  return [name, { name, kind, description, how, with: specifics, given, examples }]
}

/** The row of a need. Throws {@link UsageError} for an unknown one; `at` is its place: `a.yaml:7: `. */
export function knownNeed(name: string, at = ''): NeedDescription {
  const row = catalogue.get(name)
  if (row) return row
  const hint = didYouMean(name, [...catalogue.keys()])
  throw new UsageError(`${at}there is no need "${name}"${hint}; "npx service-conformance list needs" lists them all`)
}

/** The names of a form's members, in its order. Optional ones have a question mark. */
export function memberList(form: object): string {
  const { properties = {}, required = [] } = form as { properties?: object; required?: string[] }
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
  return names.join(', ') || '-'
}

/** The usual way to provide a need. Only the provider performs an action. */
export function usualHow(name: string, kind = catalogue.get(name)?.kind): string {
  const response = `let the provider response the need "${name}"`
  return kind === 'action' ? response : `give it under needs.${name} in the configuration, or ${response}`
}

/** The sentence about an unfit value of a need, with the description of a fitting one. */
export function unfitText(name: string): string {
  return `${name} was given but does not suffice here (${needCatalogue.get(name)?.description})`
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

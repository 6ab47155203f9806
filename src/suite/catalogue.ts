import { isDeepStrictEqual } from 'node:util'
import {
  type Ajv2020,
  addSchema,
  newCompiler,
  readSchema,
  schemaNames,
  validatorOf,
} from '../package/schemas.ts'
import type { MissingNeed } from '../record/reason.ts'
import type { endpoints } from '../spec/endpoints.ts'
import type { NeedName } from '../spec/needs.ts'
import { documentRequirements } from '../spec/requirements.ts'
import { defined } from '../text/data.ts'
import { didYouMean, UsageError } from '../text/errors.ts'
import type { Suite } from './check.ts'
import { type NeedRef, needName } from './needs.ts'

const folder = 'needs/'

/** The number of objects that the hungriest check of a need needs, and the list that has them. */
interface Volume {
  readonly least: number
  /** `threads of this repository` */
  readonly of: string
  readonly list: keyof typeof endpoints
  readonly query?: object
  readonly check: string
}

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
  readonly volumes: readonly Volume[]
}

/** A schema of a need, which `addNeed` and the tests have validated. */
interface NeedSchema
  extends Pick<NeedDescription, 'kind' | 'description'>,
    Partial<Pick<NeedDescription, 'how' | 'examples' | 'volumes'>> {
  readonly properties: Pick<NeedDescription, 'given'> & Partial<Pick<NeedDescription, 'with'>>
}

const paths = schemaNames().filter((path) => path.startsWith(folder))

/** The needs of `schemas/needs/`. */
const packagedNeeds = paths.map((path) => rowOf(path.slice(folder.length), readSchema(path)))

/** The suites of one configuration, with the names that their checks may use: those of the package, and its own. */
export class Catalogue {
  /** The built-in suites, then those of the configuration. */
  readonly suites: Suite[]
  readonly needs = new Map(packagedNeeds)
  /** The requirements of the document, then those of the configuration's own suites. */
  readonly requirements = [...documentRequirements]
  #compiler: Ajv2020 | undefined

  constructor(builtIn: readonly Suite[] = []) {
    this.suites = [...builtIn]
  }

  /** A compiled schema by name. Throws when there is none. */
  readonly validatorOf = (name: string) => validatorOf(name, this.#compiler)

  /** Adds a schema beside own suites. Throws when it is not valid, and when another schema has its name. */
  addSchema(name: string, schema: object) {
    this.#compiler ??= newCompiler()
    addSchema(this.#compiler, name, schema)
  }

  /** Adds the need that a schema beside own suites describes. Throws when the schema is not valid or another need has its name. */
  addNeed(name: string, schema: object) {
    this.addSchema(`${folder}${name}`, schema)
    this.needs.set(...rowOf(name, schema))
  }

  /** Adds an own suite with its requirements. Throws if another requirement has the id of one of them. */
  addSuite(suite: Suite) {
    for (const requirement of suite.requirements ?? []) {
      const same = this.requirements.find(({ id }) => id === requirement.id)
      if (same === undefined) this.requirements.push(requirement)
      else if (!isDeepStrictEqual(same, requirement))
        throw new Error(`another requirement has the id "${requirement.id}"`)
    }
    this.suites.push(suite)
  }

  /** The row of a need. Throws {@link UsageError} for an unknown one; `at` is its place: `a.yaml:7: `. */
  needOf(name: string, at = ''): NeedDescription {
    const row = this.needs.get(name)
    if (row) return row
    const hint = didYouMean(name, [...this.needs.keys()])
    throw new UsageError(
      `${at}there is no need "${name}"${hint}; "npx service-conformance list needs" lists them all`,
    )
  }

  /** A need with a value that does not fit. `found` is the finding of the check about it. */
  unfit(wanted: NeedRef, found: string): MissingNeed {
    const missing = this.missing(wanted)
    const holds = this.needs.get(missing.need)?.description
    return { ...missing, unfit: true, found, ...defined({ holds }) }
  }

  /** How an operator provides a missing item of a report: a need, a token of a role, or a setting of the target. */
  howToGive(wanted: NeedRef): string {
    const name = needName(wanted) ?? ''
    if (wanted.type === 'role')
      return `add { role: ${wanted.role}, kind: classic, login: …, secret: "\${…}" } to tokens`
    if (wanted.type === 'path') return `set target.${name} in the configuration`
    if (wanted.type === 'quota')
      return `set ${name} to { path, pointer, counts } of an address that returns the remaining rate limit`
    return this.needs.get(name)?.how ?? usualHow(name)
  }

  /** A need that neither the configuration nor the provider meets. */
  missing(wanted: NeedRef): MissingNeed {
    const need = needName(wanted) ?? ''
    const how = this.howToGive(wanted)
    if (wanted.type === 'role') return { need, how, kind: 'token', role: wanted.role }
    if (wanted.type === 'path' || wanted.type === 'quota') return { need, how, kind: wanted.type }
    return need === 'token' ? { need, how, kind: 'token' } : { need, how }
  }

  /** True for the sentence that every need of its kind has. */
  isUsual(name: string, how: string): boolean {
    return how === usualHow(name, this.needs.get(name)?.kind)
  }
}

/** The catalogue of a configuration; that of the package if its suites are not loaded. */
export function catalogueOf({
  catalogue = new Catalogue(),
}: {
  readonly catalogue?: Catalogue
}): Catalogue {
  return catalogue
}

function rowOf(called: string, schema: object): [string, NeedDescription] {
  const name = called as NeedName
  const {
    kind,
    description,
    how = usualHow(name, kind),
    properties,
    examples = [],
    volumes = [],
  } = schema as NeedSchema
  const amounts = volumes.map(({ least, of }) => ` At least ${least} ${of}.`)
  const { with: specifics = {}, given } = properties
  const words = [description, ...amounts].join('')
  return [name, { name, kind, description: words, how, with: specifics, given, examples, volumes }]
}

/** The names of a form's members, in its order. Optional ones have a question mark. */
export function memberList(form: object): string {
  const { properties = {}, required = [] } = form as { properties?: object; required?: string[] }
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
  return names.join(', ') || '-'
}

/** The usual way to provide a need. Only the provider performs an action. */
function usualHow(name: string, kind?: NeedDescription['kind']) {
  const supply = `let the provider supply the need "${name}"`
  return kind === 'action'
    ? supply
    : `give it under needs.${name} in the configuration, or ${supply}`
}

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { remembered } from '../text/data.ts'
import { didYouMean } from '../text/errors.ts'
import { packageRoot } from './root.ts'

// The published package has them below dist alone, without white space.
const sources = join(packageRoot, 'schemas')
const folder = existsSync(sources) ? sources : join(packageRoot, 'dist', 'schemas')
const suffix = '.schema.json'

let compiler: Ajv2020 | undefined

/** The compiler of the schemas, made by the first validation. */
function ajv(): Ajv2020 {
  if (compiler) return compiler
  // Optimising the compiled code takes longer than it saves in a run.
  compiler = new Ajv2020({ strict: true, allowUnionTypes: true, verbose: true, code: { optimize: false } })
  addFormats.default(compiler)
  compiler.addVocabulary(['kind', 'how', 'gives'])
  // A test validates the shipped schemas: doing it in each process would take longer than most commands.
  for (const name of schemaNames()) compiler.addSchema(readSchema(name), name, false, false)
  return compiler
}

let names: readonly string[] | undefined

/** Every schema below `schemas/`, by its path without the ending: `event`, `needs/busy-user`. */
export function schemaNames(): readonly string[] {
  names ??= readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length).replaceAll('\\', '/'))
    .sort()
  return names
}

const read = new Map<string, Readonly<Record<string, unknown>>>()

/** One schema as JSON, read once. */
export function readSchema(name: string): Readonly<Record<string, unknown>> {
  return remembered(read, name, () => JSON.parse(readFileSync(join(folder, `${name}${suffix}`), 'utf8')))
}

/** Compiles a schema that is not of this package. Throws when it is not valid, and when another schema has its name. */
export function addSchema(name: string, schema: Record<string, unknown>): void {
  const known = ajv().schemas[name]?.schema
  if (known === undefined) {
    ajv().addSchema(schema, name)
    validatorOf(name)
  } else if (JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`another schema has the name "${name}"`)
}

/** A compiled schema by name. Throws when there is none. */
export function validatorOf(name: string): ValidateFunction {
  const validate = ajv().getSchema(name)
  if (validate) return validate as ValidateFunction
  const hint = didYouMean(name, Object.keys(ajv().schemas))
  throw new Error(`no schema has the name "${name}"${hint}; its file is ${name}${suffix}`)
}

export type { ErrorObject, ValidateFunction }

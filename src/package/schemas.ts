import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { packageRoot } from './root.ts'

const folder = join(packageRoot, 'schemas')
const suffix = '.schema.json'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, verbose: true })
addFormats.default(ajv)
ajv.addVocabulary(['kind', 'how', 'gives'])
// A test validates the shipped schemas: doing it in each process would take longer than most commands.
for (const name of schemaNames()) ajv.addSchema(readSchema(name), name, false, false)

/** Every schema below `schemas/`, by its path without the ending: `event`, `needs/busy-user`. */
export function schemaNames(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length).replaceAll('\\', '/'))
    .sort()
}

/** The text of one schema as JSON. */
export function readSchema(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, `${name}${suffix}`), 'utf8'))
}

/**
 * Adds a schema that is not of this package, compiled at once. Adding the same again changes nothing.
 * Throws when it is not valid, and when another schema has the name.
 */
export function addSchema(name: string, schema: Record<string, unknown>): void {
  const known = ajv.getSchema(name)?.schema
  if (known === undefined) {
    ajv.addSchema(schema, name)
    validatorOf(name)
  } else if (JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`another schema has the name "${name}"`)
}

/** A compiled schema by name. Throws when there is none. */
export function validatorOf(name: string): ValidateFunction {
  const validate = ajv.getSchema(name)
  if (!validate) throw new Error(`there is no schemas/${name}${suffix}`)
  return validate as ValidateFunction
}

export type { ErrorObject, ValidateFunction }

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { remembered } from '../text/data.ts'
import { didYouMean } from '../text/errors.ts'
import { packageRoot } from './root.ts'

// The published package has them below dist alone, without white space.
const sources = join(packageRoot, 'schemas')
const folder = existsSync(sources) ? sources : join(packageRoot, 'dist', 'schemas')
const suffix = '.schema.json'

/** A compiler that knows the schemas of the package. */
export function newCompiler(): Ajv2020 {
  // Optimising the compiled code takes longer than it saves in a run.
  const compiler = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    verbose: true,
    code: { optimize: false },
  })
  addFormats.default(compiler)
  compiler.addVocabulary(['kind', 'how', 'gives', 'volumes'])
  // A test validates the shipped schemas: doing it in each process would take longer than most commands.
  for (const name of schemaNames()) compiler.addSchema(readSchema(name), name, false, false)
  return compiler
}

let packaged: Ajv2020 | undefined

/** The compiler of the package's own schemas, which never change. The first validation makes it. */
function packagedCompiler() {
  packaged ??= newCompiler()
  return packaged
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
  return remembered(read, name, () =>
    JSON.parse(readFileSync(join(folder, `${name}${suffix}`), 'utf8')),
  )
}

/** Adds a schema that is not of the package to a compiler. Throws when it is not valid, and when another schema has its name. */
export function addSchema(compiler: Ajv2020, name: string, schema: object) {
  const known = compiler.schemas[name]?.schema
  if (known === undefined) {
    compiler.addSchema(schema, name)
    validatorOf(name, compiler)
  } else if (!isDeepStrictEqual(known, schema))
    throw new Error(`another schema has the name "${name}"`)
}

/** A compiled schema by name: of the package, or of another compiler. Throws when there is none. */
export function validatorOf(name: string, compiler = packagedCompiler()): ValidateFunction {
  const validate = compiler.getSchema(name)
  if (validate) return validate as ValidateFunction
  const hint = didYouMean(name, Object.keys(compiler.schemas))
  throw new Error(`no schema has the name "${name}"${hint}; its file is ${name}${suffix}`)
}

export type { Ajv2020, ErrorObject, ValidateFunction }

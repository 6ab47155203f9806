import { expect, test } from 'vitest'
import { readSchema } from '../package/schemas.ts'
import { atPointer } from '../text/json-pointer.ts'
import { defaults } from './defaults.ts'

// The page is made from the schema: "npx vitest run src/config/configuration-page.test.ts -u" writes it anew.

interface Schema {
  readonly description?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly examples?: readonly unknown[]
  readonly additionalProperties?: Schema | boolean
}

interface Row {
  readonly key: string
  readonly schema: Schema
  readonly required: boolean
}

const rows = rowsOf(readSchema('config') as Schema, '')

test('every key of the configuration has a description', () => {
  expect(rows.filter(({ schema }) => !schema.description).map(({ key }) => key)).toEqual([])
})

test('every default of the configuration belongs to a key of its schema', () => {
  const keys = new Set(rows.map(({ key }) => key))
  expect(leavesOf(defaults).filter((key) => !keys.has(key))).toEqual([])
})

test('docs/configuration.md names every key', async () => {
  const page = [
    '# Configuration',
    '',
    'A configuration is a YAML file. `conformance.config.yaml` in the working folder is loaded unless `--config` names another one;',
    '`service-conformance init` writes one by asking the target. Every key may be left out.',
    '',
    '- `${NAME}` in a text is replaced by the environment variable `NAME`. A variable that is not set is an error that names it.',
    '- Files (`target.dialect`, `provider`, `suites`) are found from the folder of the configuration; `report.directory` is found from',
    '  the working folder.',
    '- Words of the API (endpoints in `claims`, categories in `permissions`) are those of the document; paths in `target`, `needs` and',
    '  answers of a provider are those of the target.',
    '- An unknown key, a value of another form and a contradiction are errors that name the file, the line and the likely slip.',
    '',
    'An editor completes and checks the file by its schema, `service-conformance/dist/schemas/config.schema.json`, when the first line is:',
    '',
    '```yaml',
    '# yaml-language-server: $schema=./node_modules/service-conformance/dist/schemas/config.schema.json',
    '```',
    '',
    'This page is made from that schema. A key with `[]` stands for each item of a list.',
    '',
    '| key | form | default | meaning |',
    '|---|---|---|---|',
    ...rows.map(lineOf),
    '',
  ]
  await expect(page.join('\n')).toMatchFileSnapshot('../../docs/configuration.md')
})

function rowsOf(schema: Schema, path: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, raw]) => {
    const member = resolved(raw)
    const items = member.items ? resolved(member.items) : undefined
    const key = `${path}${name}`
    const required = schema.required?.includes(name) ?? false
    return [{ key, schema: member, required }, ...rowsOf(items ?? member, items ? `${key}[].` : `${key}.`)]
  })
}

function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema
  const [, pointer = ''] = schema.$ref.split('#')
  return { ...(atPointer(readSchema('config'), pointer) as Schema), ...schema }
}

function lineOf({ key, schema, required }: Row): string {
  const example = schema.examples?.[0]
  const shown = example === undefined ? '' : `; for example \`${JSON.stringify(example)}\``
  const meaning = `${required ? '(required) ' : ''}${schema.description}${shown}`
  return `| \`${key}\` | ${formOf(schema)} | ${defaultOf(key)} | ${meaning.replaceAll('|', '\\|')} |`
}

function formOf(schema: Schema): string {
  const { enum: words, items, anyOf, type, additionalProperties } = resolved(schema)
  if (words) return words.map((word) => `\`${word}\``).join(', ')
  if (items) return resolved(items).properties ? 'list' : `list of ${formOf(items)}`
  if (anyOf) return anyOf.map(formOf).join(' or ')
  if (typeof additionalProperties === 'object') return `name: ${formOf(additionalProperties)}`
  return type === 'string' ? 'text' : type === 'object' ? 'map' : type === 'boolean' ? '`true`, `false`' : 'number'
}

function defaultOf(key: string): string {
  const value = atPointer(defaults, `/${key.replaceAll('.', '/')}`)
  if (value === undefined || (typeof value === 'object' && !Array.isArray(value))) return ''
  if (Array.isArray(value)) return value.length === 0 ? '' : value.map((item) => `\`${item}\``).join(', ')
  return `\`${value}\``
}

function leavesOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const isMap = typeof member === 'object' && member !== null && !Array.isArray(member)
    return isMap && Object.keys(member).length > 0 ? leavesOf(member, `${path}${name}.`) : [`${path}${name}`]
  })
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../package/root.ts'
import { readSchema } from '../package/schemas.ts'
import { atPointer } from '../text/data.ts'
import { defaults } from './config.ts'

interface Schema {
  readonly description?: string
  readonly $ref?: string
  readonly properties?: Record<string, Schema>
  readonly items?: Schema
}

interface Key {
  readonly key: string
  readonly schema: Schema
}

const keys = keysOf(readSchema('config') as Schema, '')

/** The rows of the page's table: key, form, default and meaning. */
const rows = [...readFileSync(join(packageRoot, 'docs', 'configuration.md'), 'utf8').matchAll(/^\| (`.*) \|$/gm)].map(
  ([, row = '']) => row.split(' | '),
)

test('every key of the configuration has a description', () => {
  expect(keys.filter(({ schema }) => !schema.description).map(({ key }) => key)).toEqual([])
})

test('every default of the configuration belongs to a key of its schema', () => {
  const known = new Set(keys.map(({ key }) => key))
  expect(leavesOf(defaults).filter((key) => !known.has(key))).toEqual([])
})

test('docs/configuration.md lists every key in the order of the schema, with its default', () => {
  const listed = rows.map(([key, , byDefault]) => `${key} ${byDefault}`)
  expect(listed).toEqual(keys.map(({ key }) => `\`${key}\` ${defaultOf(key)}`))
})

function keysOf(schema: Schema, path: string): Key[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, raw]) => {
    const member = resolved(raw)
    const items = member.items ? resolved(member.items) : undefined
    const key = `${path}${name}`
    return [{ key, schema: member }, ...keysOf(items ?? member, items ? `${key}[].` : `${key}.`)]
  })
}

function resolved(schema: Schema) {
  if (schema.$ref === undefined) return schema
  const [, pointer = ''] = schema.$ref.split('#')
  return { ...(atPointer(readSchema('config'), pointer) as Schema), ...schema }
}

function defaultOf(key: string): string {
  const value = atPointer(defaults, `/${key.replaceAll('.', '/')}`)
  if (value === undefined || (typeof value === 'object' && !Array.isArray(value))) return ''
  if (Array.isArray(value)) return value.map((item) => `\`${item}\``).join(', ')
  return `\`${value}\``
}

function leavesOf(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const isMap = typeof member === 'object' && member !== null && !Array.isArray(member)
    return isMap && Object.keys(member).length > 0 ? leavesOf(member, `${path}${name}.`) : [`${path}${name}`]
  })
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { packageRoot } from '../src/package/root.ts'
import { readSchema, validatorOf } from '../src/package/schemas.ts'

type Shape = Record<string, unknown>

/** The row of a schema. A list has whole values, an object has changes of the schema's example by title. */
interface Row {
  readonly members?: number
  readonly optional?: readonly string[]
  readonly nullable?: readonly string[]
  readonly free?: readonly string[]
  readonly accepts: Shape | readonly unknown[]
  readonly rejects?: Shape | readonly unknown[]
}

const rows: Record<string, Row> = parse(readFileSync(join(packageRoot, 'schemas/samples.yaml'), 'utf8'))

const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value whose members, and those of its objects, are replaced by others. */
function changed(value: unknown, change: unknown): unknown {
  if (!isShape(value) || !isShape(change)) return change
  const members = Object.entries(change).map(([name, part]) => [name, changed(value[name], part)])
  return { ...value, ...Object.fromEntries(members) }
}

type Sample = readonly [title: string, value: unknown, accepted: boolean]

function samplesOf(example: unknown, samples: Row['rejects'], accepted: boolean): Sample[] {
  if (Array.isArray(samples)) return samples.map((value) => [JSON.stringify(value), value, accepted])
  return Object.entries(samples ?? {}).map(([title, change]) => [title, changed(example, change), accepted])
}

/** The example without each member, and with each member as something else. */
function memberSamples(example: unknown, { optional = [], nullable = [], free = [] }: Row): Sample[] {
  if (!isShape(example)) return []
  const each = (value: unknown, says: string, accepted: readonly string[]) =>
    Object.keys(example).map((name): Sample => [`${name} ${says}`, { ...example, [name]: value }, accepted.includes(name)])
  return [...each(undefined, 'absent', optional), ...each(null, 'null', nullable), ...each([[]], 'a list of lists', free)]
}

describe.each(Object.entries(rows))('the schema %s', (name, row) => {
  const [example] = readSchema(name).examples as unknown[]
  const others = samplesOf(example, [null, 'odd', 1, [example]], false)
  const samples = [
    ...samplesOf(example, row.accepts, true),
    ...samplesOf(example, row.rejects, false),
    ...memberSamples(example, row),
    ...others,
  ]

  test.each(samples)('judges a sample: %s', (_, value, accepted) => {
    // As it would arrive: undefined members do not exist on the wire.
    expect(validatorOf(name)(JSON.parse(JSON.stringify(value)))).toBe(accepted)
  })

  test('has all members in its example', () => {
    expect(isShape(example) ? Object.keys(example).length : undefined).toBe(row.members)
  })
})

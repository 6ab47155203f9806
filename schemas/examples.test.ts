import { expect, test } from 'vitest'
import { readSchema, schemaNames, validatorOf } from '../src/package/schemas.ts'

/** The schemas of records; `src/report/formats/formats.test.ts` validates records against them. */
const recordSchemas = ['report', 'run']

test.each(schemaNames())('the schema %s has its name as identifier, and a description', (name) => {
  const { $id, description } = readSchema(name)
  expect($id).toBe(name)
  expect(description).toEqual(expect.stringMatching(/^[A-Z].+/s))
})

test.each(schemaNames().filter((name) => !recordSchemas.includes(name)))('the examples of the schema %s are valid', (name) => {
  const validate = validatorOf(name)
  const { examples } = readSchema(name)
  expect(examples).not.toHaveLength(0)
  for (const example of examples as unknown[]) expect(validate(example), JSON.stringify(validate.errors)).toBe(true)
})

import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { readSchema, schemaNames } from './schemas.ts'

test.each(schemaNames())('the schema %s is valid JSON Schema', (name) => {
  const ajv = new Ajv2020({ strict: false })
  expect(ajv.validateSchema(readSchema(name)), JSON.stringify(ajv.errors)).toBe(true)
})

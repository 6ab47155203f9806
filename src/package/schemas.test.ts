import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { addSchema, newCompiler, readSchema, schemaNames, validatorOf } from './schemas.ts'

test.each(schemaNames())('the schema %s is valid JSON Schema', (name) => {
  const ajv = new Ajv2020({ strict: false })
  expect(ajv.validateSchema(readSchema(name)), JSON.stringify(ajv.errors)).toBe(true)
})

test('a schema beside suites is examined when it is added', () => {
  const compiler = newCompiler()
  expect(() => addSchema(compiler, 'added-invalid', { type: 'nothing' })).toThrow('schema is invalid')
  addSchema(compiler, 'added-valid', { type: 'string' })
  expect(['text', 1].map((value) => validatorOf('added-valid', compiler)(value))).toEqual([true, false])
})

test('a schema is added once under its name', () => {
  const compiler = newCompiler()
  addSchema(compiler, 'added-twice', { type: 'string' })
  addSchema(compiler, 'added-twice', { type: 'string' })
  expect(() => addSchema(compiler, 'added-twice', { type: 'number' })).toThrow('another schema has the name "added-twice"')
})

test('a schema that is missing is an error with a suggestion and with the name of its file', () => {
  expect(() => validatorOf('evnt')).toThrow('no schema has the name "evnt" (did you mean "event"?); its file is evnt.schema.json')
})

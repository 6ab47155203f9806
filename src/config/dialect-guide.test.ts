import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { DialectFile } from '../http/dialect/dialect-file.ts'
import { packageRoot } from '../package/root.ts'
import { readSchema, validatorOf } from '../package/schemas.ts'
import { objectKinds } from '../spec/words/object-kinds.ts'
import { headerNames, queryParameterNames } from '../spec/words/words.ts'
import { checkDialect } from './check-dialect.ts'

const guide = readFileSync(join(packageRoot, 'docs', 'dialect.md'), 'utf8')
const examples = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)]
  .map(([, text = '']) => text)
  .filter((text) => !text.includes('conformance.config.yaml'))

describe('docs/dialect.md', () => {
  test.each(examples)('an example is a dialect that is accepted: %s', (text) => {
    const dialect: DialectFile = parse(text)
    const validate = validatorOf('dialect')
    expect(validate(dialect), JSON.stringify(validate.errors)).toBe(true)
    expect(() => checkDialect(dialect, () => 'docs/dialect.md')).not.toThrow()
  })

  test('every key has an example', () => {
    const shown = new Set(examples.flatMap((text) => Object.keys(parse(text))))
    expect([...shown].sort()).toEqual(Object.keys(readSchema('dialect').properties as object).sort())
  })

  test('every word that a closed list has is named', () => {
    const words = [...objectKinds.filter((kind) => kind !== 'payload'), ...headerNames, ...queryParameterNames]
    expect(words.filter((word) => !guide.includes(`\`${word}\``))).toEqual([])
  })
})

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { suiteFiles } from '../../config/suite-files.ts'
import { documentRequirements } from '../../spec/requirements.ts'
import { loadSuites } from './load-suites.ts'

const { folder, at, ...files } = temporaryFolder('suites')

function write(name: string, text: string) {
  mkdirSync(dirname(at(name)), { recursive: true })
  return files.write(name, text)
}

/** A module whose default export is one suite with one check; `check` replaces members of the check. */
function suiteModule(check: object = {}, suite: object = {}) {
  const text = {
    id: 'own.quota.shape',
    requirement: 'events.event.fields',
    level: 'must',
    title: 'returns a quota',
    needs: {},
    ...check,
  }
  const endpoint = { section: 'House rules', method: 'GET', path: '/rate_limit', success: {}, others: [] }
  return `export default { area: 'events', endpoint: ${JSON.stringify(endpoint)}, checks: [${JSON.stringify(text)}], ...${JSON.stringify(suite)} }`
}

/** A suite in its own folder, with a schema, a need and a requirement; `text` describes them. */
function describedSuite(text: string) {
  const need = { description: text, kind: 'value', type: 'object', properties: { given: { type: 'object' } } }
  write(`${text}/house-thing.schema.json`, JSON.stringify({ const: text }))
  write(`${text}/needs/house-account.schema.json`, JSON.stringify(need))
  const stated = { id: 'own.stated', section: 'House rules', level: 'must', text }
  const needs = { account: { type: 'need', name: 'house-account' } }
  return write(`${text}/one.mjs`, suiteModule({ needs, requirement: 'own.stated' }, { requirements: [stated, stated] }))
}

const load = (...files: string[]) => loadSuites({ suites: files }, [])

describe('suites of the configuration', () => {
  test('follow the built-in ones', async () => {
    const { suites } = await load(write('fine/one.mjs', suiteModule()))
    expect(suites[0]?.checks.map(({ id }) => id)).toEqual(['own.quota.shape'])
  })

  test('bring schemas, needs and requirements, which another configuration of the process does not see', async () => {
    const catalogues = [await load(describedSuite('first')), await load(describedSuite('second'))]
    const seen = catalogues.map(({ validatorOf, needs, requirements }) => [
      validatorOf('house-thing')('first'),
      needs.get('house-account')?.description,
      requirements.filter(({ id }) => id === 'own.stated').map(({ text }) => text),
    ])
    expect(seen).toEqual([
      [true, 'first', ['first']],
      [false, 'second', ['second']],
    ])
    const { validatorOf, needs, requirements } = await load()
    expect(() => validatorOf('house-thing')).toThrow('no schema has the name')
    expect([needs.has('house-account'), requirements]).toEqual([false, documentRequirements])
  })

  test.each([
    ['an id of a built-in area', suiteModule({ id: 'events.quota.shape' }), 'needs an id of the form own.operation.aspect'],
    ['an unknown requirement', suiteModule({ requirement: 'events.event.field' }), 'did you mean "events.event.fields"?'],
    ['a need without a schema', suiteModule({ needs: { a: { type: 'need', name: 'busy-usr' } } }), 'did you mean "busy-user"?'],
    [
      'one name for two needs',
      suiteModule({ needs: { a: { type: 'quota' } }, also: { a: { type: 'reader' } } }),
      'has "a" in needs and',
    ],
    ['another default export', 'export default 3', 'its default export is no suite and no list'],
    ['an unknown area', suiteModule({}, { area: 'weather' }), 'its default export is no suite and no list'],
    ['a module that throws', 'throw new Error("no such luck")', 'cannot be loaded: no such luck'],
  ])('are refused with %s', async (what, text, says) => {
    await expect(load(write(`${what.replaceAll(' ', '-')}/one.mjs`, text))).rejects.toThrow(says)
  })

  test('are refused when two checks have one id', async () => {
    const files = ['twice/one.mjs', 'twice/two.mjs'].map((name) => write(name, suiteModule()))
    await expect(load(...files)).rejects.toThrow('two checks of your own suites have the id "own.quota.shape"')
  })

  test('are refused with a schema that takes the name of a built-in one', async () => {
    write('clash/event.schema.json', '{ "type": "object" }')
    await expect(load(write('clash/one.mjs', suiteModule()))).rejects.toThrow('another schema has the name "event"')
  })

  test('are refused with a schema that is none', async () => {
    write('broken/house.schema.json', '{ "type": "objekt" }')
    await expect(load(write('broken/one.mjs', suiteModule()))).rejects.toThrow('house.schema.json is no usable schema')
  })

  test('are refused with a need whose schema lacks its kind', async () => {
    write('kindless/needs/house.schema.json', '{ "type": "object", "properties": { "given": {} } }')
    await expect(load(write('kindless/one.mjs', suiteModule()))).rejects.toThrow('"kind" (value, consumable or action)')
  })
})

describe('the files of suites', () => {
  write('glob/b.js', '')
  write('glob/a.js', '')
  write('glob/a.d.ts', '')

  test('are matched by a pattern, sorted', () =>
    expect(suiteFiles(['./glob/*.js', 'glob/a.js'], folder)).toEqual([at('glob/a.js'), at('glob/b.js')]))

  test('are matched by a pattern with a text between its stars', () => {
    const wanted = ['text-of-mine.js', 'text-of-other.js']
    for (const name of [...wanted, 'text-mine.js', 'text-of-mine.mjs', 'a-text-of.js']) write(`between/${name}`, '')
    expect(suiteFiles(['between/text*of*.js'], folder)).toEqual(wanted.map((name) => at('between', name)))
  })

  test('do not include declarations of types', () =>
    expect(() => suiteFiles(['glob/*.ts'], folder)).toThrow('there is no such file'))

  test('are refused when there is none', () =>
    expect(() => suiteFiles(['glob/c.js'], folder)).toThrow('suites: "glob/c.js": there is no such file'))

  test('are refused with a pattern for folders', () =>
    expect(() => suiteFiles(['*/a.js'], folder)).toThrow('a "*" is accepted in the name of a file only'))
})

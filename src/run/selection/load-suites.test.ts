import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { suiteFiles } from '../../config/suite-files.ts'
import { validatorOf } from '../../package/schemas.ts'
import { requirements } from '../../spec/requirements.ts'
import { needCatalogue } from '../needs/need-catalogue.ts'
import { loadSuites } from './load-suites.ts'

const folder = mkdtempSync(join(tmpdir(), 'service-conformance-suites-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string): string {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** A module whose default export is one suite with one check; `check` replaces members of the check. */
function suiteModule(check: object = {}, suite: object = {}): string {
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

const load = (...files: string[]) => loadSuites({ suites: files }, [])

describe('suites of the configuration', () => {
  test('follow the built-in ones', async () => {
    const [suite] = await load(write('fine/one.mjs', suiteModule()))
    expect(suite?.checks.map(({ id }) => id)).toEqual(['own.quota.shape'])
  })

  test('bring the schemas and the needs beside them', async () => {
    write('described/house-thing.schema.json', '{ "type": "object", "required": ["name"], "properties": { "name": true } }')
    const need = { description: 'An account.', kind: 'value', type: 'object', properties: { given: { type: 'object' } } }
    write('described/needs/house-account.schema.json', JSON.stringify(need))
    await load(write('described/one.mjs', suiteModule({ needs: { account: { type: 'need', name: 'house-account' } } })))
    expect(validatorOf('house-thing')({})).toBe(false)
    expect(needCatalogue.get('house-account')).toMatchObject({ kind: 'value', description: 'An account.', with: {} })
  })

  test('bring requirements, once however often they are loaded', async () => {
    const stated = { id: 'own.stated', section: 'House rules', level: 'must', text: 'There is a quota.' }
    const file = write('stated/one.mjs', suiteModule({ requirement: 'own.stated' }, { requirements: [stated] }))
    await load(file)
    await load(file)
    expect(requirements.filter(({ id }) => id === 'own.stated')).toEqual([stated])
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
    expect(suiteFiles(['./glob/*.js', 'glob/a.js'], folder)).toEqual([join(folder, 'glob/a.js'), join(folder, 'glob/b.js')]))

  test('are matched by a pattern with a text between its stars', () => {
    const wanted = ['text-of-mine.js', 'text-of-other.js']
    for (const name of [...wanted, 'text-mine.js', 'text-of-mine.mjs', 'a-text-of.js']) write(`between/${name}`, '')
    expect(suiteFiles(['between/text*of*.js'], folder)).toEqual(wanted.map((name) => join(folder, 'between', name)))
  })

  test('do not include declarations of types', () =>
    expect(() => suiteFiles(['glob/*.ts'], folder)).toThrow('there is no such file'))

  test('are refused when there is none', () =>
    expect(() => suiteFiles(['glob/c.js'], folder)).toThrow('suites: "glob/c.js": there is no such file'))

  test('are refused with a pattern for folders', () =>
    expect(() => suiteFiles(['*/a.js'], folder)).toThrow('a "*" is accepted in the name of a file only'))
})

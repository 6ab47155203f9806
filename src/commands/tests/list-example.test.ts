import { describe, expect, test } from 'vitest'
import { commandLine } from '../../../fixtures/samples/command-line.ts'
import { temporaryFolder } from '../../../fixtures/samples/files/temporary-folder.ts'
import { suites } from '../../../suites/index.ts'
import { loadConfig } from '../../config/load.ts'
import { checkStaticNeeds } from '../../run/needs/given-values.ts'
import { allChecks } from '../../run/selection/selection.ts'
import { Catalogue } from '../../suite/catalogue.ts'
import { needsOf } from '../../suite/check.ts'

const { write } = temporaryFolder('examples')

/** The exit code and the output of `list needs --example` for a need. */
const exampleOf = (name: string) => commandLine(`list needs --example ${name}`)

describe('list needs --example', () => {
  const given = [...new Catalogue().needs.values()].flatMap(({ name, kind }) =>
    name === 'token' || kind === 'action' ? [] : name,
  )

  test.each(given)('prints a value of %s that a configuration accepts', async (name) => {
    const { code, out } = await exampleOf(name)
    expect(code).toBe(0)
    const { needs } = loadConfig(write(`${name}.yaml`, `target: { baseUrl: "http://127.0.0.1:1" }\n${out}`))
    expect(Object.keys(needs)).toEqual([name])
    expect(() => checkStaticNeeds({ needs })).not.toThrow()
  })

  test('prints a token as an entry of tokens, with its secret in a variable', async () => {
    const { out } = await exampleOf('token')
    const file = write('token.yaml', `target: { baseUrl: "http://127.0.0.1:1" }\n${out}`)
    const [entry] = loadConfig(file, { TOKEN: 'a-secret-of-the-target' }).tokens
    expect(entry).toMatchObject({ kind: 'fine-grained', login: 'mona', variable: 'TOKEN' })
  })

  test('states the meaning of the need, and how many of a consumable a run uses up', async () => {
    const { out } = await exampleOf('unread-thread')
    expect(out).toMatch(/^# An unread notification thread .*\n# A whole run uses up \d+ in each version/)
    expect(out).toContain('\nneeds:\n  unread-thread:\n    - thread_id: "101"\n')
  })

  test.each([
    ['token:owner', 'add { role: owner, kind: classic, login: …, secret: "${…}" } to tokens'],
    ['paths.downloadArchive', 'set target.paths.downloadArchive in the configuration'],
    ['target.rateLimit', 'set target.rateLimit to { path, pointer, counts }'],
  ])('states how to give %s, which list needs prints as well', async (name, how) => {
    const { code, out } = await exampleOf(name)
    expect(code).toBe(0)
    expect(out).toContain(`# To give ${name}: ${how}`)
  })

  test('prints requests of a change that checks ask for, and names all of these changes', async () => {
    const wanted = allChecks(suites).flatMap(({ check }) => Object.values(needsOf(check)))
    const asked = wanted.flatMap((one) => (one.type === 'need' && one.name === 'version-request' ? [one.with] : []))
    const changes = [...new Set(asked.map((specifics) => (specifics as { change: number }).change))].sort((a, b) => a - b)
    const { out } = await exampleOf('version-request')
    expect(out).toContain(` ${changes.slice(0, -1).join(', ')} and ${changes.at(-1)} of docs/areas/versioning.md.`)
    const [, change] = /^ {4}- change: (\d+)\n {6}method: GET\n/m.exec(out) ?? []
    expect(changes).toContain(Number(change))
  })

  test('guesses a misspelt need, and refuses an action', async () => {
    expect(await exampleOf('unread-thred')).toMatchObject({ code: 2, out: '' })
    expect((await exampleOf('unread-thred')).err).toContain('(did you mean "unread-thread"?)')
    expect((await exampleOf('new-event')).err).toContain('"new-event" is an action, which only a provider can supply')
  })
})

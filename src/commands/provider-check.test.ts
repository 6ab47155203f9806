import { describe, expect, test } from 'vitest'
import { servedFolder } from '../../fixtures/samples/served-folder.ts'
import { suites } from '../../suites/index.ts'
import { providerCheckCommand } from './provider.ts'

const { server, write } = servedFolder('provider')

describe('provider check', () => {
  const configured = (name: string, module: string) => {
    write(`${name}.mjs`, module)
    return write(`${name}.yaml`, `target: { baseUrl: "${server().baseUrl}" }\nprovider: ./${name}.mjs\n`)
  }

  test('provider check validates each answer, and names functions that no need is called like', async () => {
    const config = configured(
      'answers',
      `export default {
        'public-repository': async () => ({ owner: 'octo-org', repo: 'hello' }),
        organization: async () => ({ name: 'octo-org' }),
        'busy-user': async () => undefined,
        unreadThread: async () => ({}),
      }`,
    )
    const { text, code } = await providerCheckCommand(undefined, { config }, suites)
    expect(code).toBe(1)
    expect(text).toMatch(/^given +public-repository .*{"owner":"octo-org","repo":"hello"}$/m)
    expect(text).toMatch(/^wrong +organization .*must have required property 'org'$/m)
    expect(text).toMatch(/^unsupported +busy-user .*gave nothing$/m)
    expect(text).toContain('"unreadThread", which no check asks for (did you mean "unread-thread"?)')
    expect((await providerCheckCommand('public-repository', { config }, suites)).text.split('\n')).toHaveLength(4)
  })

  test('a value is printed whole, so that it can be copied into the configuration', async () => {
    const kinds = Array.from({ length: 40 }, (_, index) => `kind-${index}`)
    const given = { owner: 'mona', repo: 'atlas', kinds }
    const config = configured('long', `export default { 'exportable-repository': () => (${JSON.stringify(given)}) }`)
    const { text } = await providerCheckCommand('exportable-repository', { config, json: true }, suites)
    expect(JSON.parse(JSON.parse(text).asked[0].says)).toEqual(given)
  })

  test('a need that does not exist and a configuration without a provider are usage errors', async () => {
    const config = configured('empty', 'export default {}')
    await expect(providerCheckCommand('unread-thred', { config }, suites)).rejects.toThrow('did you mean "unread-thread"?')
    const none = write('none.yaml', `target: { baseUrl: "${server().baseUrl}" }\n`)
    await expect(providerCheckCommand(undefined, { config: none }, suites)).rejects.toThrow('there is no provider to check')
  })
})

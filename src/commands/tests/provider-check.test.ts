import { describe, expect, test } from 'vitest'
import { commandLine } from '../../../fixtures/samples/command-line.ts'
import { servedFolder } from '../../../fixtures/samples/served-folder.ts'
import { endpoints } from '../../spec/endpoints.ts'
import { permissionRows } from '../../spec/permissions/permissions.ts'
import { Catalogue } from '../../suite/catalogue.ts'

const { configure, write } = servedFolder('provider')

describe('provider check', () => {
  /** The configuration with a provider of these functions. */
  const configured = (functions: string, more = '') => {
    const file = write(`${Math.random()}.mjs`, `export default {${functions}}`)
    return configure(`provider: ${file}\n${more}`)
  }
  const checked = (words: string) => commandLine(`provider check --config ${words}`)

  test('provider check validates each response, and names functions that no need is called like', async () => {
    const config = configured(
      `
        'public-repository': async () => ({ owner: 'octo-org', repo: 'hello' }),
        organization: async () => ({ name: 'octo-org' }),
        'busy-user': async () => undefined,
        unreadThread: async () => ({}),
      `,
    )
    const { out: text, code } = await checked(`${config} --verbose`)
    expect(code).toBe(1)
    expect(text).toMatch(/^given +public-repository .*{"owner":"octo-org","repo":"hello"}$/m)
    expect(text).toMatch(/^wrong +organization .*must have required property 'org': {.*}$/m)
    expect(text).toMatch(/^unsupported +busy-user .*gave nothing$/m)
    // The failures are just above the numbers.
    expect(text).toMatch(/\nwrong +organization .*\n\d+ unsupported, 1 given, 1 wrong\n/)
    expect(text).toContain('"unreadThread", which no check asks for (did you mean "unread-thread"?)')
    expect((await checked(`${config} public-repository`)).out).toMatch(/\n1 given\n/)
  })

  test('what was made is counted where a check needs more of it', async () => {
    const config = configured(`'public-repository': () => ({ owner: 'octo-org', repo: 'empty' })`)
    const { out, code } = await checked(config)
    expect(code).toBe(0)
    expect(out).toContain('0 of 101 recent events of this repository, which events.repository.per-page-max needs\n')
  })

  test('each number is the one that its check needs: an item more than the largest page', () => {
    for (const { least, list } of [...new Catalogue().needs.values()].flatMap(({ volumes }) => volumes))
      expect(endpoints[list]).toMatchObject({ paging: { max: least - 1 } })
  })

  test('each need is asked with an example, in which the own users and threads of the target replace others', async () => {
    const config = configured(
      `
        user: ({ role }) => ({ login: role === 'owner' ? 'ada' : '' }),
        organization: () => ({ org: 'lovelace' }),
        'unread-thread': () => ({ thread_id: '77', owner: 'ada', repo: 'engine' }),
        token: ({ kind, login, account }) => ({ secret: [kind, login, account].join('-') + '-0123456789' }),
        'permission-target': ({ row }) => ({ path: row.path }),
        'comment-on-thread': ({ thread_id }) => (thread_id === '77' ? {} : { unsupported: thread_id }),
        'advance-clock': ({ seconds }) => { throw new Error('no clock for ' + seconds) },
      `,
    )
    const { out: text } = await checked(`${config} --verbose`)
    expect(text).toMatch(/^given +user +{"role":"owner"}/m)
    expect(text).toMatch(/^given +token +{"kind":"classic","login":"ada","scopes":\["notifications"\]}/m)
    expect(text).toMatch(/^given +token +{"kind":"app-installation","account":"lovelace",/m)
    expect(text).toMatch(/^given +permission-target +{"row":{"method":"GET",/m)
    expect(text).toMatch(/^given +comment-on-thread +{"thread_id":"77"}/m)
    expect(text).not.toContain('advance-clock')
    expect((await checked(`${config} advance-clock`)).out).toContain('"advance-clock" with {"seconds":600}: no clock for 600')
    expect(text).not.toContain('0123456789')
  })

  test('the summary names each need once, and equal refusals and failures in one line', async () => {
    const config = configured(
      `
        'public-repository': () => ({ owner: 'octo-org', repo: 'hello' }),
        'permission-target': ({ row }) => ({ path: row.path }),
        user: () => { throw new Error('no database') },
        organization: () => { throw new Error('no database') },
        'busy-user': () => ({}),
      `,
    )
    const { out: text } = await checked(config)
    const lines = text.split('\n')
    expect(lines).toContainEqual(expect.stringMatching(/^given {8}public-repository, permission-target \(\d+\)$/))
    expect(lines.filter((line) => line.startsWith('unsupported  '))).toHaveLength(1)
    expect(lines).toContainEqual(expect.stringMatching(/^failed {7}organization, user( \(\d\))?: .*no database$/))
    expect(lines).toContainEqual(expect.stringMatching(/^wrong {8}busy-user: .*'login'.*{}$/))
    expect(lines.findIndex((line) => /^(wrong|failed) /.test(line))).toBeGreaterThan(
      lines.findLastIndex((line) => /^(given|unsupp)/.test(line)),
    )
    expect(text).toContain('"npx service-conformance provider check --verbose" prints each response\n')
    expect(text).not.toContain('octo-org')
  })

  test('a row of each kind is asked for, and every row where the need is named', async () => {
    const config = configured(`'permission-target': ({ row }) => ({ path: row.path })`)
    const asked = ({ out }: { out: string }) => [...out.matchAll(/^given +permission-target +{"row":{"method":"(\w+)"/gm)]
    const some = await checked(`${config} --verbose`)
    const kinds = new Set(permissionRows.map(({ method, category }) => `${method} ${category.owner}`))
    expect(asked(some).length).toBeGreaterThanOrEqual(kinds.size)
    expect(new Set(asked(some).map(([, method]) => method))).toEqual(new Set(permissionRows.map(({ method }) => method)))
    expect(some.out).toContain(`permission-target: ${asked(some).length} of its 88 rows; "npx service-conformance provider check`)
    const all = await checked(`${config} permission-target`)
    expect(asked(all)).toHaveLength(88)
    expect(all.out).not.toContain('of its 88 rows')
  })

  test('a need of the configuration is not requested, unless it is named', async () => {
    const config = configured(`organization: () => ({ org: 'asked' })`, 'needs: { organization: { org: octo-org } }')
    const { out: text } = await checked(`${config} --verbose`)
    expect(text).toMatch(/^configured +organization .* given by the configuration$/m)
    expect(text).not.toContain('asked')
    expect((await checked(`${config} organization`)).out).toMatch(/^given .*"asked"/m)
  })

  test('a value is printed whole, so that it can be copied into the configuration', async () => {
    const kinds = Array.from({ length: 40 }, (_, index) => `kind-${index}`)
    const given = { owner: 'mona', repo: 'atlas', kinds }
    const config = configured(`'exportable-repository': () => (${JSON.stringify(given)})`)
    const { out: text } = await checked(`${config} exportable-repository --json`)
    expect(JSON.parse(JSON.parse(text).asked[0].says)).toEqual(given)
  })

  test('a need that does not exist and a configuration without a provider are usage errors', async () => {
    const config = configured('')
    const unknown = await checked(`${config} unread-thred`)
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('did you mean "unread-thread"?') })
    const without = await checked(configure())
    expect(without).toMatchObject({ code: 2, err: expect.stringContaining('there is no provider to check') })
  })
})

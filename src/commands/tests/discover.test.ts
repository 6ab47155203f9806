import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { commandLine } from '../../../fixtures/samples/command-line.ts'
import { servedFolder } from '../../../fixtures/samples/served-folder.ts'
import { json, scriptedTarget } from '../../../fixtures/samples/target/scripted-target.ts'
import { suites } from '../../../suites/index.ts'
import { loadConfig } from '../../config/load.ts'
import { forecastChecks } from '../../doctor/forecast-checks.ts'
import { coverageOf } from '../../record/verdict.ts'
import { readRun } from '../../report/files/read.ts'
import { allChecks } from '../../run/selection/selection.ts'

const { at, server, read, configure } = servedFolder('discover')
const secrets = { OWNER_TOKEN: 'reference-owner-7f3a1c', OUTSIDER_TOKEN: 'reference-outsider-c2496b' }

/** The words of `init` with the logins of both tokens. */
const logins = '--login owner=mona --login outsider=hubot'
const beginsWithTokens = () => {
  beforeEach(() => {
    for (const [name, secret] of Object.entries(secrets)) vi.stubEnv(name, secret)
  })
  afterEach(() => void vi.unstubAllEnvs())
}

/** Calls `init` for some checks. The search for data does not depend on them, and the forecast of a few checks is quick. */
const init = (words: string, area = 'migrations') =>
  commandLine(`init ${words}`, async () => suites.filter((suite) => area === 'all' || suite.area === area))

/** The number of checks that the needs of a configuration permit. */
async function predicted(file: string) {
  const config = loadConfig(file)
  const target = { ...config.target, baseUrl: server().baseUrl }
  return coverageOf((await forecastChecks({ ...config, target }, allChecks(suites))).checks).judged
}

/** The checks with a verdict and the deviations of a run of some checks. */
async function judged(file: string, only: string[]) {
  const out = `${file}-reports`
  await commandLine(['run', '--config', file, '--out', out, '--quiet', ...only.flatMap((glob) => ['--only', glob])])
  const checks = readRun(out).reports.flatMap((report) => report.checks)
  return { judged: coverageOf(checks).judged, deviating: checks.filter(({ deviation }) => deviation).map(({ id }) => id) }
}

/** A target whose lists all have these items, as far as a list needs them. */
function listingTarget(item: object) {
  const items = Array.from({ length: 100 }, () => item)
  return scriptedTarget((_, response) => json(response, 200, items))
}

describe('init --discover', () => {
  describe('with two tokens', () => {
    beginsWithTokens()

    test('the needs that are found let a run judge twice as many checks, without a deviation', async () => {
      const [plain, found] = [at('plain.yaml'), at('found.yaml')]
      await init(`--base-url ${server().baseUrl} ${logins} --config ${plain}`)
      const { out: said } = await init(`--base-url ${server().baseUrl} ${logins} --config ${found} --discover`, 'all')
      const after = Number(/predicts ([\d,]+) of [\d,]+ checks/.exec(said.replaceAll(/\s+/g, ' '))?.[1]?.replace(',', ''))
      expect(after).toBeGreaterThan(2 * (await predicted(plain)))
      const { needs } = loadConfig(found)
      expect(said).toContain(`found    ${Object.keys(needs).length} needs in the data of the target`)
      expect(needs).toMatchObject({
        'public-repository': { owner: 'octo-org', repo: 'hello' },
        organization: { org: 'octo-org' },
        'private-repository': { owner: 'octo-org', repo: 'secret' },
        'busy-user': { login: 'busybee' },
        'busy-repository': { owner: 'busy-org', repo: 'hive' },
        'busy-organization': { org: 'busy-org' },
        'exportable-repository': { owner: 'mona', repo: 'atlas', kinds: [] },
        gist: { gist_id: 'a0001' },
      })
      const only = ['notifications.thread.status', 'events.repository.*', 'migrations.list.status']
      const [without, given] = [await judged(plain, only), await judged(found, only)]
      expect(given.judged).toBeGreaterThan(1.5 * without.judged)
      expect(given.deviating).toEqual([])
    })

    test('each value has a comment that says where it was seen, no need shares a thread, and no secret is written', async () => {
      await init(`--base-url ${server().baseUrl} ${logins} --config ${at('commented.yaml')} --discover`)
      const text = read('commented.yaml')
      const [, needs = ''] = text.split('\nneeds:\n')
      const values = needs.split('\n').filter((line) => line.includes('{'))
      expect(values.length).toBeGreaterThan(20)
      expect(values.filter((line) => !/ # seen in GET \/[\w/{}]+$/.test(line))).toEqual([])
      const threads = [...needs.matchAll(/"(40\d{8})"/g)].map(([, id]) => id)
      expect(new Set(threads).size).toBe(threads.length)
      for (const secret of Object.values(secrets)) expect(text).not.toContain(secret)
    })

    test('a need that is configured stays as it is, and a second search adds nothing', async () => {
      const file = configure('needs:\n  organization: { org: mine } # ours')
      await init(`${logins} --config ${file} --discover`)
      const text = readFileSync(file, 'utf8')
      expect(text).toContain('  organization: { org: mine } # ours\n  public-repository:')
      expect((await init(`--config ${file} --discover`)).out).toContain('and was not changed')
      expect(readFileSync(file, 'utf8')).toBe(text)
    })

    test('a search reads only, and at most 24 times', async () => {
      const event = { public: true, repo: { name: 'a/b' }, actor: { login: 'c' }, org: { login: 'a' } }
      const migration = { id: 1, state: 'failed', repositories: [{ full_name: 'mona/x', owner: { login: 'mona' } }] }
      const thread = { ...event, ...migration, unread: true, repository: { full_name: 'a/b' } }
      const target = await listingTarget(thread)
      await init(`--base-url ${target.baseUrl} ${logins} --config ${at('before.yaml')}`)
      const { length } = target.received
      await init(`--base-url ${target.baseUrl} ${logins} --config ${at('after.yaml')} --discover`)
      expect(target.received.length - 2 * length).toBeLessThanOrEqual(24)
      expect(target.received.length - 2 * length).toBeGreaterThan(8)
      expect(new Set(target.received.map(({ method }) => method))).toEqual(new Set(['GET']))
    })

    test('an account that owns a repository of the own feed is the organization where its dashboard has events', async () => {
      const event = { public: true, repo: { name: 'team/hello' } }
      const target = await scriptedTarget(({ url = '' }, response) =>
        json(response, 200, /^\/users\/mona\/events(\/orgs\/team)?\?/.test(url) ? [event] : []),
      )
      const file = at('owners.yaml')
      await init(`--base-url ${target.baseUrl} ${logins} --config ${file} --discover`)
      expect(loadConfig(file).needs).toMatchObject({ organization: { org: 'team' } })
    })

    const odd: readonly [what: string, text: string][] = [
      ['a variable', '${OWNER_TOKEN}'],
      ['a terminal escape', '\u001b[31mred'],
      ['another path', '..'],
      ['a line break', 'x\nprovider: http://127.0.0.1:9'],
      ['the secret of a token', secrets.OWNER_TOKEN],
      ['a very long text', 'x'.repeat(4000)],
    ]

    test.each(odd)('a target that names things with %s yields no need with that text', async (_, text) => {
      const repository = { full_name: `${text}/${text}`, owner: { login: 'mona' } }
      const event = { public: true, repo: { name: `${text}/${text}` }, actor: { login: text }, org: { login: text } }
      const named = { ...event, id: text, reason: text, unread: false, state: 'failed', repository, repositories: [repository] }
      const target = await listingTarget(named)
      const file = at(`odd-${Math.random()}.yaml`)
      const { said } = await init(`--base-url ${target.baseUrl} ${logins} --config ${file} --discover`)
      expect(loadConfig(file).needs).toEqual({})
      expect(`${said}${readFileSync(file, 'utf8').replaceAll(/secret: .*/g, '')}`).not.toContain(text === '..' ? '"..' : text)
    })
  })

  test('without any token, the public feed names a repository and the busy ones', async () => {
    await init(`--base-url ${server().baseUrl} --config ${at('public.yaml')} --discover`)
    expect(Object.keys(loadConfig(at('public.yaml')).needs)).toEqual(['public-repository', 'busy-repository', 'busy-user'])
  })
})

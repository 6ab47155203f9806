import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, startReferenceServer } from '../../fixtures/reference/server/start.ts'
import { suites } from '../../suites/index.ts'
import { defaults, type ReachableConfig } from '../config/config.ts'
import { VirtualClock } from '../http/transport/time/test-clock.ts'
import { inRunningOrder } from '../run/engine/scheduler.ts'
import { judge } from '../run/judge/judge.ts'
import { openSession } from '../run/judge/session.ts'
import { openProvider } from '../run/needs/provider.ts'
import { type PlacedCheck, select } from '../run/selection/selection.ts'
import { isAcross } from '../suite/check.ts'
import { type Forecast, forecast } from './forecast.ts'

/** A part of every area: feeds with and without data, lists, rows of the matrix, writes, checks that ask while they run. */
const selection = select(suites, {
  only: [
    'events.public',
    'events.network',
    'notifications.inbox',
    'migrations.list',
    'permissions.*-orgs-blocks*',
    'versioning.gists',
  ],
}).filter(({ check }) => !isAcross(check))
const version = '2026-03-10'
let running: RunningServer

beforeAll(async () => {
  running = await startReferenceServer()
})
afterAll(() => running.close())

/** The base URL alone, with the owner's token, with an outsider and static needs too, and with a provider. */
function configurations() {
  const full = {
    ...running.configure(structuredClone(defaults)),
    versions: [version],
    polling: { obey: false, maxWaitSeconds: 5 },
  } as ReachableConfig
  const { provider: _, ...alone } = { ...full, tokens: [], needs: {}, target: { paths: {}, baseUrl: running.baseUrl } }
  const withRoles = (...roles: string[]) => full.tokens.filter(({ role }) => role !== undefined && roles.includes(role))
  return [
    alone,
    { ...alone, tokens: withRoles('owner') },
    {
      ...alone,
      tokens: withRoles('owner', 'outsider'),
      needs: { 'public-repository': { owner: 'octo-org', repo: 'hello' }, organization: { org: 'octo-org' } },
    },
    full,
  ]
}

const configured = (step: number) => configurations()[step] as ReachableConfig

async function forecastFor(config: ReachableConfig, chosen: readonly PlacedCheck[] = selection) {
  if (config.provider === undefined) return forecast(config, chosen)
  const provider = await openProvider(config.provider, { run: 'forecast', apiVersion: version, timeoutSeconds: 10 })
  return forecast(config, chosen, { provider })
}

/** The ids of the checks that lack a need in a run, and of the other applicable checks. */
async function judged(
  config: ReachableConfig,
  chosen: readonly PlacedCheck[],
): Promise<{ untested: string[]; judged: string[] }> {
  const session = await openSession(config, version, { clock: new VirtualClock(Date.now()) })
  const records = await Promise.all(inRunningOrder(chosen).map(({ check, suite }) => judge(check, suite, session)))
  await session.release()
  const applicable = records.filter(({ outcome }) => outcome !== 'inapplicable')
  const ids = (isLacking: boolean) => applicable.filter(({ missing }) => missing.length > 0 === isLacking).map(({ id }) => id)
  return { untested: ids(true), judged: ids(false) }
}

describe('a forecast of doctor', () => {
  test.each([0, 1, 2, 3])('sends no request and predicts the run with configuration %i of the journey', async (step) => {
    const config = configured(step)
    // With a provider every check would be judged; those that wait for the target's clock have proofs of their own.
    const chosen =
      config.provider === undefined ? selection : selection.filter(({ check }) => (check.schedule ?? 'shared') === 'shared')
    const sent = running.server.log.length
    const { checks } = await forecastFor(config, chosen)
    expect(running.server.log.length).toBe(sent)
    const ids = (outcome: string) => checks.filter((check) => check.outcome === outcome).map(({ id }) => id)
    expect({ untested: ids('untested').sort(), judged: ids('passed').sort() }).toEqual(await sorted(judged(config, chosen)))
  })

  test('the gain of a next step equals the added checks of a run after that step', async () => {
    const [alone, owner] = [configured(0), configured(1)]
    const before = await forecastFor(alone)
    const gain = before.steps.find(({ need }) => need === 'token:owner')?.gain ?? 0
    expect(before.judged + gain).toBe((await forecastFor(owner)).judged)
    expect(gain).toBeGreaterThan(20)
  })

  test('the gain of test data counts only checks that lack nothing else, and equals the added checks', async () => {
    const [alone, owner] = [configured(0), configured(1)]
    const gainOf = ({ steps }: Forecast, name: string) => steps.find(({ need }) => need === name)?.gain
    const [anonymous, before] = [await forecast(alone, selection), await forecast(owner, selection)]
    expect(gainOf(anonymous, 'public-repository')).toBeGreaterThan(0)
    expect(gainOf(anonymous, 'large-inbox')).toBe(0)
    const given = { ...owner, needs: { organization: { org: 'octo-org' } } }
    expect(before.judged + (gainOf(before, 'organization') ?? 0)).toBe((await forecast(given, selection)).judged)
    expect(gainOf(before, 'organization')).toBeGreaterThan(0)
  })

  test('the gain of a value that does not fit is that of one that fits', async () => {
    const named = configured(2)
    const needs = { ...named.needs, 'exportable-repository': { owner: 'mona', repo: 'atlas', kinds: [] } }
    const config = { ...named, needs, target: { ...named.target, paths: { downloadArchive: '/archive' } } }
    const { steps } = await forecast(config, select(suites, { only: ['migrations.archive.exclude-owner-projects'] }))
    const found = steps.find(({ need }) => need === 'exportable-repository')
    expect(found).toMatchObject({ unfit: true, gain: found?.checks })
    expect(found?.gain).toBeGreaterThan(0)
  })

  test('the most useful token is named with the checks that it alone adds', async () => {
    const step = (await forecastFor(configured(1))).steps.find(({ need }) => need === 'one token')
    expect(step?.how).toMatch(/^a token of kind [a-z-]+, .*with .*; list it under tokens$/)
    expect(step?.gain).toBeGreaterThan(0)
    expect(step?.gain).toBeLessThanOrEqual(step?.checks ?? 0)
  })
})

describe('a provider', () => {
  /** The forecast for the owner's token and a provider that declines some of its needs. */
  const declining = (...declined: string[]) => {
    const ask = async (name: string) =>
      name === 'organization' ? { given: { org: 'octo-org' } } : { unsupported: 'this provider has none' }
    const names = ['organization', 'public-repository', 'token', 'permission-target']
    const offered = new Set(names.filter((name) => !declined.includes(name)))
    return forecast(configured(1), selection, { provider: { ask }, offered })
  }

  test('is asked for values, and its refusal is a missing need', async () => {
    const { checks, assumed } = await declining()
    const refused = checks.filter(({ missing }) => missing.some(({ need }) => need === 'public-repository'))
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every(({ outcome }) => outcome === 'untested')).toBe(true)
    expect(assumed).toContain('token')
  })

  test('is asked for some needs during a run only, and the checks that rely on them are counted', async () => {
    const { judged, reliant } = await declining()
    const onlyValues = await declining('token', 'permission-target')
    expect(reliant).toBeGreaterThan(0)
    expect(reliant).toBe(judged - onlyValues.judged)
  })

  test('without a function for tokens leaves the rows of the matrix untested', async () => {
    const judgedRows = async (...declined: string[]) =>
      (await declining(...declined)).areas.find(({ area }) => area === 'permissions')?.judged
    expect(await judgedRows()).toBeGreaterThan((await judgedRows('token')) ?? 0)
  })
})

async function sorted(found: ReturnType<typeof judged>) {
  const { untested, judged: seen } = await found
  return { untested: untested.sort(), judged: seen.sort() }
}

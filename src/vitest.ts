import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest'
import type { Config, ReachableConfig } from './config/config.ts'
import { defineConfig, loadConfig, type WrittenConfig } from './config/load.ts'
import { loadedCatalogue, reachableConfig } from './library/judge.ts'
import { failureBlock } from './report/view/findings.ts'
import { confirm } from './run/engine/confirmations.ts'
import { judge } from './run/judge/judge.ts'
import { openSession, type Session } from './run/judge/session.ts'
import {
  type PlacedCheck,
  type SelectionOptions,
  select,
  splitSelection,
} from './run/selection/selection.ts'
import { endpointLabel } from './spec/endpoints.ts'
import { type ApiVersion, latestVersion, newestOf } from './spec/versions.ts'
import { endpointOf } from './suite/check.ts'
import { groupBy } from './text/data.ts'

/** The target and the checks of {@link conformanceSuite}. */
export interface ConformanceSuiteOptions extends Pick<SelectionOptions, 'areas' | 'only'> {
  /** The configuration: a file, its members, or the result of `loadConfig` or of `configure` of a reference server; empty unless given. */
  readonly config?: string | WrittenConfig | Config | undefined
  /** Returns the address of a target that the test file starts itself. It is called once, before the first check. */
  readonly baseUrl?: (() => string | Promise<string>) | undefined
  /** Sends only GET requests; checks that write are skipped. */
  readonly readOnly?: boolean | undefined
  /** Seed of the property checks; 1 unless given. */
  readonly seed?: number | undefined
}

/**
 * Registers every check as a test of the calling test file: `describe` a version and an endpoint, `test` a claim.
 * A deviation fails its test with the requirement, the exchange and a curl line. An untested, inapplicable or waived check is
 * skipped with the reason. A warning is a note of the test, and fails it under `gate.strict`.
 * Await it at the top level of a test file. Throws `UsageError` for a configuration that is not usable.
 */
export async function conformanceSuite(options: ConformanceSuiteOptions) {
  const { areas, only, readOnly, seed, baseUrl } = options
  const stated =
    typeof options.config === 'string' ? loadConfig(options.config) : defineConfig(options.config)
  const catalogue = await loadedCatalogue(stated)
  const config = { ...stated, catalogue }
  const selection = select(catalogue.suites, { areas: areas ?? config.areas, only })
  const { perVersion, across } = splitSelection(selection, config.versions)
  let reached: Promise<ReachableConfig> | undefined
  const open = async (version: ApiVersion) => {
    reached ??= reach(config, baseUrl)
    return openSession(await reached, version, { run: randomUUID(), readOnly, seed })
  }
  for (const version of config.versions) register(version, perVersion, () => open(version))
  register('across versions', across, () => open(newestOf(config.versions) ?? latestVersion))
}

/** The configuration with the address of the test file. */
async function reach(config: Config, baseUrl: ConformanceSuiteOptions['baseUrl']) {
  if (baseUrl === undefined) return reachableConfig(config)
  return { ...config, target: { ...config.target, baseUrl: await baseUrl() } }
}

/** Registers the tests of one lane by endpoint. The session is opened before them, and removes the objects of the checks after them. */
function register(name: string, checks: readonly PlacedCheck[], open: () => Promise<Session>) {
  if (checks.length === 0) return
  describe(name, () => {
    let session: Session | undefined
    beforeAll(async () => {
      session = await open()
    })
    afterAll(async () => {
      const problem = await session?.release()
      if (problem !== undefined) throw new Error(problem)
    })
    for (const [endpoint, placed] of endpointGroups(checks)) {
      describe(endpoint, () => {
        for (const one of placed) {
          const { title, id } = one.check
          test(`${title} (${id})`, { timeout: 0 }, (context) => judgeAsTest(one, session, context))
        }
      })
    }
  })
}

/** The checks by endpoint; the checks that run after all others follow in further groups. */
function endpointGroups(checks: readonly PlacedCheck[]): Map<string, PlacedCheck[]> {
  const isLast = ({ check }: PlacedCheck) => check.schedule === 'afterwards'
  const ordered = [...checks.filter((placed) => !isLast(placed)), ...checks.filter(isLast)]
  const label = ({ check, suite }: PlacedCheck) => endpointLabel(endpointOf(check, suite))
  return groupBy(
    ordered,
    (placed) => `${label(placed)}${isLast(placed) ? ', over all requests' : ''}`,
  )
}

/** Judges one check: throws for a deviation or an error, skips the test of a check without a verdict. */
async function judgeAsTest(one: PlacedCheck, session: Session | undefined, context: TestContext) {
  if (session === undefined) throw new Error('the session of this version was not opened')
  const record = await confirmed(one, session)
  const { outcome, detail } = record
  const exchanges = session.exchanges.records.filter(({ id }) => record.exchanges.includes(id))
  const block = failureBlock(record, { exchanges }).join('\n')
  const isFailure =
    outcome === 'failed' || (outcome === 'warned' && session.options.config.gate.strict)
  // A stack would name only files of this package.
  if (isFailure) throw Object.assign(new Error(block), { name: 'Deviation', stack: '' })
  if (outcome === 'errored') throw new Error(`no verdict was possible: ${detail}`)
  if (outcome === 'warned') await context.annotate(block, 'warning')
  else if (outcome !== 'passed') context.skip(`${outcome}: ${detail}`)
}

/** Judges one check, and once more with the whole patience if it missed an effect (readings G16). */
async function confirmed(one: PlacedCheck, session: Session) {
  const first = await judge(one.check, one.suite, session)
  if (!first.suspicions) return first
  const records = new Map([[first.id, first]])
  const lane = {
    name: session.options.apiVersion,
    doubtful: [first],
    placed: [one],
    session,
    records,
    warnings: [],
  }
  await confirm([lane], {
    seed: session.options.seed,
    slots: session.slots,
    signal: session.signal,
  })
  return records.get(first.id) ?? first
}

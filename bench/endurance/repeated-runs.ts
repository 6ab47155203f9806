import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { buildId } from '../../fixtures/proof/hostile/build.ts'
import { packageRoot } from '../../src/package/root.ts'
import { answerOf, cli, started } from '../processes.ts'
import { differences, type Outcomes, outcomesIn } from './outcomes.ts'

/** What several runs came to. */
export interface Repetition {
  /** Which build was judged with. */
  readonly build?: string
  readonly runs: number
  /** Checks that were compared in each run. */
  readonly checks: number
  /** Each check of each run that did not come out as in the first one, as a sentence. */
  readonly different: readonly string[]
  /** Exit codes, one a run. */
  readonly codes: readonly (number | null)[]
  /** Seconds, one a run. */
  readonly seconds: readonly number[]
  /** What the network did to the requests of all runs. */
  readonly network?: Network
}

interface Network {
  readonly requests: number
  readonly resetBefore: number
  readonly resetAfter: number
  readonly refused: number
}

/**
 * Judges the embedded reference server again and again, each time with another seed; every check must come out as in the first run
 * of the build. Yields the figures after each run, together with those of former runs of the build, whose seeds are not used again.
 */
export async function* embeddedRuns(times: number, former: Repetition | undefined): AsyncGenerator<Repetition> {
  let all = ofThisBuild(former)
  for (let count = 0; count < times; count += 1) {
    const seed = (all?.runs ?? 0) + 1
    const expected = await firstOutcomes()
    all = together(all, comparison([seed === 1 ? expected : await embedded(seed)], expected.outcomes))
    yield all
  }
}

/**
 * Judges the reference server over a network with jitter, resets and refusals; every check must come out as it does without.
 * Yields like {@link embeddedRuns}.
 */
export async function* runsOverPoorNetwork(times: number, former: Repetition | undefined): AsyncGenerator<Repetition> {
  let all = ofThisBuild(former)
  const { outcomes } = await firstOutcomes()
  for (let count = 0; count < times; count += 1) {
    const seed = (all?.runs ?? 0) + 1
    const { judged, did } = await inFolder((folder) => overPoorNetwork(folder, seed))
    all = together(all, { ...comparison([judged], outcomes), network: did })
    yield all
  }
}

const build = buildId()

/** Former figures, if they are of the build that is measured. */
function ofThisBuild(former: Repetition | undefined): Repetition | undefined {
  return former?.build === build ? former : undefined
}

let first: Promise<Judged> | undefined

/** The first run of this build, with which all others are compared; it is made once and kept. */
function firstOutcomes(): Promise<Judged> {
  first ??= keptOutcomes() ?? embedded(1).then(keepOutcomes)
  return first
}

const keptFile = join(packageRoot, '.cache', `endurance-${build}.json`)

function keptOutcomes(): Promise<Judged> | undefined {
  if (!existsSync(keptFile)) return undefined
  const { outcomes, ...made } = JSON.parse(readFileSync(keptFile, 'utf8'))
  return Promise.resolve({ ...made, outcomes: new Map(outcomes) })
}

function keepOutcomes(made: Judged): Judged {
  writeFileSync(keptFile, JSON.stringify({ ...made, outcomes: [...made.outcomes] }))
  return made
}

function embedded(seed: number): Promise<Judged> {
  return inFolder((folder) => judged(folder, seed, ['--reference', '--seed', String(seed)]))
}

function together(former: Repetition | undefined, made: Repetition): Repetition {
  if (!former) return { build, ...made }
  const [a, b] = [former.network, made.network]
  return {
    build,
    runs: former.runs + made.runs,
    checks: made.checks,
    different: [...former.different, ...made.different],
    codes: [...former.codes, ...made.codes],
    seconds: [...former.seconds, ...made.seconds],
    ...(a && b ? { network: sumOf(a, b) } : {}),
  }
}

function sumOf(a: Network, b: Network): Network {
  return {
    requests: a.requests + b.requests,
    resetBefore: a.resetBefore + b.resetBefore,
    resetAfter: a.resetAfter + b.resetAfter,
    refused: a.refused + b.refused,
  }
}

async function overPoorNetwork(folder: string, seed: number): Promise<{ judged: Judged; did: Network }> {
  const served = join(folder, 'served.yaml')
  const server = spawn(process.execPath, [cli, 'serve', '--write-config', served], { stdio: ['ignore', 'pipe', 'inherit'] })
  let proxy: ChildProcess | undefined
  try {
    const [line] = await once(server.stdout, 'data')
    const { baseUrl } = JSON.parse(String(line)) as { baseUrl: string }
    const { child, value: port } = await started<number>('endurance/faulty-proxy', [baseUrl])
    proxy = child
    const known = parse(readFileSync(served, 'utf8'))
    const config = join(folder, 'poor.yaml')
    writeFileSync(config, stringify({ ...known, target: { ...known.target, baseUrl: `http://127.0.0.1:${port}` } }))
    const made = await judged(folder, seed, ['--config', config, '--seed', String(seed)])
    proxy.send('what did you do?')
    return { judged: made, did: await answerOf<Network>(proxy) }
  } finally {
    proxy?.disconnect()
    server.kill()
  }
}

interface Judged {
  readonly seed: number
  readonly code: number | null
  readonly seconds: number
  readonly outcomes: Outcomes
}

async function judged(folder: string, seed: number, words: readonly string[]): Promise<Judged> {
  const begun = performance.now()
  const out = join(folder, `run-${seed}`)
  const child = spawn(process.execPath, [cli, 'run', ...words, '--quiet', '--format', 'json', '--out', out], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'close')) as [number | null]
  const made = { seed, code, seconds: (performance.now() - begun) / 1000, outcomes: outcomesIn(out) }
  rmSync(out, { recursive: true, force: true })
  return made
}

function comparison(made: readonly Judged[], expected: Outcomes): Repetition {
  const different = made.flatMap(({ seed, outcomes }) => differences(expected, outcomes).map((each) => `run ${seed}: ${each}`))
  return {
    runs: made.length,
    checks: expected.size,
    different,
    codes: made.map(({ code }) => code),
    seconds: made.map(({ seconds }) => seconds),
  }
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'endurance-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

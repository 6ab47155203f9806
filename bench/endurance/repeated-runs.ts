import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { answerOf, cli, started } from '../processes.ts'
import { differences, type Outcomes, outcomesIn } from './outcomes.ts'

/** What several runs came to. */
export interface Repetition {
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

/** Judges the embedded reference server again and again, each time with another seed; every check must come out the same. */
export async function embeddedRuns(times: number): Promise<Repetition> {
  return inFolder(async (folder) => {
    const words = (seed: number) => ['--reference', '--seed', String(seed)]
    const made: Judged[] = []
    for (let seed = 1; seed <= times; seed += 1) made.push(await judged(folder, seed, words(seed)))
    return comparison(made, made[0]?.outcomes ?? new Map())
  })
}

/** Judges the reference server over a network with jitter, resets and refusals; every check must come out as it does without. */
export async function runsOverPoorNetwork(times: number): Promise<Repetition> {
  return inFolder(async (folder) => {
    const { outcomes } = await judged(folder, 0, ['--reference', '--seed', '1'])
    const made: Judged[] = []
    const network = { requests: 0, resetBefore: 0, resetAfter: 0, refused: 0 }
    for (let seed = 1; seed <= times; seed += 1) {
      const { judged, did } = await overPoorNetwork(folder, seed)
      made.push(judged)
      for (const key of Object.keys(network) as (keyof Network)[]) network[key] += did[key]
    }
    return { ...comparison(made, outcomes), network }
  })
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

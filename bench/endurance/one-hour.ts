import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, stringify } from 'yaml'
import { cli, started } from '../processes.ts'

/** What a thread of the run took at a moment. */
interface MemorySample {
  /** Milliseconds since the run began. */
  readonly at: number
  readonly thread: number
  /** Of the whole process, bytes. */
  readonly rss: number
  readonly heap: number
  readonly external: number
  /** The heap and what belongs to it after a collection, bytes; measured now and then. */
  readonly used?: number
}

/** How many requests a run of this suite against the reference server sends, about. */
const requestsOfARun = 6600

/** What a slow run may have in use beyond a fast one, which keeps the same answers and outcomes. Bytes. */
const permittedGrowth = 32 * 1024 ** 2

/** How much memory a run took. */
export interface MemoryFigures {
  readonly code: number | null
  readonly seconds: number
  readonly samples: number
  /** The largest resident memory in each tenth of the run, bytes. */
  readonly resident: readonly number[]
  /** What all threads had in use after collections, from the first to the last, bytes. */
  readonly used: readonly number[]
}

/**
 * Judges a slow server for so many minutes, and a fast one, and compares the memory. What a run keeps, it keeps for its answers and outcomes, so
 * that time alone must add nothing, which {@link growthOf} looks at.
 */
export async function runSlowly(minutes: number): Promise<{ slow: MemoryFigures; fast: MemoryFigures }> {
  const fast = await served(async (folder, config) => sampled(folder, config, 500, 4))
  const slow = await served((folder, config, baseUrl) => slowly(folder, config, baseUrl, minutes))
  return { slow, fast }
}

/** What is wrong with the memory of a slow run, as a sentence. */
export function growthOf({ slow, fast }: { readonly slow: MemoryFigures; readonly fast: MemoryFigures }): string | undefined {
  const [most, least] = [Math.max(...slow.used), Math.max(...fast.used)]
  if (slow.code !== 0) return `the slow run ended with ${slow.code}`
  return most > least + permittedGrowth ? `the slow run had ${most} bytes in use, the fast one ${least}` : undefined
}

/** Works with a server in a process of its own. */
async function served<Result>(work: (folder: string, config: string, baseUrl: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'endurance-'))
  const config = join(folder, 'served.yaml')
  const server = spawn(process.execPath, [cli, 'serve', '--write-config', config], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await once(server.stdout, 'data')
    const { baseUrl } = JSON.parse(String(line)) as { baseUrl: string }
    return await work(folder, config, baseUrl)
  } finally {
    server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Each answer comes half a second later, and so few requests are sent a second that all of them take so many minutes. */
async function slowly(folder: string, served: string, baseUrl: string, minutes: number): Promise<MemoryFigures> {
  const { child: proxy, value: port } = await started<number>('latency-proxy', [baseUrl, '500'])
  try {
    const known = parse(readFileSync(served, 'utf8'))
    const limits = { requestsPerSecond: requestsOfARun / (minutes * 60), timeoutSeconds: 30, runMinutes: minutes * 2 }
    const config = join(folder, 'slow.yaml')
    writeFileSync(config, stringify({ ...known, limits, target: { ...known.target, baseUrl: `http://127.0.0.1:${port}` } }))
    return await sampled(folder, config, Math.min(10_000, minutes * 2000), 30)
  } finally {
    proxy.disconnect()
  }
}

/** Runs to the end while each thread notes its memory every so many milliseconds, and what is in use at each of so many samples. */
async function sampled(folder: string, config: string, interval: number, collectEvery: number): Promise<MemoryFigures> {
  const file = join(folder, 'samples.jsonl')
  const sampler = fileURLToPath(new URL('./memory-sampler.js', import.meta.url))
  const asked = { MEMORY_SAMPLES: file, MEMORY_INTERVAL: String(interval), MEMORY_COLLECT_EVERY: String(collectEvery) }
  const env = { ...process.env, NODE_OPTIONS: `--import=${sampler}`, ...asked }
  const begun = Date.now()
  const words = [cli, 'run', '--config', config, '--seed', '1', '--quiet', '--out', join(folder, 'reports')]
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'close')) as [number | null]
  const seconds = (Date.now() - begun) / 1000
  return { code, seconds, ...figuresOf(readFileSync(file, 'utf8'), begun) }
}

/** The figures of a file of samples. */
function figuresOf(file: string, begun: number): Pick<MemoryFigures, 'samples' | 'resident' | 'used'> {
  const lines = file.trimEnd().split('\n')
  const samples = lines.map((line) => JSON.parse(line) as MemorySample).map((sample) => ({ ...sample, at: sample.at - begun }))
  const end = Math.max(...samples.map(({ at }) => at))
  const tenth = (index: number) => samples.filter(({ at }) => at > (end * index) / 10 && at <= (end * (index + 1)) / 10)
  const resident = Array.from({ length: 10 }, (_, index) => Math.max(0, ...tenth(index).map(({ rss }) => rss)))
  return { samples: samples.length, resident, used: usedByMoment(samples) }
}

/** What all threads had in use, wherever each of them was measured. */
function usedByMoment(samples: readonly MemorySample[]): number[] {
  const threads = [...new Set(samples.map(({ thread }) => thread))]
  const of = threads.map((thread) => samples.flatMap((sample) => (sample.thread === thread ? (sample.used ?? []) : [])))
  const moments = Math.min(...of.map(({ length }) => length))
  return Array.from({ length: moments }, (_, index) => of.reduce((sum, list) => sum + (list[index] ?? 0), 0))
}

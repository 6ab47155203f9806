import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, stringify } from 'yaml'
import { cli, started } from '../processes.ts'
import { keepFigures } from './figures.ts'

/** What a thread of the run took at a moment. */
export interface MemorySample {
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

/** The most that the memory in use may grow in the second half of an hour: the outcomes of the checks are kept. Bytes. */
const permittedGrowth = 32 * 1024 ** 2

/** Judges a slow server for so many minutes and keeps what memory was taken; throws where it grew or the run did not pass. */
export async function runSlowly(minutes: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'endurance-'))
  const served = join(folder, 'served.yaml')
  const server = spawn(process.execPath, [cli, 'serve', '--write-config', served], { stdio: ['ignore', 'pipe', 'inherit'] })
  let proxy: ChildProcess | undefined
  try {
    const [line] = await once(server.stdout, 'data')
    const { baseUrl } = JSON.parse(String(line)) as { baseUrl: string }
    const { child, value: port } = await started<number>('latency-proxy', [baseUrl, '500'])
    proxy = child
    const known = parse(readFileSync(served, 'utf8'))
    const limits = { requestsPerSecond: requestsOfARun / (minutes * 60), timeoutSeconds: 30, runMinutes: minutes * 2 }
    const config = join(folder, 'slow.yaml')
    writeFileSync(config, stringify({ ...known, limits, target: { ...known.target, baseUrl: `http://127.0.0.1:${port}` } }))
    const { code, seconds, samples } = await sampled(folder, config, minutes)
    const figures = figuresOf(samples, seconds)
    keepFigures('slow', { code, ...figures })
    process.stdout.write(`${JSON.stringify({ code, ...figures })}\n`)
    if (code !== 0) throw new Error(`the run ended with ${code}`)
    if (figures.growth > permittedGrowth) throw new Error(`the memory in use grew by ${figures.growth} bytes in the second half`)
  } finally {
    proxy?.disconnect()
    server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs to the end while each thread notes its memory. */
async function sampled(folder: string, config: string, minutes: number) {
  const file = join(folder, 'samples.jsonl')
  const sampler = fileURLToPath(new URL('./memory-sampler.js', import.meta.url))
  const interval = String(Math.min(10_000, (minutes * 60_000) / 30))
  const env = { ...process.env, NODE_OPTIONS: `--import=${sampler}`, MEMORY_SAMPLES: file, MEMORY_INTERVAL: interval }
  const begun = Date.now()
  const out = join(folder, 'reports')
  const child = spawn(process.execPath, [cli, 'run', '--config', config, '--seed', '1', '--quiet', '--out', out], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = (await once(child, 'close')) as [number | null]
  const seconds = (Date.now() - begun) / 1000
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const samples = lines.map((line) => JSON.parse(line) as MemorySample).map((sample) => ({ ...sample, at: sample.at - begun }))
  return { code, seconds, samples }
}

/** The figures that are published: resident memory by tenths of the run, and the growth of what is in use. */
function figuresOf(samples: readonly MemorySample[], seconds: number) {
  const end = Math.max(...samples.map(({ at }) => at))
  const tenth = (index: number) => samples.filter(({ at }) => at > (end * index) / 10 && at <= (end * (index + 1)) / 10)
  const resident = Array.from({ length: 10 }, (_, index) => Math.max(0, ...tenth(index).map(({ rss }) => rss)))
  const used = usedByMoment(samples)
  const later = used.filter(({ at }) => at >= end / 2)
  const growth = (later.at(-1)?.used ?? 0) - (later[0]?.used ?? 0)
  return {
    seconds,
    samples: samples.length,
    resident,
    residentSlope: slopeOf(samples.filter(({ at }) => at >= end / 2).map(({ at, rss }) => [at, rss] as const)),
    used: used.map((each) => each.used),
    growth,
  }
}

/** What all threads had in use, wherever each of them was measured. */
function usedByMoment(samples: readonly MemorySample[]): { at: number; used: number }[] {
  const threads = [...new Set(samples.map(({ thread }) => thread))]
  const of = threads.map((thread) => samples.filter((sample) => sample.thread === thread && sample.used !== undefined))
  const moments = Math.min(...of.map(({ length }) => length))
  return Array.from({ length: moments }, (_, index) => ({
    at: of[0]?.[index]?.at ?? 0,
    used: of.reduce((sum, list) => sum + (list[index]?.used ?? 0), 0),
  }))
}

/** The slope of a line through points of milliseconds and bytes: bytes an hour. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const mean = (pick: 0 | 1) => points.reduce((sum, point) => sum + point[pick], 0) / points.length
  const [x, y] = [mean(0), mean(1)]
  const above = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0)
  const below = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
  return (above / below) * 3_600_000
}

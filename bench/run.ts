import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { latestVersion } from '../src/spec/versions.ts'
import { messageOf } from '../src/text/message-of.ts'
import { machine, mebibytes, row, seconds, table, writePart } from './page.ts'
import { preparePeers, requestCount } from './peers.ts'
import { answerOf, type Cost, cli, measured, started } from './processes.ts'

// Measures a whole run against what its requests cost by themselves, and against other tools, and writes it into
// docs/benchmarks.md. Arguments: the rounds of each measurement (3), and the added latencies in milliseconds (0,40,150).
const rounds = Number(process.argv[2] ?? 3)
const latencies = (process.argv[3] ?? '0,40,150').split(',').map(Number)

/** From here on one version is judged once: each request of a run takes so long that more would add minutes and tell nothing new. Milliseconds. */
const longLatency = 100

const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const node = process.execPath

/** The measurement with the median time. */
async function median(measure: () => Promise<Cost>, times = rounds): Promise<Cost> {
  const costs: Cost[] = []
  for (let round = 0; round < times; round += 1) costs.push(await measure())
  return middle(costs, ({ wall }) => wall)
}

function middle<Item>(items: readonly Item[], of: (item: Item) => number): Item {
  return [...items].sort((a, b) => of(a) - of(b))[Math.floor(items.length / 2)] as Item
}

/** Starts the reference server and resolves to its address and a configuration of it. */
async function serve(scale = 1) {
  const config = join(folder, `served-${scale}.yaml`)
  const child = spawn(node, [cli, 'serve', '--scale', String(scale), '--write-config', config], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  return { child, config, baseUrl: JSON.parse(String(line)).baseUrl as string }
}

/** The same configuration with another address in front of the target. */
function aimedAt(config: string, baseUrl: string, more: object = {}): string {
  const file = join(folder, `aimed-${Math.random().toString(36).slice(2)}.yaml`)
  const known = parse(readFileSync(config, 'utf8'))
  writeFileSync(file, stringify({ ...known, ...more, target: { ...known.target, baseUrl } }))
  return file
}

const wholeRun =
  (config: string, ...more: string[]) =>
  () =>
    measured(node, [cli, 'run', '--config', config, '--quiet', '--seed', '1', '--out', join(folder, 'reports'), ...more])

/** A run, and a replay of the requests that it sent, both through a proxy that delays each request. */
interface Raced {
  readonly run: Cost
  /** Seconds. */
  readonly replay: number
  readonly count: number
}

async function race(delay: number, more: readonly string[]): Promise<Raced> {
  const { child: server, config, baseUrl } = await serve()
  const { child: proxy, value: port } = await started<number>('latency-proxy', [baseUrl, String(delay)])
  try {
    const origin = `http://127.0.0.1:${port}`
    const run = await wholeRun(aimedAt(config, origin), ...more)()
    proxy.send('sent')
    const sent = await answerOf<unknown[]>(proxy)
    const file = join(folder, 'requests.json')
    writeFileSync(file, JSON.stringify(sent))
    const { value: replay } = await started<number>('replay', [origin, file])
    return { run, replay, count: sent.length }
  } finally {
    proxy.disconnect()
    server.kill()
  }
}

async function atLatency(delay: number): Promise<string> {
  const isLong = delay >= longLatency
  const raced: Raced[] = []
  for (let round = 0; round < (isLong ? 1 : rounds); round += 1) {
    raced.push(await race(delay, isLong ? ['--api-version', latestVersion] : []))
  }
  const { run } = middle(raced, (each) => each.run.wall)
  const { replay, count } = middle(raced, (each) => each.replay)
  const what = `${delay} ms${isLong ? ', one version, once' : ''}`
  return row(what, (run.wall / replay).toFixed(1), seconds(run.wall), seconds(replay), `${count}`, mebibytes(run.memory))
}

async function againstPeers(): Promise<string[]> {
  const { child, config, baseUrl } = await serve()
  const place = join(folder, 'peers')
  const peers = preparePeers(place, baseUrl, aimedAt(config, baseUrl, { suites: [join(place, 'suite.mjs')] }))
  let own = Number.NaN
  const rows = await inTurn(peers, async ({ name, run }) => {
    const { wall, memory } = await median(run)
    own = Number.isNaN(own) ? wall : own
    return row(name, (wall / own).toFixed(1), seconds(wall), `${Math.round(requestCount / wall)}`, mebibytes(memory))
  })
  child.kill()
  return rows
}

/** Once: memory hardly differs between runs. */
async function bySize(scale: number): Promise<string> {
  const { child, config } = await serve(scale)
  const { wall, memory } = await wholeRun(config)()
  child.kill()
  return row(`${scale}×`, seconds(wall), mebibytes(memory))
}

/** Commands by themselves, and a run that has its server in the same process. */
async function alone(): Promise<string[]> {
  const embedded = ['run', '--reference', '--quiet', '--seed', '1', '--out', join(folder, 'embedded')]
  const commands = [
    { name: '`--help`', args: ['--help'] },
    { name: '`list checks --json`', args: ['list', 'checks', '--json'] },
    { name: '`run --reference` (server, run and reports in one process)', args: embedded },
  ]
  return inTurn(commands, async ({ name, args }) => {
    const { wall, memory } = await median(() => measured(node, [cli, ...args]))
    return row(name, seconds(wall), mebibytes(memory))
  })
}

/** One row for each value; what could not be measured says why, so that one failure does not cost all the others. */
async function inTurn<Value>(values: readonly Value[], measure: (value: Value) => Promise<string>): Promise<string[]> {
  const rows: string[] = []
  for (const value of values)
    rows.push(await measure(value).catch((error: unknown) => row(`${nameOf(value)}: ${unmeasured(error)}`)))
  return rows
}

function nameOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : String(value)
}

function unmeasured(error: unknown): string {
  const said = messageOf(error)
    .replaceAll(folder, '')
    .replaceAll(/[\s|]+/g, ' ')
  return `not measured, since it failed here: ${said.slice(0, 300)}`
}

try {
  const commands = await alone()
  const raced = await inTurn(latencies, atLatency)
  const peers = await againstPeers()
  const sizes = await inTurn([1, 10], bySize)
  writePart(
    'costs',
    `Median of ${rounds}. ${machine()}

### A whole run against its own requests

Both versions, all areas, against the reference server in a process of its own, through a proxy that delays each request by the
added latency. The replay sends the same requests in the same order in bare undici, eight in flight.

${table(['added latency', 'ratio', 'run', 'replay', 'requests', 'memory'], raced)}

### The same ${requestCount} requests in other tools

Each request with a check of its status and one of its body by a JSON Schema.

${table(['tool', 'ratio', 'time', 'requests checked a second', 'memory'], peers)}

### Start-up, and the embedded server

${table(['command', 'time', 'memory'], commands)}

### Memory by the size of the target's data

Once each.

${table(['events, threads and repositories', 'time', 'memory'], sizes)}`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

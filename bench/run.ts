import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { packageRoot } from '../src/package/root.ts'
import { type Peer, preparePeers, requestCount } from './peers.ts'
import { answerOf, type Cost, cli, measured, started } from './processes.ts'

// Measures a whole run against what its requests cost by themselves, and against other tools, and writes
// docs/benchmarks.md. Arguments: the rounds of each measurement (3), and the added latencies (0,40,150).
const [rounds = 3, latencies = [0, 40, 150]] = [
  Number(process.argv[2] ?? 3),
  (process.argv[3] ?? '0,40,150').split(',').map(Number),
]
const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const node = process.execPath

/** The median of several measurements. */
async function median(measure: () => Promise<Cost>): Promise<Cost> {
  const costs: Cost[] = []
  for (let round = 0; round < rounds; round += 1) costs.push(await measure())
  return costs.sort((a, b) => a.wall - b.wall)[Math.floor(rounds / 2)] as Cost
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

const wholeRun = (config: string) => () =>
  measured(node, [cli, 'run', '--config', config, '--quiet', '--seed', '1', '--out', join(folder, 'reports')])

/** A run, and a replay of the requests that it sent, both through a proxy that delays each request. */
async function atLatency(delay: number): Promise<string> {
  const runs: Cost[] = []
  const replays: number[] = []
  let count = 0
  for (let round = 0; round < rounds; round += 1) {
    const { child: server, config, baseUrl } = await serve()
    const { child: proxy, value: port } = await started<number>('latency-proxy', [baseUrl, String(delay)])
    const origin = `http://127.0.0.1:${port}`
    runs.push(await wholeRun(aimedAt(config, origin))())
    proxy.send('sent')
    const sent = await answerOf<unknown[]>(proxy)
    count = sent.length
    const file = join(folder, 'requests.json')
    writeFileSync(file, JSON.stringify(sent))
    const { value } = await started<number>('replay', [origin, file])
    replays.push(value)
    proxy.disconnect()
    server.kill()
  }
  const run = runs.sort((a, b) => a.wall - b.wall)[Math.floor(rounds / 2)] as Cost
  const replay = replays.sort((a, b) => a - b)[Math.floor(rounds / 2)] as number
  return row(
    `${delay} ms`,
    (run.wall / replay).toFixed(1),
    `${seconds(run.wall)} s`,
    `${seconds(replay)} s`,
    `${count}`,
    mebibytes(run.memory),
  )
}

async function againstPeers(): Promise<string[]> {
  const { child, config, baseUrl } = await serve()
  const place = join(folder, 'peers')
  const { peers, missing } = preparePeers(place, baseUrl, aimedAt(config, baseUrl, { suites: [join(place, 'suite.mjs')] }))
  const made: [Peer, Cost][] = []
  for (const peer of peers) made.push([peer, await median(peer.run)])
  child.kill()
  const own = made[0]?.[1].wall ?? 1
  return [
    ...made.map(([{ name }, { wall, memory }]) =>
      row(name, (wall / own).toFixed(1), `${seconds(wall)} s`, `${Math.round(requestCount / wall)}`, mebibytes(memory)),
    ),
    ...missing.map((why) => row(why, '', '', '', '')),
  ]
}

async function bySize(scale: number): Promise<string> {
  const { child, config } = await serve(scale)
  const { wall, memory } = await median(wholeRun(config))
  child.kill()
  return row(`${scale}×`, `${seconds(wall)} s`, mebibytes(memory))
}

function row(...cells: string[]): string {
  return `| ${cells.join(' | ')} |`
}

function seconds(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(1)
}

function mebibytes(bytes: number | undefined): string {
  return bytes === undefined ? 'unknown' : `${Math.round(bytes / 1024 ** 2)} MiB`
}

function table(head: string[], rows: readonly string[]): string {
  return [row(...head), row(...head.map(() => '---')), ...rows].join('\n')
}

try {
  const embedded = await median(() =>
    measured(node, [cli, 'run', '--reference', '--quiet', '--seed', '1', '--out', join(folder, 'embedded')]),
  )
  const help = await median(() => measured(node, [cli, '--help']))
  const list = await median(() => measured(node, [cli, 'list', 'checks', '--json']))
  const latencyRows: string[] = []
  for (const delay of latencies) latencyRows.push(await atLatency(delay))
  const peers = await againstPeers()
  const sizes = [await bySize(1), await bySize(10)]
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${mebibytes(totalmem())}, Node ${process.versions.node}, ${process.platform}; load average at the end ${loadavg()[0]?.toFixed(1)}`
  const text = `# Benchmarks

Written by \`npm run bench\`. Median of ${rounds}. Machine: ${machine}. Times include start-up and the writing of the reports; memory
is the peak of the process that sends.

## A whole run against its own requests

Both versions, all areas, against the reference server in a process of its own, through a proxy that delays each request by the
added latency. The replay sends the same requests in the same order in bare undici, eight in flight.

${table(['added latency', 'ratio', 'run', 'replay', 'requests', 'memory'], latencyRows)}

## The same ${requestCount} requests in other tools

Each request with a check of its status and one of its body by a JSON Schema.

${table(['tool', 'ratio', 'time', 'requests checked a second', 'memory'], peers)}

## Start-up, and the embedded server

${table(['command', 'time', 'memory'], [row('`--help`', `${seconds(help.wall)} s`, mebibytes(help.memory)), row('`list checks --json`', `${seconds(list.wall)} s`, mebibytes(list.memory)), row('`run --reference` (server, run and reports in one process)', `${seconds(embedded.wall)} s`, mebibytes(embedded.memory))])}

## Memory by the size of the target's data

${table(['events, threads and repositories', 'time', 'memory'], sizes)}

## Archives

\`npm run bench:archive\` compares the reader of archives with \`tar -tzf\`.
`
  writeFileSync(join(packageRoot, 'docs', 'benchmarks.md'), text)
  process.stdout.write(text)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRun } from '../src/report/read.ts'
import { machine, row, table, writePart } from './page.ts'
import { cli } from './processes.ts'

// Judges the reference server again and again, prints every check that does not come out the same, and writes what was compared into
// docs/benchmarks.md. Arguments: what is tried (all of `order,load,shards,twice`), and how many runs those in random order and under load take (10).
const [modes = 'order,load,shards,twice', count = '10', ...more] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'same-outcomes-'))
const rows: string[] = []

const tries: Readonly<Record<string, () => Promise<void>>> = {
  order: () => again('in random order, two at a time', Number(count), 2),
  load: () => busily(() => again(`beside ${availableParallelism()} busy loops, three at a time`, Number(count), 3)),
  shards: inShards,
  twice: twoAtOnce,
}

/** The outcome of each check, by lane. */
type Outcomes = ReadonlyMap<string, string>

let single: Promise<Outcomes> | undefined

/** The run that all others are compared with, which is made once. */
function first(): Promise<Outcomes> {
  single ??= judged('single', ['--reference', '--seed', '1'])
  return single
}

/** Whole runs, each with a seed of its own, some of them at a time. */
async function again(how: string, times: number, atOnce: number): Promise<void> {
  const expected = await first()
  const seeds = Array.from({ length: times }, (_, index) => index + 2)
  let different = 0
  const judge = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const outcomes = await judged(`${atOnce}-${seed}`, ['--reference', '--seed', String(seed)])
      different += compare(`${how}, seed ${seed}`, expected, outcomes)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, judge))
  note(`${times} runs ${how}`, expected, different)
}

async function busily(work: () => Promise<void>): Promise<void> {
  await first()
  const loops = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;) {}']))
  await work().finally(() => {
    for (const loop of loops) loop.kill('SIGKILL')
  })
}

async function inShards(): Promise<void> {
  const expected = await first()
  await served(async (config) => {
    const parts: string[] = []
    for (let index = 1; index <= 4; index += 1) {
      await judged(`shard-${index}`, ['--config', config, '--seed', '1', '--shard', `${index}/4`])
      parts.push(join(folder, `shard-${index}`))
    }
    await ended(['merge', ...parts, '--out', join(folder, 'merged')])
    note('four shards and `merge`', expected, compare('four shards and merge', expected, outcomesOf('merged')))
  })
}

async function twoAtOnce(): Promise<void> {
  const expected = await first()
  await served(async (config) => {
    const both = await Promise.all(['a', 'b'].map((name) => judged(name, ['--config', config, '--seed', '1'])))
    const different = both.map((made, index) => compare(`run ${index + 1} of two at once`, expected, made))
    note(
      'two runs at once on one server',
      expected,
      different.reduce((sum, each) => sum + each, 0),
    )
  })
}

/** Works with a server that stays the same; merged shards must be of one target. */
async function served(work: (config: string) => Promise<void>): Promise<void> {
  const config = join(folder, 'served.yaml')
  const server = spawn(process.execPath, [cli, 'serve', '--write-config', config], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(server.stdout, 'data')
  await work(config).finally(() => server.kill())
}

async function judged(name: string, args: readonly string[]): Promise<Outcomes> {
  await ended(['run', ...args, ...more, '--quiet', '--format', 'json', '--out', join(folder, name)])
  return outcomesOf(name)
}

async function ended(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'ignore', 'inherit'] })
  await once(child, 'close')
}

function outcomesOf(name: string): Outcomes {
  const { run, reports } = readRun(join(folder, name))
  const lanes = [
    ...reports.map(({ apiVersion, checks }) => ({ lane: apiVersion as string, checks })),
    { lane: 'across', ...run.crossVersion },
  ]
  return new Map(
    lanes.flatMap(({ lane, checks }) =>
      checks.map(
        ({ id, outcome, detail }) => [`${lane} ${id}`, outcome === 'passed' ? outcome : `${outcome} (${detail})`] as const,
      ),
    ),
  )
}

/** Prints the checks that came out differently, and returns their number. */
function compare(what: string, expected: Outcomes, found: Outcomes): number {
  const checks = [...new Set([...expected.keys(), ...found.keys()])]
  const kind = (text = 'missing') => text.split(' ')[0]
  const different = checks.filter((check) => kind(expected.get(check)) !== kind(found.get(check)))
  process.stdout.write(`${what}: ${checks.length} checks, ${different.length} with another outcome\n`)
  for (const check of different) process.stdout.write(`  ${check}: ${expected.get(check)} → ${found.get(check)}\n`)
  return different.length
}

function note(what: string, expected: Outcomes, different: number): void {
  rows.push(row(what, String(expected.size), String(different)))
  if (different > 0) process.exitCode = 1
}

try {
  for (const mode of modes.split(',')) await tries[mode]?.()
  writePart('outcomes', `${machine()}\n\n${table(['compared with one run', 'checks', 'other outcomes'], rows)}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

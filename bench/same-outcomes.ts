import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRun } from '../src/report/read.ts'
import { cli } from './processes.ts'

// Judges the reference server again and again and prints every check that does not come out the same: in random order
// (`order N`), beside busy loops (`load N`), in four shards that are merged (`shards`), as two runs at once on one server (`twice`).
const [mode = 'order', count = '10', ...more] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'same-outcomes-'))
const modes: Record<string, () => Promise<void>> = {
  order: () => again(Number(count)),
  load: () => busily(() => again(Number(count))),
  shards: inShards,
  twice: twoAtOnce,
}

/** The outcome of each check, by lane. */
type Outcomes = ReadonlyMap<string, string>

async function again(times: number): Promise<void> {
  let first: Outcomes | undefined
  for (let seed = 1; seed <= times; seed += 1) {
    const made = await judged(`seed-${seed}`, ['--reference', '--seed', String(seed)])
    first ??= made
    compare(`seed ${seed}`, first, made)
  }
}

async function busily(work: () => Promise<void>): Promise<void> {
  const loops = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;) {}']))
  await work().finally(() => {
    for (const loop of loops) loop.kill('SIGKILL')
  })
}

async function inShards(): Promise<void> {
  await served(async (config) => {
    const single = await judged('single', ['--config', config, '--seed', '1'])
    const parts: string[] = []
    for (let index = 1; index <= 4; index += 1) {
      await judged(`shard-${index}`, ['--config', config, '--seed', '1', '--shard', `${index}/4`])
      parts.push(join(folder, `shard-${index}`))
    }
    await ended(['merge', ...parts, '--out', join(folder, 'merged')])
    compare('four shards and merge', single, outcomesOf('merged'))
  })
}

async function twoAtOnce(): Promise<void> {
  const single = await judged('single', ['--reference', '--seed', '1'])
  await served(async (config) => {
    const both = await Promise.all(['a', 'b'].map((name) => judged(name, ['--config', config, '--seed', '1'])))
    for (const [index, made] of both.entries()) compare(`run ${index + 1} of two at once`, single, made)
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

function compare(what: string, expected: Outcomes, found: Outcomes): void {
  const checks = [...new Set([...expected.keys(), ...found.keys()])]
  const kind = (text = 'missing') => text.split(' ')[0]
  const different = checks.filter((check) => kind(expected.get(check)) !== kind(found.get(check)))
  process.stdout.write(`${what}: ${checks.length} checks, ${different.length} with another outcome\n`)
  for (const check of different) process.stdout.write(`  ${check}: ${expected.get(check)} → ${found.get(check)}\n`)
  if (different.length > 0) process.exitCode = 1
}

try {
  await modes[mode]?.()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

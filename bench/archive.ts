import { fork, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeArchive } from './archive-file.ts'

/** What one reader took for one archive. */
interface Measurement {
  /** Seconds. */
  readonly wall: number
  /** Peak resident memory, bytes; undefined where the system does not tell. */
  readonly memory: number | undefined
  readonly members: number
}

const gibibyte = 1024 ** 3
/** The size that the two readers are compared at, between sizes that memory must be flat over; or those asked for, in GiB. */
const asked = process.argv.slice(2).map(Number)
const sizes = (asked.length > 0 ? asked : [0.2, 2, 4]).map((size) => size * gibibyte)
const compared = 2 * gibibyte
const rounds = 3

const folder = mkdtempSync(join(tmpdir(), 'bench-archive-'))
try {
  for (const size of sizes) await compare(size)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Generates an archive, lets both readers read it in turns and prints the best round of each. */
async function compare(size: number): Promise<void> {
  const file = join(folder, `${size}.tar.gz`)
  const members = await writeArchive(file, size)
  print(`${(size / gibibyte).toFixed(1)} GiB in ${members} members, ${(statSync(file).size / gibibyte).toFixed(2)} GiB packed`)
  const count = size === compared ? rounds : 1
  const inspections: Measurement[] = []
  const listings: Measurement[] = []
  for (let round = 0; round < count; round += 1) {
    inspections.push(await inspection(file))
    listings.push(await listing(file))
  }
  const [ours, tars] = [best(inspections), best(listings)]
  if (ours.members !== tars.members) throw new Error(`the readers disagree: ${ours.members} and ${tars.members} members`)
  print(`  inspection  ${ours.wall.toFixed(2)} s  ${mebibytes(ours.memory)}`)
  print(`  tar -tzf    ${tars.wall.toFixed(2)} s  ${mebibytes(tars.memory)}`)
  print(`  ratio       ${(ours.wall / tars.wall).toFixed(2)}`)
  rmSync(file)
}

function best(rounds: readonly Measurement[]): Measurement {
  return [...rounds].sort((a, b) => a.wall - b.wall)[0] as Measurement
}

/** Inspects over loopback, in a process of its own; the sender is another one. */
async function inspection(file: string): Promise<Measurement> {
  const script = join(fileURLToPath(import.meta.url), '..', 'archive-process.js')
  const sender = fork(script, ['send', file])
  const port = await message<number>(sender)
  const reader = fork(script, ['inspect', `http://127.0.0.1:${port}/`])
  const measured = await message<Measurement>(reader)
  reader.disconnect()
  sender.kill()
  return measured
}

function message<Value>(child: ReturnType<typeof fork>): Promise<Value> {
  return new Promise((resolve, reject) => {
    child.once('message', (value) => resolve(value as Value))
    child.once('exit', (code) => reject(new Error(`a process of the benchmark ended with ${code}`)))
  })
}

/** Lists with the system's tar, which reads the file itself. */
function listing(file: string): Promise<Measurement> {
  const started = process.hrtime.bigint()
  const child = spawn('tar', ['-tzf', file], { stdio: ['ignore', 'pipe', 'inherit'] })
  let members = 0
  let memory: number | undefined
  const watch = setInterval(() => {
    memory = peakOf(child.pid) ?? memory
  }, 50)
  child.stdout.on('data', (text: Buffer) => {
    for (const byte of text) if (byte === 10) members += 1
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearInterval(watch)
      if (code !== 0) reject(new Error(`tar ended with ${code}`))
      else resolve({ wall: Number(process.hrtime.bigint() - started) / 1e9, memory, members })
    })
  })
}

/** Linux tells the peak of a process; its decompressor is not counted. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const kibibytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}

function mebibytes(bytes: number | undefined): string {
  return bytes === undefined ? 'memory unknown' : `${Math.round(bytes / 1024 ** 2)} MiB at most`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

import { type ChildProcess, fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/package/root.ts'

/** What a process took. */
export interface Cost {
  /** Seconds. */
  readonly wall: number
  /** Peak resident memory of the process itself, bytes; undefined where the system does not say. */
  readonly memory: number | undefined
}

export const cli = join(packageRoot, 'dist', 'src', 'cli.js')

/** Runs a program to its end and measures it. Throws for an exit code that is not accepted. */
export async function measured(command: string, args: readonly string[], accepted: readonly number[] = [0]): Promise<Cost> {
  const started = process.hrtime.bigint()
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: packageRoot })
  let memory: number | undefined
  let complaint = ''
  child.stderr.on('data', (text: Buffer) => {
    complaint = `${complaint}${text}`.slice(-2000)
  })
  const watch = setInterval(() => {
    memory = peakOf(child.pid) ?? memory
  }, 25)
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  clearInterval(watch)
  if (!accepted.includes(code ?? -1)) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${complaint}`)
  return { wall: Number(process.hrtime.bigint() - started) / 1e9, memory }
}

/** Starts a script of the benchmark and resolves to its first message. */
export async function started<Value>(script: string, args: readonly string[]): Promise<{ child: ChildProcess; value: Value }> {
  const child = fork(fileURLToPath(new URL(`./${script}.js`, import.meta.url)), args)
  const value = await answerOf<Value>(child)
  return { child, value }
}

/** The next message of a process. */
export function answerOf<Value>(child: ChildProcess): Promise<Value> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`a process of the benchmark ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (value) => {
      child.off('exit', ended)
      resolve(value as Value)
    })
  })
}

function peakOf(pid: number | undefined): number | undefined {
  try {
    const kibibytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ReachableConfig } from '../../config/config.ts'
import { tryConnect } from '../../http/transport/reach.ts'
import { UsageError } from '../../text/errors.ts'

/** How long a server may take to become ready, and to end. Milliseconds. */
const [startsWithin, endsWithin] = [60_000, 5_000]

/** Works while the server of `target.start` runs, if there is one. At the end it stops all processes of that server. */
export async function withServer<Result>(
  config: ReachableConfig,
  work: (config: ReachableConfig, restart?: () => Promise<void>) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const { start, ...target } = config.target
  if (!start) return work(config)
  let server: ChildProcess | undefined
  const kill = () => void signalTo(server, 'SIGKILL')
  const leave = () => process.exit(130)
  const restart = async () => {
    await stop(server)
    server = await launched(config, start, signal)
  }
  process.once('exit', kill)
  // Work that receives no signal ends at once.
  if (!signal) process.once('SIGINT', leave).once('SIGTERM', leave)
  try {
    await restart()
    return await work({ ...config, target }, restart)
  } finally {
    await stop(server)
    process.off('exit', kill).off('SIGINT', leave).off('SIGTERM', leave)
  }
}

type Start = NonNullable<ReachableConfig['target']['start']>

/** Starts a server in the folder of the configuration and waits until it is ready. Throws {@link UsageError} with its last lines. */
async function launched({ target, file = '.' }: ReachableConfig, { command, ready }: Start, signal?: AbortSignal) {
  const listens = async () => (await tryConnect(target.baseUrl, 1000)) === undefined
  if (await listens()) throw new UsageError(`target.start: a program listens at ${target.baseUrl} already; stop it first`)
  const server = spawn(command, { shell: true, detached: true, cwd: dirname(file), stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const listen = (text: Buffer) => {
    said = `${said}${text}`.slice(-100_000)
  }
  for (const stream of [server.stdout, server.stderr]) stream.on('data', listen)
  const ended = once(server, 'exit').then(([code]) => `it ended with ${code}`, String)
  const late = delay(startsWithin, `it was not ready within ${startsWithin / 1000} s`, { ref: false })
  for (let problem: string | undefined; !signal?.aborted; problem = await Promise.race([ended, late, delay(100, undefined)])) {
    if (problem === undefined && (ready === undefined ? await listens() : said.includes(ready))) break
    if (problem === undefined) continue
    await stop(server)
    throw new UsageError(`target.start: "${command}": ${problem}. It printed:\n${said.trim().split('\n').slice(-5).join('\n')}`)
  }
  return server
}

/** Ends a server and all processes of its group. */
async function stop(server: ChildProcess | undefined): Promise<void> {
  signalTo(server, 'SIGTERM')
  for (let waited = 0; waited < endsWithin && signalTo(server, 0); waited += 50) await delay(50)
  signalTo(server, 'SIGKILL')
}

/** Sends a signal to the group of a server; false where none of its processes is left. */
function signalTo(server: ChildProcess | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(process.platform === 'win32' ? Number(server?.pid) : -Number(server?.pid), signal)
  } catch {
    return false
  }
}

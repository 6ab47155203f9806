import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config, Start } from '../../config/config.ts'
import { tryConnect } from '../../http/transport/connection/reach.ts'
import { endingSignals } from '../../run/interruption.ts'
import { UsageError } from '../../text/errors.ts'

/** How long a server may take to become ready, and to end. Milliseconds. */
const startsWithin = 60_000
const endsWithin = 5_000

/** Starts the servers of `target.start` and `provider.start`, does the work, and stops all of their processes. */
export async function withServers<Result>(
  { target, provider, providerStart, file = '.' }: Config,
  work: (restart?: () => Promise<void>) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const configured: readonly ConfiguredServer[] = [
    { key: 'target.start', address: target.baseUrl, start: target.start },
    {
      key: 'provider.start',
      address: provider,
      start: target.reference ? undefined : providerStart,
    },
  ]
  const servers: ChildProcess[] = []
  const kill = () => servers.forEach((server) => void signalTo(server, 'SIGKILL'))
  const leave = () => process.exit(130)
  const stopAll = async () => {
    while (servers.length > 0) await stop(servers.pop())
  }
  const restart = async () => {
    await stopAll()
    for (const each of configured) await launch(each, dirname(file), servers, signal)
  }
  process.once('exit', kill)
  // Without a signal for the work, an interruption ends the process.
  if (!signal) for (const name of endingSignals) process.once(name, leave)
  try {
    await restart()
    return await work(target.start ? restart : undefined)
  } finally {
    await stopAll()
    process.off('exit', kill)
    for (const name of endingSignals) process.off(name, leave)
  }
}

/** A server that the configuration starts. `key` is the place of its entry. */
interface ConfiguredServer {
  readonly key: string
  readonly address: string | undefined
  readonly start: Start | undefined
}

/** Starts a server, adds it to the others and waits until it is ready. Throws {@link UsageError} with its last lines. */
async function launch(
  { key, address, start }: ConfiguredServer,
  cwd: string,
  servers: ChildProcess[],
  signal?: AbortSignal,
) {
  if (!start || !address || signal?.aborted) return
  const { command, ready } = start
  const listens = async () => (await tryConnect(address, 1000)) === undefined
  if (await listens())
    throw new UsageError(`${key}: a program listens at ${address} already; stop it first`)
  const server = spawn(command, {
    shell: true,
    detached: true,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  servers.push(server)
  let said = ''
  const listen = (text: Buffer) => {
    said = `${said}${text}`.slice(-100_000)
  }
  for (const stream of [server.stdout, server.stderr]) stream.on('data', listen)
  const ended = once(server, 'exit').then(([code]) => `it ended with ${code}`, String)
  const late = delay(startsWithin, `it was not ready within ${startsWithin / 1000} s`, {
    ref: false,
  })
  let problem: string | undefined
  while (!signal?.aborted && problem === undefined) {
    const isReady = ready === undefined ? await listens() : said.includes(ready)
    if (isReady) return
    problem = await Promise.race([ended, late, delay(100, undefined)])
  }
  if (problem !== undefined)
    throw new UsageError(
      `${key}: "${command}": ${problem}. It printed:\n${said.trim().split('\n').slice(-5).join('\n')}`,
    )
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
    return process.kill(
      process.platform === 'win32' ? Number(server?.pid) : -Number(server?.pid),
      signal,
    )
  } catch {
    return false
  }
}

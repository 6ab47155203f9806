import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import type { Config, Start } from '../../config/config.ts'
import { tryConnect } from '../../http/transport/connection/reach.ts'
import { withinBudget } from '../../http/transport/time/budget.ts'
import { systemClock } from '../../http/transport/time/clock.ts'
import { onInterrupt } from '../../run/interruption.ts'
import { EndedEarly, UsageError } from '../../text/errors.ts'

/** How long a server may take to become ready, and to end after each signal. Milliseconds. */
const startsWithin = 60_000
const endsWithin = { SIGTERM: 3000, SIGKILL: 500 }

/** The work that needs the servers, until its signal is aborted. */
type Work<Result> = (signal: AbortSignal, restart?: () => Promise<void>) => Promise<Result>

/**
 * Starts the servers of `target.start` and `provider.start`, does the work, and stops all of their processes. Without the signal of
 * a run, the work ends with the time of a run and at an interruption, and this throws {@link EndedEarly}.
 */
export async function withServers<Result>(
  config: Config,
  work: Work<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  if (!signal) return untilEnded(config, (ended) => withServers(config, work, ended))
  const { target, provider, providerStart, file = '.', limits } = config
  const { runMinutes: minutes = Number.POSITIVE_INFINITY } = limits
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
  const stopAll = async () => {
    await Promise.all(servers.map(stop))
    // An exit meanwhile kills them.
    servers.length = 0
  }
  const place = { cwd: dirname(file), within: Math.min(startsWithin, minutes * 60_000) }
  const restart = async () => {
    await stopAll()
    for (const each of configured) await launch(each, place, servers, signal)
  }
  process.once('exit', kill)
  try {
    await restart()
    return await work(signal, target.start ? restart : undefined)
  } finally {
    await stopAll()
    process.off('exit', kill)
  }
}

/**
 * Works within the time of a run, and until the user ends it. Throws {@link EndedEarly} with the step that was not reached. `begun`
 * is in milliseconds.
 */
export function untilEnded<Result>(
  { limits }: Pick<Config, 'limits'>,
  work: (signal: AbortSignal) => Promise<Result>,
  begun = systemClock.now(),
  step = 'the command had a result',
): Promise<Result> {
  const { signal, stop } = onInterrupt()
  const late = () => {
    throw signal.aborted
      ? new EndedEarly(`the command was interrupted before ${step}`, 130)
      : new EndedEarly(`limits.runMinutes had passed before ${step}`, 3)
  }
  return withinBudget({ minutes: limits.runMinutes, begun }, signal, work, late).finally(stop)
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
  { cwd, within }: { readonly cwd: string; readonly within: number },
  servers: ChildProcess[],
  signal: AbortSignal,
) {
  if (!start || !address || signal.aborted) return
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
  const until = systemClock.now() + within
  let problem: string | undefined
  while (!signal.aborted && problem === undefined) {
    const isReady = ready === undefined ? await listens() : said.includes(ready)
    if (isReady) return
    const pause = systemClock.sleep(100, signal).catch(() => undefined)
    problem = (await Promise.race([ended, pause])) || undefined
    if (systemClock.now() >= until) problem ??= `it was not ready within ${within / 1000} s`
  }
  if (problem !== undefined)
    throw new UsageError(
      `${key}: "${command}": ${problem}. It printed:\n${said.trim().split('\n').slice(-5).join('\n')}`,
    )
}

/** Ends the processes in the group of a server. Those that ignore SIGTERM are killed. Their port is free a moment later. */
async function stop(server: ChildProcess) {
  for (const [signal, time] of Object.entries(endsWithin)) {
    signalTo(server, signal as NodeJS.Signals)
    const until = systemClock.now() + time
    while (systemClock.now() < until && signalTo(server, 0)) await systemClock.sleep(50)
  }
}

/** Sends a signal to the group of a server; false where none of its processes is left. */
function signalTo({ pid }: ChildProcess, signal: NodeJS.Signals | 0) {
  if (pid === undefined) return false
  try {
    return process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    return false
  }
}

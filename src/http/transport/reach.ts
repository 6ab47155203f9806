import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from './clock.ts'

/** Pauses between attempts to connect, for example to a server that is starting. Milliseconds. */
const pauses = [500, 1000]

/** Tries to connect to the server of a base URL. Returns a sentence about the failure and the attempts; undefined after success. */
export async function whyUnreachable(baseUrl: string, timeout: number): Promise<string | undefined> {
  const started = systemClock.now()
  for (let tried = 0; ; tried += 1) {
    const failure = await tryConnect(baseUrl, timeout)
    if (failure === undefined) return undefined
    const pause = pauses[tried]
    if (pause === undefined || failure.timedOut) {
      const times = tried === 0 ? 'once' : `${tried + 1} times`
      return `${baseUrl}: ${failure.reason} (tried ${times} in ${((systemClock.now() - started) / 1000).toFixed(1)} s)`
    }
    await delay(pause)
  }
}

/** Opens a connection and closes it; returns the failure, or undefined. */
export async function tryConnect(baseUrl: string, timeout: number): Promise<{ reason: string; timedOut: boolean } | undefined> {
  const { hostname, port, protocol } = new URL(baseUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)) })
    const end = (failure?: { reason: string; timedOut: boolean }) => {
      socket.destroy()
      resolve(failure)
    }
    socket.setTimeout(timeout, () => end({ reason: `no connection within ${timeout / 1000} s`, timedOut: true }))
    socket.once('connect', () => end())
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end({ reason: error.message || (error.code ?? 'refused'), timedOut: false }),
    )
  })
}

import { connect, isIP } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { systemClock } from './clock.ts'

/** Pauses between attempts to connect, for example to a server that is starting. Milliseconds. */
const pauses = [500, 1000]

/** How long a TLS handshake may take. Milliseconds. */
const handshakeTime = 10_000

/** The result of a TLS handshake. */
export type Handshake = { readonly protocol: string; readonly validTo: string } | { readonly reason: string }

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
  return new Promise((resolve) => {
    const socket = connect(addressOf(baseUrl))
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

/** Makes a TLS handshake with the server of a base URL and closes the connection; undefined for plain http. Sends no request. */
export async function tryHandshake(baseUrl: string): Promise<Handshake | undefined> {
  if (!baseUrl.toLowerCase().startsWith('https:')) return undefined
  const address = addressOf(baseUrl)
  // An IP address is no server name (RFC 6066, 3).
  const name = isIP(address.host) ? {} : { servername: address.host }
  return new Promise((resolve) => {
    const socket = connectTls({ ...address, ...name, timeout: handshakeTime })
    const end = (handshake: Handshake) => {
      socket.destroy()
      resolve(handshake)
    }
    socket.once('secureConnect', () =>
      end({ protocol: socket.getProtocol() ?? 'TLS', validTo: socket.getPeerCertificate().valid_to }),
    )
    socket.once('timeout', () => end({ reason: 'the handshake timed out' }))
    socket.once('error', ({ message }) => end({ reason: message }))
  })
}

function addressOf(baseUrl: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(baseUrl)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}

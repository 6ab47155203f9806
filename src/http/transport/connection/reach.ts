import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { systemClock } from '../time/clock.ts'

/** Pauses between attempts to connect, for example to a server that is starting. Milliseconds. */
const pauses = [500, 1000]

/** How long a TLS handshake may take. Milliseconds. */
const handshakeTime = 10_000

/** The result of a TLS handshake. */
type Handshake =
  | { readonly protocol: string; readonly validTo: string }
  | { readonly reason: string }

/** Tries to connect to the server of a base URL. Returns a sentence about the failure and the attempts; undefined after success or an abort. */
export async function whyUnreachable(baseUrl: string, timeout: number, signal?: AbortSignal) {
  const started = systemClock.now()
  for (let tried = 0; ; tried += 1) {
    const failure = await tryConnect(baseUrl, timeout, signal)
    if (failure === undefined || signal?.aborted) return undefined
    const pause = pauses[tried]
    if (pause === undefined || failure.timedOut) {
      const times = tried === 0 ? 'once' : `${tried + 1} times`
      return `${baseUrl}: ${failure.reason} (tried ${times} in ${((systemClock.now() - started) / 1000).toFixed(1)} s)`
    }
    await systemClock.sleep(pause, signal).catch(() => undefined)
  }
}

/** Opens a connection and closes it; returns the failure, or undefined. */
export async function tryConnect(
  baseUrl: string,
  timeout: number,
  signal?: AbortSignal,
): Promise<{ reason: string; timedOut: boolean } | undefined> {
  const late = new Error(`no connection within ${timeout / 1000} s`)
  const socket = connect(addressOf(baseUrl)).setTimeout(timeout, () => socket.destroy(late))
  const error = await failureUntil(socket, 'connect', signal)
  return error && { reason: error.message || (error.code ?? 'refused'), timedOut: error === late }
}

/** Makes a TLS handshake with the server of a base URL and closes the connection; undefined for plain http. Sends no request. */
export async function tryHandshake(
  baseUrl: string,
  signal?: AbortSignal,
): Promise<Handshake | undefined> {
  if (!baseUrl.toLowerCase().startsWith('https:')) return undefined
  const address = addressOf(baseUrl)
  // An IP address is no server name (RFC 6066, 3).
  const socket = connectTls({
    ...address,
    ...(isIP(address.host) ? {} : { servername: address.host }),
  })
  socket.setTimeout(handshakeTime, () => socket.destroy(new Error('the handshake timed out')))
  let handshake = { protocol: 'TLS', validTo: '' }
  socket.once('secureConnect', () => {
    handshake = {
      protocol: socket.getProtocol() ?? 'TLS',
      validTo: socket.getPeerCertificate().valid_to,
    }
  })
  const error = await failureUntil(socket, 'secureConnect', signal)
  return error ? { reason: error.message } : handshake
}

/** The error or the abort that precedes an event of a socket, which is then closed. */
async function failureUntil(socket: Socket, event: string, signal: AbortSignal | undefined) {
  try {
    await once(socket, event, { signal })
    return undefined
  } catch (error) {
    return error as NodeJS.ErrnoException
  } finally {
    socket.destroy()
  }
}

function addressOf(baseUrl: string) {
  const { hostname, port, protocol } = new URL(baseUrl)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  }
}

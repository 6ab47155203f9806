import { isIP } from 'node:net'
import { connect } from 'node:tls'

/** How long a TLS handshake may take. Milliseconds. */
const handshakeTime = 10_000

/** The result of a TLS handshake. */
export type Handshake = { readonly protocol: string; readonly validTo: string } | { readonly reason: string }

/** Makes a TLS handshake with the server of a base URL and closes the connection; undefined for plain http. Sends no request. */
export async function tryHandshake(baseUrl: string): Promise<Handshake | undefined> {
  const { protocol, hostname, port } = new URL(baseUrl)
  if (protocol !== 'https:') return undefined
  const host = hostname.replace(/^\[|\]$/g, '')
  // An IP address is no server name (RFC 6066, 3).
  const name = isIP(host) ? {} : { servername: host }
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port || 443), ...name, timeout: handshakeTime })
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

import { tryHandshake, whyUnreachable } from '../http/transport/reach.ts'
import type { Obstacle } from './obstacle.ts'

/** Handshake errors that say that the other side does not speak TLS at all. */
const noTls = /wrong version number|packet length too long|record overflow|unexpected message|http request/i
/** Handshake errors of a server that speaks TLS and is not trusted. */
const untrusted = /certificate|self[- ]signed|altname|unable to verify/i

/** The obstacle at the port of a base URL: a closed port, the wrong use of TLS, or an untrusted certificate. */
export async function portObstacle(baseUrl: string, timeout: number): Promise<Obstacle | undefined> {
  const reason = await whyUnreachable(baseUrl, timeout)
  if (reason !== undefined) {
    const next = 'Start the target, or let the run wait for it with --wait 60'
    return { kind: 'unreachable', sentence: `the target does not accept connections: ${reason}. ${next}` }
  }
  const handshake = await tryHandshake(baseUrl)
  if (handshake === undefined || 'protocol' in handshake) return undefined
  if (noTls.test(handshake.reason)) {
    return configuration(`${baseUrl} answers without TLS. For plain HTTP write ${withProtocol(baseUrl, 'http:')}`)
  }
  if (untrusted.test(handshake.reason)) {
    return configuration(
      `the certificate of ${baseUrl} is not trusted: ${handshake.reason}. Set NODE_EXTRA_CA_CERTS to the file with the certificate of its authority`,
    )
  }
  const next = `Check the port: what listens there may not speak TLS (plain HTTP: ${withProtocol(baseUrl, 'http:')})`
  return { kind: 'unreachable', sentence: `the TLS handshake with ${baseUrl} failed: ${handshake.reason}. ${next}` }
}

/** Whether a plain HTTP base URL leads to a port that speaks TLS. */
export async function tlsObstacle(baseUrl: string): Promise<Obstacle | undefined> {
  if (!baseUrl.startsWith('http:')) return undefined
  const secure = withProtocol(baseUrl, 'https:')
  const handshake = await tryHandshake(secure)
  const speaksTls = handshake !== undefined && ('protocol' in handshake || untrusted.test(handshake.reason))
  return speaksTls ? configuration(`${baseUrl} expects TLS (HTTPS). Write ${secure}`) : undefined
}

function configuration(sentence: string): Obstacle {
  return { kind: 'configuration', sentence }
}

/** The same address under another protocol, with its port written out. */
function withProtocol(baseUrl: string, protocol: 'http:' | 'https:'): string {
  const { hostname, port, pathname, protocol: before } = new URL(baseUrl)
  const path = pathname === '/' ? '' : pathname
  return `${protocol}//${hostname}:${port || (before === 'https:' ? 443 : 80)}${path}`
}

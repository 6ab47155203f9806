import type { ReachableConfig } from '../config/config.ts'
import { tryHandshake, whyUnreachable } from '../http/transport/connection/reach.ts'

/** Why a run cannot begin, in one sentence that ends with the next step. */
export interface Obstacle {
  /** `configuration`: the configuration must change (exit code 2); `unreachable`: the target must respond (exit code 3). */
  readonly kind: 'configuration' | 'unreachable'
  readonly sentence: string
  /** The members of a target without the obstacle: another base URL with an API, or another scheme of the tokens. */
  readonly instead?: Pick<Partial<ReachableConfig['target']>, 'baseUrl' | 'dialect'> | undefined
}

/** Handshake errors of a port without TLS. */
const noTls =
  /wrong version number|packet length too long|record overflow|unexpected message|http request/i
/** Handshake errors of a server that speaks TLS and is not trusted. */
const untrusted = /certificate|self[- ]signed|altname|unable to verify/i

/** The obstacle at the port of a base URL: a closed port, the wrong use of TLS, or an untrusted certificate. */
export async function portObstacle(
  baseUrl: string,
  timeout: number,
  signal?: AbortSignal,
): Promise<Obstacle | undefined> {
  const closed = await whyUnreachable(baseUrl, timeout, signal)
  if (closed !== undefined) {
    const next = 'Start the target, or let the run wait for it with --wait 60'
    return {
      kind: 'unreachable',
      sentence: `the target does not accept connections: ${closed}. ${next}`,
    }
  }
  const handshake = await tryHandshake(baseUrl, signal)
  if (handshake === undefined || 'protocol' in handshake) return undefined
  const { reason } = handshake
  const plain = withProtocol(baseUrl, 'http:')
  if (noTls.test(reason))
    return configuration(`${baseUrl} responses without TLS. For plain HTTP write ${plain}`)
  if (untrusted.test(reason)) {
    const next = 'Set NODE_EXTRA_CA_CERTS to the file with the certificate of its authority'
    return configuration(`the certificate of ${baseUrl} is not trusted: ${reason}. ${next}`)
  }
  const next = `Check the port: the server there may not speak TLS (plain HTTP: ${plain})`
  return {
    kind: 'unreachable',
    sentence: `the TLS handshake with ${baseUrl} failed: ${reason}. ${next}`,
  }
}

/** Whether a plain HTTP base URL leads to a port that speaks TLS. */
export async function tlsObstacle(baseUrl: string): Promise<Obstacle | undefined> {
  if (!baseUrl.startsWith('http:')) return undefined
  const secure = withProtocol(baseUrl, 'https:')
  const handshake = await tryHandshake(secure)
  const speaksTls =
    handshake !== undefined && ('protocol' in handshake || untrusted.test(handshake.reason))
  return speaksTls ? configuration(`${baseUrl} expects TLS (HTTPS). Write ${secure}`) : undefined
}

/** The TLS version of a base URL and how long its certificate is valid, in words. */
export async function tlsInWords(baseUrl: string): Promise<string> {
  const handshake = await tryHandshake(baseUrl)
  if (handshake === undefined) return 'plain HTTP: tokens are sent unencrypted'
  return 'reason' in handshake
    ? handshake.reason
    : `${handshake.protocol}, certificate until ${handshake.validTo}`
}

function configuration(sentence: string): Obstacle {
  return { kind: 'configuration', sentence }
}

/** The same address under another protocol, with its port written out. */
function withProtocol(baseUrl: string, protocol: 'http:' | 'https:') {
  const { hostname, port, pathname, protocol: before } = new URL(baseUrl)
  const path = pathname === '/' ? '' : pathname
  return `${protocol}//${hostname}:${port || (before === 'https:' ? 443 : 80)}${path}`
}

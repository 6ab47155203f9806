import { anonymous } from '../http/exchange/caller.ts'
import { tryHandshake } from '../http/transport/reach.ts'
import type { Session } from '../run/judge/session.ts'
import { callersOf } from '../run/needs/tokens.ts'
import { messageOf } from '../text/errors.ts'

/** One thing that was looked at. */
export interface ProbeResult {
  readonly about: 'tls' | 'version'
  readonly what: string
  readonly state: 'ok' | 'trouble' | 'note'
  readonly says: string
}

/** Requests the public feed without a token, or the dialect's probe with the first token, to find out if the version is served. */
export async function probeVersion(session: Session): Promise<ProbeResult> {
  const part = { about: 'version', what: `version ${session.options.apiVersion}` } as const
  try {
    const { probe } = session.dialect
    const { config } = session.options
    const as =
      config.target.dialect?.probe === undefined ? anonymous : (callersOf(config.tokens, session.redactor)[0] ?? anonymous)
    const { status, durationMs } = await session.client.send({ endpoint: probe, as, direct: true })
    const says = `GET ${probe.path} returned ${status} in ${Math.round(durationMs)} ms`
    return { ...part, state: status === 200 ? 'ok' : status >= 500 || status === 404 ? 'trouble' : 'note', says }
  } catch (error) {
    return { ...part, state: 'trouble', says: messageOf(error) }
  }
}

/** The TLS version and how long the certificate is valid; a note for plain http. */
export async function probeTls(baseUrl: string): Promise<ProbeResult> {
  const part = { about: 'tls', what: 'TLS' } as const
  const handshake = await tryHandshake(baseUrl)
  if (handshake === undefined) return { ...part, state: 'note', says: 'plain HTTP: tokens are sent unencrypted' }
  if ('reason' in handshake) return { ...part, state: 'trouble', says: handshake.reason }
  return { ...part, state: 'ok', says: `${handshake.protocol}, certificate until ${handshake.validTo}` }
}

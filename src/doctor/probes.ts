import { anonymous } from '../http/caller.ts'
import { tryHandshake } from '../http/handshake.ts'
import type { Session } from '../run/judge/session.ts'
import { endpoints } from '../spec/endpoints.ts'
import { messageOf } from '../text/message-of.ts'

/** One thing that was looked at. */
export interface ProbeResult {
  readonly about: 'tls' | 'version'
  readonly what: string
  readonly state: 'ok' | 'trouble' | 'note'
  readonly says: string
}

/** Asks the public feed, as nobody: does the target answer under this version at all. */
export async function probeVersion(session: Session): Promise<ProbeResult> {
  const part = { about: 'version', what: `version ${session.options.apiVersion}` } as const
  try {
    const { status, durationMs } = await session.client.send({ endpoint: endpoints.publicEvents, as: anonymous })
    const says = `GET /events returned ${status} in ${Math.round(durationMs)} ms`
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

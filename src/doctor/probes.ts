import { anonymous, type Caller } from '../http/caller.ts'
import { tryHandshake } from '../http/handshake.ts'
import type { Session } from '../run/judge/session.ts'
import { callersOf } from '../run/needs/tokens.ts'
import { endpoints } from '../spec/endpoints.ts'
import { isObject } from '../suite/located.ts'
import { messageOf } from '../text/message-of.ts'

/** One thing that was looked at. */
export interface ProbeResult {
  readonly about: 'tls' | 'version' | 'token' | 'provider'
  readonly what: string
  readonly state: 'ok' | 'trouble' | 'note'
  readonly says: string
}

/** Asks the public feed as nobody, or the dialect's probe as the first token: does the target answer under this version at all. */
export async function probeVersion(session: Session): Promise<ProbeResult> {
  const part = { about: 'version', what: `version ${session.options.apiVersion}` } as const
  try {
    const { probe } = session.dialect
    const { config } = session.options
    const as =
      config.target.dialect?.probe === undefined ? anonymous : (callersOf(config.tokens, session.redactor)[0] ?? anonymous)
    const { status, durationMs } = await session.client.send({ endpoint: probe, as })
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

/** What can be seen of a token: where the document lets each kind in, and whose migrations it lists. */
export async function probeToken(session: Session, caller: Caller): Promise<ProbeResult> {
  const what = `token ${caller.label} (${caller.kind}${caller.login ? ` of ${caller.login}` : ''})`
  const part = { about: 'token', what } as const
  try {
    const feed = await session.client.send({ endpoint: endpoints.publicEvents, as: caller })
    if (feed.status === 401) return { ...part, state: 'trouble', says: 'the target rejects it: GET /events returned 401' }
    const inbox = await session.client.send({ endpoint: endpoints.listNotifications, as: caller })
    const migrations = await session.client.send({ endpoint: endpoints.listMigrations, as: caller })
    return tokenResult(part, caller, inbox.status, migrations.status, ownerOf(migrations.json))
  } catch (error) {
    return { ...part, state: 'trouble', says: messageOf(error) }
  }
}

function tokenResult(
  part: Pick<ProbeResult, 'about' | 'what'>,
  caller: Caller,
  inbox: number,
  migrations: number,
  seen: string | undefined,
): ProbeResult {
  const says = `inbox ${inbox}, migrations ${migrations}${seen === undefined ? '' : `, belongs to ${seen}`}`
  if (seen !== undefined && caller.login !== undefined && seen.toLowerCase() !== caller.login.toLowerCase()) {
    return { ...part, state: 'trouble', says: `${says}: configured for another login` }
  }
  const classic = inbox === 200
  if (caller.kind === 'classic')
    return {
      ...part,
      state: classic ? 'ok' : 'trouble',
      says: classic ? says : `${says}: rejected where a classic token must be accepted`,
    }
  return {
    ...part,
    state: classic ? 'trouble' : 'ok',
    says: classic ? `${says}: accepted where only classic tokens may be` : says,
  }
}

function ownerOf(list: unknown): string | undefined {
  const owner: unknown = Array.isArray(list) && isObject(list[0]) ? list[0].owner : undefined
  return isObject(owner) && typeof owner.login === 'string' ? owner.login : undefined
}

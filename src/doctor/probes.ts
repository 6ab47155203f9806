import { connect } from 'node:tls'
import { anonymous, type Caller } from '../http/caller.ts'
import type { Session } from '../run/judge/session.ts'
import { endpoints } from '../spec/endpoints.ts'
import { isObject } from '../suite/located.ts'

/** One thing that was looked at. */
export interface Finding {
  readonly what: string
  readonly state: 'ok' | 'trouble' | 'note'
  readonly says: string
}

/** How long a TLS handshake may take. Milliseconds. */
const handshakeTime = 10_000

/** Asks the public feed, as nobody: does the target answer under this version at all. */
export async function probeVersion(session: Session): Promise<Finding> {
  const what = `version ${session.options.apiVersion}`
  try {
    const { status, durationMs } = await session.client.send({ endpoint: endpoints.publicEvents, as: anonymous })
    const says = `GET /events answered ${status} in ${Math.round(durationMs)} ms`
    return { what, state: status === 200 ? 'ok' : status >= 500 || status === 404 ? 'trouble' : 'note', says }
  } catch (error) {
    return { what, state: 'trouble', says: (error as Error).message }
  }
}

/** The TLS version and how long the certificate is valid; nothing for plain http. */
export async function probeTls(baseUrl: string): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(baseUrl)
  if (protocol !== 'https:') return [{ what: 'TLS', state: 'note', says: 'plain http: tokens travel unprotected' }]
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, timeout: handshakeTime })
    const end = (finding: Finding) => {
      socket.destroy()
      resolve([finding])
    }
    socket.once('secureConnect', () =>
      end({
        what: 'TLS',
        state: 'ok',
        says: `${socket.getProtocol()}, certificate until ${socket.getPeerCertificate().valid_to}`,
      }),
    )
    socket.once('timeout', () => end({ what: 'TLS', state: 'trouble', says: 'no handshake in time' }))
    socket.once('error', (error) => end({ what: 'TLS', state: 'trouble', says: error.message }))
  })
}

/** What can be seen of a token: where the document lets each kind in, and whose migrations it lists. */
export async function probeToken(session: Session, caller: Caller): Promise<Finding> {
  const what = `token ${caller.label} (${caller.kind}${caller.login ? ` of ${caller.login}` : ''})`
  try {
    const feed = await session.client.send({ endpoint: endpoints.publicEvents, as: caller })
    if (feed.status === 401) return { what, state: 'trouble', says: 'the target does not know it: GET /events answered 401' }
    const inbox = await session.client.send({ endpoint: endpoints.listNotifications, as: caller })
    const migrations = await session.client.send({ endpoint: endpoints.listMigrations, as: caller })
    return judged(what, caller, inbox.status, migrations.status, ownerOf(migrations.json))
  } catch (error) {
    return { what, state: 'trouble', says: (error as Error).message }
  }
}

function judged(what: string, caller: Caller, inbox: number, migrations: number, seen: string | undefined): Finding {
  const says = `inbox ${inbox}, migrations ${migrations}${seen === undefined ? '' : `, belongs to ${seen}`}`
  if (seen !== undefined && caller.login !== undefined && seen.toLowerCase() !== caller.login.toLowerCase()) {
    return { what, state: 'trouble', says: `${says}: declared for another login` }
  }
  const classic = inbox === 200
  if (caller.kind === 'classic')
    return { what, state: classic ? 'ok' : 'trouble', says: classic ? says : `${says}: not like a classic token` }
  return { what, state: classic ? 'trouble' : 'ok', says: classic ? `${says}: lets in what only classic tokens may` : says }
}

function ownerOf(list: unknown): string | undefined {
  const owner: unknown = Array.isArray(list) && isObject(list[0]) ? list[0].owner : undefined
  return isObject(owner) && typeof owner.login === 'string' ? owner.login : undefined
}

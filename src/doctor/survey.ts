import { randomUUID } from 'node:crypto'
import type { ReachableConfig } from '../config/config.ts'
import type { EndpointRef } from '../http/client.ts'
import { anonymous } from '../http/exchange/caller.ts'
import { openSession, type Session } from '../run/judge/session.ts'
import { callersOf } from '../run/needs/tokens.ts'
import { endpoints } from '../spec/endpoints.ts'
import type { Role } from '../spec/needs.ts'
import { latestVersion } from '../spec/versions.ts'
import { atPointer } from '../text/data.ts'
import { messageOf } from '../text/errors.ts'

/** The facts about a target that are visible at its address alone. */
export interface Survey {
  /** Whether the target serves each version. */
  readonly versions: { readonly what: string; readonly state: 'ok' | 'trouble' | 'note'; readonly says: string }[]
  /** `GET /rate_limit` contains the remaining quota at the usual pointer. */
  readonly quota: boolean
  /** A repository of the public feed. */
  readonly publicRepository?: { readonly owner: string; readonly repo: string }
  /** The logins of roles that the provider supplies. */
  readonly logins: Partial<Record<Role, string>>
}

/** Examines a target and its provider, if there is one, without changes. */
export async function survey(config: ReachableConfig, roles: readonly Role[]): Promise<Survey> {
  const run = randomUUID()
  const versions: Survey['versions'] = []
  for (const apiVersion of config.versions) {
    const session = await openSession(config, apiVersion, { run })
    versions.push({ what: `version ${apiVersion}`, ...(await probeVersion(session)) })
    await session.client.close()
  }
  const session = await openSession(config, config.versions[0] ?? latestVersion, { run })
  try {
    const found = versions[0]?.state === 'ok' ? await lookAround(session) : { quota: false }
    return { versions, ...found, logins: config.provider === undefined ? {} : await loginsOf(session, roles) }
  } finally {
    await session.release()
  }
}

/** Requests the public feed without a token, or the dialect's probe with the first token. */
async function probeVersion({ client, dialect: { probe }, options: { config }, redactor }: Session) {
  const [as = anonymous] = config.target.dialect?.probe ? callersOf(config.tokens, redactor) : []
  try {
    const { status, durationMs } = await client.send({ endpoint: probe, as, direct: true })
    const state = status === 200 ? 'ok' : status >= 500 || status === 404 ? 'trouble' : 'note'
    return { state, says: `GET ${probe.path} returned ${status} in ${Math.round(durationMs)} ms` } as const
  } catch (error) {
    return { state: 'trouble', says: messageOf(error) } as const
  }
}

async function lookAround({ client }: Session): Promise<Pick<Survey, 'quota' | 'publicRepository'>> {
  const at = async (endpoint: EndpointRef, pointer: string) => {
    const answer = await client.send({ endpoint, as: anonymous, direct: true }).catch(() => undefined)
    return atPointer(answer?.json, pointer)
  }
  const quota = typeof (await at({ method: 'GET', path: '/rate_limit' }, '/resources/core/remaining')) === 'number'
  const name = await at(endpoints.publicEvents, '/0/repo/name')
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(typeof name === 'string' ? name : '') ?? []
  return { quota, ...(owner && repo ? { publicRepository: { owner, repo } } : {}) }
}

async function loginsOf({ needs }: Session, roles: readonly Role[]): Promise<Survey['logins']> {
  const logins: Survey['logins'] = {}
  for (const role of roles) {
    const login = await needs.one({ type: 'login', role }).catch(() => undefined)
    if (typeof login === 'string' && /^[\w.-]+$/.test(login)) logins[role] = login
  }
  return logins
}

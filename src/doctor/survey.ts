import { randomUUID } from 'node:crypto'
import type { ReachableConfig } from '../config/config.ts'
import { anonymous } from '../http/exchange/caller.ts'
import { openSession, type Session } from '../run/judge/session.ts'
import { endpoints } from '../spec/endpoints.ts'
import type { Role } from '../spec/needs.ts'
import { latestVersion } from '../spec/versions.ts'
import { isObject } from '../suite/located.ts'
import type { ProbeResult } from './probes.ts'
import { probeVersion } from './probes.ts'

/** The facts about a target that are visible at its address alone. */
export interface Survey {
  readonly versions: readonly ProbeResult[]
  /** `GET /rate_limit` contains the remaining quota at the usual pointer. */
  readonly quota: boolean
  /** A repository of the public feed. */
  readonly publicRepository?: { readonly owner: string; readonly repo: string }
  /** The logins of roles that the provider supplies. */
  readonly logins: Readonly<Partial<Record<Role, string>>>
}

/** Examines a target and its provider, if there is one, without changes. */
export async function survey(config: ReachableConfig, roles: readonly Role[]): Promise<Survey> {
  const run = randomUUID()
  const versions: ProbeResult[] = []
  for (const apiVersion of config.versions) {
    const session = await openSession(config, apiVersion, { run })
    versions.push(await probeVersion(session))
    await session.client.close()
  }
  const session = await openSession(config, config.versions[0] ?? latestVersion, { run })
  try {
    const found = versions[0]?.state === 'ok' ? await lookAround(session) : { quota: false }
    return { versions, ...found, logins: await loginsOf(session, config, roles) }
  } finally {
    await session.release()
  }
}

async function lookAround(session: Session): Promise<Pick<Survey, 'quota' | 'publicRepository'>> {
  const quota = await session.client
    .send({ endpoint: { method: 'GET', path: '/rate_limit' }, as: anonymous, direct: true })
    .catch(() => undefined)
  const feed = await session.client.read({ endpoint: endpoints.publicEvents, as: anonymous, direct: true }).catch(() => undefined)
  const repository = repositoryOf(feed?.json)
  return { quota: remaining(quota?.json) !== undefined, ...(repository ? { publicRepository: repository } : {}) }
}

function remaining(json: unknown): number | undefined {
  const resources = isObject(json) ? json.resources : undefined
  const core = isObject(resources) ? resources.core : undefined
  return isObject(core) && typeof core.remaining === 'number' ? core.remaining : undefined
}

function repositoryOf(feed: unknown): { owner: string; repo: string } | undefined {
  const repo: unknown = Array.isArray(feed) && isObject(feed[0]) ? feed[0].repo : undefined
  const [owner, name] = isObject(repo) && typeof repo.name === 'string' ? repo.name.split('/') : []
  return owner && name && /^[\w.-]+$/.test(`${owner}${name}`) ? { owner, repo: name } : undefined
}

async function loginsOf(session: Session, config: ReachableConfig, roles: readonly Role[]): Promise<Survey['logins']> {
  if (config.provider === undefined) return {}
  const logins: Partial<Record<Role, string>> = {}
  for (const role of roles) {
    const login = await session.needs.one({ type: 'login', role }).catch(() => undefined)
    if (typeof login === 'string' && /^[\w.-]+$/.test(login)) logins[role] = login
  }
  return logins
}

import type { ReachableConfig } from '../config/config.ts'
import { anonymous, type Caller } from '../http/exchange/caller.ts'
import type { EndpointRef } from '../http/exchange/request-spec.ts'
import { knownSecrets } from '../http/redaction/redaction.ts'
import type { ShowStep } from '../report/terminal/progress.ts'
import { openSession } from '../run/judge/session.ts'
import { problemWith } from '../run/needs/given-values.ts'
import { callersOf } from '../run/needs/tokens.ts'
import { changeEndpoints } from '../spec/changes/changes.ts'
import { endpointLabel, endpoints } from '../spec/endpoints.ts'
import type { NeedName, Role } from '../spec/needs.ts'
import { latestVersion } from '../spec/versions.ts'
import { Catalogue } from '../suite/catalogue.ts'
import { isObject, type JsonObject } from '../suite/located.ts'
import { atPointer, defined, groupBy } from '../text/data.ts'
import { usualQuota } from './notes.ts'

/** Whether `GET /rate_limit` contains the remaining quota at the usual pointer, and the logins of roles that the provider supplies. */
export async function quotaAndLogins(
  config: ReachableConfig,
  roles: readonly Role[],
  signal: AbortSignal,
) {
  const session = await openSession(config, config.versions[0] ?? latestVersion, { signal })
  const request = {
    endpoint: changeEndpoints.rateLimit,
    as: anonymous,
    direct: true,
  } as const
  const response = await session.client.send(request).catch(() => undefined)
  const logins: Partial<Record<Role, string>> = {}
  for (const role of config.provider === undefined ? [] : roles) {
    const login = await session.needs.resolveOne({ type: 'login', role }).catch(() => undefined)
    if (typeof login === 'string' && plain.test(login)) logins[role] = login
  }
  await session.release()
  return { quota: typeof atPointer(response?.json, usualQuota.pointer) === 'number', logins }
}

/** Values for a need (several for a consumable), and the request whose response contained them. */
export interface Discovery {
  readonly need: NeedName
  readonly values: readonly object[]
  readonly seen: string
}

/** The items of a list as a caller reads it; none of a list that is not served. */
type List = (
  endpoint: EndpointRef,
  as: Caller,
  params?: object,
  query?: object,
) => Promise<JsonObject[]>

/** Adds values for a need, except unsafe ones. */
type Add = (need: NeedName, endpoint: EndpointRef, ...values: readonly object[]) => void

/** The most threads of a need that checks use up. */
const mostThreads = 24

/** Searches the feeds and lists of a target for values of needs, by at most 24 GET requests with the tokens of the configuration. */
export async function discover(
  { provider: _, ...config }: ReachableConfig,
  showStep: ShowStep,
  signal: AbortSignal,
) {
  const { client, redactor } = await openSession(config, config.versions[0] ?? latestVersion, {
    maxRequests: 24,
    readOnly: true,
    signal,
  })
  const callers = callersOf(config.tokens, redactor)
  const callerOf = (role: Role) => callers.find((one) => one.role === role && one.login)
  const owner = callerOf('owner')
  const outsider = callerOf('outsider')
  const list: List = async (endpoint, as, params = {}, query = {}) => {
    const request = { endpoint, as, params: { ...params }, query: { per_page: 100, ...query } }
    const { status, json } = (await client.read(request).catch(() => undefined)) ?? {}
    return status === 200 && Array.isArray(json) ? json.filter(isObject) : []
  }
  const found: Discovery[] = []
  const add: Add = (need, endpoint, ...values) => {
    const safe = values.filter((value) => isSafe(need, value))
    if (safe.length > 0) found.push({ need, values: safe, seen: endpointLabel(endpoint) })
  }
  const searches = owner
    ? [inFeeds, inInboxes, inMigrations, inGists, inBusyFeeds]
    : [inFeeds, inBusyFeeds]
  for (const [index, search] of searches.entries()) {
    showStep('looking for test data in the feeds and lists', index + 1, searches.length)
    await search(list, add, owner ?? anonymous, outsider)
  }
  await client.close()
  return found
}

/** One name, or two with a slash, without variables; a name of dots would be another path. */
const plain = /^(?!\.+(\/|$))[\w.-]{1,100}(\/(?!\.+$)[\w.-]{1,100})?$/

/** True for a value that fits its need, consists of plain texts and contains no secret. */
function isSafe(need: NeedName, value: object) {
  const text = JSON.stringify(value)
  const isPlain = [...text.matchAll(/"([^"]*)"/g)].every(([, part = '']) => plain.test(part))
  return (
    isPlain &&
    problemWith(need, value, new Catalogue()) === undefined &&
    knownSecrets.redact(text) === text
  )
}

/** The plain texts at a pointer of some items, the most frequent first. */
function ranked(items: readonly JsonObject[], pointer: string) {
  const texts = items
    .map((item) => String(atPointer(item, pointer) ?? ''))
    .filter((text) => plain.test(text))
  return [...groupBy(texts, (text) => text)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([text]) => text)
}

/** `octo-org/hello` in its parts. */
function repositoryOf(fullName: unknown) {
  const [owner, repo] = String(fullName).split('/')
  return { owner, repo }
}

/** Looks for a public repository, preferably in the owner's feed. Also looks there for an organization with a private repository. */
async function inFeeds(list: List, add: Add, owner: Caller) {
  const { publicEvents, userEvents, repositoryEvents, userOrganizationEvents } = endpoints
  const { login: username } = owner
  const own = username === undefined ? [] : await list(userEvents, owner, { username })
  const open = own.filter((event) => event.public === true)
  const closed = own.filter((event) => event.public === false)
  const feed = open.length > 0 ? userEvents : publicEvents
  const everyone = open.length > 0 ? open : await list(publicEvents, anonymous)
  add('public-repository', feed, repositoryOf(ranked(everyone, '/repo/name')[0]))
  const owners = ranked(own, '/repo/name').map((name) => repositoryOf(name).owner)
  const accounts = [...new Set([...ranked(own, '/org/login'), ...owners])].filter(
    (name) => name !== username,
  )
  let org: string | undefined
  for (const tried of accounts.slice(0, 3)) {
    if (
      org === undefined &&
      (await list(userOrganizationEvents, owner, { username, org: tried })).length > 0
    )
      org = tried
  }
  add('organization', userOrganizationEvents, { org })
  const secret = ranked(closed, '/repo/name')
    .map(repositoryOf)
    .find((name) => name.owner === org)
  // A repository that is public by now was private when the event happened.
  if (secret && (await list(repositoryEvents, anonymous, secret)).length === 0)
    add('private-repository', userEvents, secret)
}

/** The most frequent names of the public feed, if their own feeds are full: three whole pages. */
async function inBusyFeeds(list: List, add: Add, owner: Caller) {
  const { publicEvents, repositoryEvents, userPublicEvents, userOrganizationEvents } = endpoints
  const everyone = await list(publicEvents, anonymous)
  const [repository] = ranked(everyone, '/repo/name')
  const [login] = ranked(everyone, '/actor/login')
  const [account] = ranked(everyone, '/org/login')
  const org = account ?? (repository && repositoryOf(repository).owner)
  const busy = [
    ['busy-repository', repositoryEvents, repositoryOf(repository), repositoryOf(repository)],
    ['busy-user', userPublicEvents, { login }, { username: login }],
    ['busy-organization', userOrganizationEvents, { org }, { org, username: owner.login }],
  ] as const
  for (const [need, endpoint, value, params] of busy) {
    if ((await list(endpoint, owner, params, { page: 3 })).length === 100)
      add(need, endpoint, value)
  }
}

/** The threads of the owner, each for one need, and one of the outsider. */
async function inInboxes(list: List, add: Add, owner: Caller, outsider: Caller | undefined) {
  const { listNotifications, listRepositoryNotifications } = endpoints
  const inbox = (as: Caller, query = {}) =>
    list(listNotifications, as, {}, { per_page: 50, ...query })
  const unread = await inbox(owner)
  const all = await inbox(owner, { all: true })
  const filtered = threeOfOneDay(unread)
  const [shared, ...others] = unread.filter((thread) => !filtered.includes(thread))
  add('filter-threads', listNotifications, { thread_ids: filtered.map(({ id }) => id) })
  add('shared-thread', listNotifications, { thread_id: shared?.id })
  add('unread-thread', listNotifications, ...others.slice(0, mostThreads).map(threadNeed))
  const read = all.filter((thread) => thread.unread === false)
  add('read-thread', listNotifications, ...read.slice(0, mostThreads / 4).map(threadNeed))
  const own = [...unread, ...all].map(({ id }) => id)
  const foreign = outsider && (await inbox(outsider)).find(({ id }) => !own.includes(id))
  add('foreign-thread', listNotifications, { thread_id: foreign?.id })
  const large = repositoryOf(ranked(all, '/repository/full_name')[0])
  const threads = await list(listRepositoryNotifications, owner, large, { all: true })
  if (threads.length > 50) add('large-inbox', listRepositoryNotifications, large)
}

function threadNeed({ id, repository, reason }: JsonObject) {
  return { thread_id: id, ...repositoryOf(atPointer(repository, '/full_name')), reason }
}

/** Three threads of one repository that were updated on one day, at least 4 s apart: on the earliest day, since nothing changes them. */
function threeOfOneDay(threads: readonly JsonObject[]) {
  const timeOf = ({ updated_at: updated }: JsonObject) => Date.parse(String(updated))
  const days = groupBy(
    threads,
    (one) => `${atPointer(one, '/repository/full_name')} ${String(one.updated_at).slice(0, 10)}`,
  )
  const apart = [...days.values()].map((day) =>
    day.filter((one, index) =>
      day.slice(0, index).every((other) => Math.abs(timeOf(one) - timeOf(other)) >= 4000),
    ),
  )
  return apart.findLast((day) => day.length >= 3)?.slice(0, 3) ?? []
}

/** The migrations of the owner by their state, one of the outsider, and the repositories that the owner exported before. */
async function inMigrations(list: List, add: Add, owner: Caller, outsider: Caller | undefined) {
  const { listMigrations } = endpoints
  const own = await list(listMigrations, owner)
  // Eight days, and an hour for clocks that differ.
  const isOld = (updated: unknown) =>
    Date.now() - Date.parse(String(updated)) > (8 * 24 + 1) * 60 * 60 * 1000
  const expired = own.find(
    ({ state, updated_at: updated }) => state === 'exported' && isOld(updated),
  )
  add('failed-migration', listMigrations, {
    migration_id: own.find(({ state }) => state === 'failed')?.id,
  })
  add('expired-migration', listMigrations, { migration_id: expired?.id })
  add('foreign-migration', listMigrations, {
    migration_id: outsider && (await list(listMigrations, outsider))[0]?.id,
  })
  const exported = own.flatMap(({ repositories }) =>
    Array.isArray(repositories) ? repositories.filter(isObject) : [],
  )
  const [first, second] = ranked(exported, '/full_name')
    .map(repositoryOf)
    .filter((name) => name.owner === owner.login)
  add('exportable-repository', listMigrations, { ...first, kinds: [] })
  add('second-repository', listMigrations, { ...second })
}

/** A public gist of the owner, preferably a starred one. */
async function inGists(list: List, add: Add, owner: Caller) {
  const { userGists, starredGists } = changeEndpoints
  const own = (await list(userGists, owner, { username: owner.login })).filter(
    (gist) => gist.public !== false,
  )
  const starred = (await list(starredGists, owner)).map(({ id }) => id)
  const gist = own.find(({ id }) => starred.includes(id)) ?? own[0]
  add('gist', userGists, defined({ gist_id: gist?.id, sha: atPointer(gist, '/history/0/version') }))
}

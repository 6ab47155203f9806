import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { RequestSpec } from '../../../src/http/exchange/request-spec.ts'
import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import type { NeedName } from '../../../src/spec/needs.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type ListAddress, Listing, type Query } from '../../../src/suite/listing.ts'
import { isObject, itemsOf, type JsonObject, type Located } from '../../../src/suite/located.ts'
import { briefly, eventually, firstOf, sendUntil } from '../../../src/suite/observe.ts'
import { Untested } from '../../../src/suite/untested.ts'
import { expectNoServerError } from '../../common/access.ts'
import { unlessUntested } from '../../common/proof.ts'
import type { RepositoryName } from '../../common/repositories.ts'

/** A thread in a response, with its place there. */
export type Thread = Located<JsonObject>

/** The query for read and unread threads. */
export const everything: Query = { all: true }

/** The endpoints with threads. Their repositories are minimal ones, whose form the document shows. */
export const threadEndpoints = [
  endpoints.listNotifications,
  endpoints.getThread,
  endpoints.listRepositoryNotifications,
]

/** A user's inbox as a list. */
export const inboxOf = (as: Caller) => ({ endpoint: endpoints.listNotifications, as })

/** A user's notifications of one repository as a list. */
export function repositoryInboxOf(as: Caller, { owner, repo }: RepositoryName): ListAddress {
  return { endpoint: endpoints.listRepositoryNotifications, params: { owner, repo }, as }
}

/** The list of a thread's repository. */
export function repositoryInboxAround(thread: JsonObject, as: Caller): ListAddress {
  return repositoryInboxOf(as, repositoryParameters(repositoryName(thread) ?? ''))
}

/** True for a thread of a private repository. */
export const isPrivate = ({ repository }: JsonObject) =>
  isObject(repository) && repository.private === true

/** The object in a response that serves one. */
export const objectIn = (exchange: Exchange) =>
  exchange.status === 200 && isObject(exchange.json)
    ? { value: exchange.json, exchange, pointer: '' }
    : undefined

/** A request about one thread. */
export function aboutThread(
  endpoint: Endpoint,
  thread_id: string,
  as: Caller,
  body?: unknown,
): RequestSpec {
  return { endpoint, params: { thread_id }, as, body }
}

/** The current state of a thread. Ends the check as untested if it is not served; `from` is the need that named the thread. */
export async function currentThread(
  t: CheckContext,
  as: Caller,
  thread_id: string,
  from?: NeedName,
): Promise<Thread> {
  const exchange = await readThread(t, as, thread_id)
  const thread = objectIn(exchange)
  if (thread) return thread
  expectNoServerError(t, exchange)
  return t.untested(
    `the thread ${thread_id} could not be read by its user (${exchange.status})`,
    from,
  )
}

/** Reads a thread. A new one may be served later (readings G16), if the user has an inbox. */
export async function readThread(
  t: CheckContext,
  as: Caller,
  thread_id: string,
): Promise<Exchange> {
  const request = aboutThread(endpoints.getThread, thread_id, as)
  const first = await t.send(request)
  if (first.status !== 404) return first
  const wasServed = t
    .recorded(endpoints.getThread)
    .some((other) => other.ok && other.request.url === first.request.url)
  const isNew = !wasServed && (await t.read(new Listing(t, inboxOf(as)).request())).ok
  return sendUntil(t, request, undefined, isNew ? eventually : briefly)
}

/** The current state of a thread that must be unread, so that marking it as read is visible. */
export async function unreadThread(
  t: CheckContext,
  as: Caller,
  thread_id: string,
): Promise<Thread> {
  const thread = await currentThread(t, as, thread_id, 'unread-thread')
  return thread.value.unread === true
    ? thread
    : t.untested(`the thread ${thread_id} is not unread`, 'unread-thread')
}

/** A new unread thread of the owner's, in that repository if possible. Ends the check as untested without one. */
export async function unreadBeside(
  t: CheckContext,
  owner: Caller,
  fullName: string,
): Promise<{ thread_id: string }> {
  const beside = async () => t.ask('unread-thread', repositoryParameters(fullName))
  const thread = await firstOf(t, async () => {
    const candidate = (await unlessUntested(beside())) ?? (await t.ask('unread-thread', {}))
    return (await unlessUntested(unreadThread(t, owner, candidate.thread_id))) && candidate
  })
  return thread ?? t.untested('no thread stays unread', 'unread-thread')
}

/** A new unread thread of the owner's in a private repository. Ends the check as untested without one. */
export async function privateThread(t: CheckContext) {
  return t.ask('unread-thread', await t.ask('private-repository', {}))
}

/** A read thread of the owner's that mentions the owner, if possible of a private repository. */
export async function readMention<Given>(t: CheckContext, given: Given) {
  const place = await unlessUntested(t.ask('private-repository', {}))
  const secret =
    place && (await unlessUntested(t.ask('read-thread', { reason: 'mention', ...place })))
  return secret ?? given
}

/** Any thread in the list of the user's inbox. */
export async function anyListed(t: CheckContext, as: Caller): Promise<Thread> {
  const page = await new Listing(t, inboxOf(as)).page(everything)
  const found = threadsOn(page)[0]
  return found ?? t.untested('the inbox is empty', 'unread-thread')
}

/** The objects on a page of threads. */
export const threadsOn = (page: Exchange): Thread[] => objectsAmong(itemsOf(page))

/** The items that are objects. */
export function objectsAmong(items: readonly Located[]): Thread[] {
  return items.filter((item): item is Thread => isObject(item.value))
}

/** An instant of the target, in milliseconds; NaN if it is no timestamp. */
export const instantOf = (value: unknown) =>
  typeof value === 'string' ? Date.parse(value) : Number.NaN

/** The last instant that has the document's form. Milliseconds. */
const lastInstant = Date.UTC(9999, 11, 31)

/** An instant in the document's form. One beyond the year 9999 becomes the last instant with that form. */
export function timestamp(instant: number) {
  const written = Math.min(Math.max(instant || 0, 0), lastInstant)
  return new Date(written).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** The `owner/name` of a thread's repository; undefined if it has none. */
export function repositoryName({ repository }: JsonObject): string | undefined {
  return isObject(repository) && typeof repository.full_name === 'string'
    ? repository.full_name
    : undefined
}

/** A thread's repository by its id, which a new name does not change, or else by its name. */
export const repositoryKey = (thread: JsonObject): unknown =>
  (isObject(thread.repository) ? thread.repository.id : undefined) ?? repositoryName(thread)

/** Every thread is of the repository with this name, by its id where some have the name: others, or all, may have a former one. */
export function expectOfRepository(
  t: CheckContext,
  name: string,
  threads: readonly Thread[],
): string | undefined {
  const isNamed = ({ value }: Thread) => repositoryName(value)?.toLowerCase() === name.toLowerCase()
  const keysOf = (some: typeof threads) => new Set(some.map(({ value }) => repositoryKey(value)))
  const [named, { size }] = [keysOf(threads.filter(isNamed)), keysOf(threads)]
  if (named.size === 0 && size === 1)
    return `no thread names ${name}: the repository may have been renamed`
  const isOfIt = (thread: JsonObject) => named.has(repositoryKey(thread))
  t.expectAll(threads, 'thread').satisfy(
    `threads of ${name}`,
    isOfIt,
    (thread) => `a thread of ${repositoryName(thread)}`,
  )
  return undefined
}

/** `owner/name` as path parameters. Throws {@link Untested} if it is no such name. */
export function repositoryParameters(fullName: string): RepositoryName {
  const [owner, repo] = fullName.split('/')
  if (!owner || !repo) throw new Untested('no thread names its repository by owner and name')
  return { owner, repo }
}

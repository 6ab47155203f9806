import type { Caller } from '../../src/http/exchange/caller.ts'
import type { Endpoint, Paging } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { type ListAddress, Listing } from '../../src/suite/listing.ts'
import { distinctItems, isObject, type JsonObject, type Located } from '../../src/suite/located.ts'
import type { NeedMap, Resolved } from '../../src/suite/needs.ts'

/** One of the nine event feeds, and how to address it. */
export interface Feed<Needs extends NeedMap> {
  /** `events.<operation>`, the beginning of the ids of its checks. */
  readonly id: string
  readonly endpoint: Endpoint & { readonly path: string; readonly paging: Paging }
  readonly needs: Needs
  /** Nobody but its usual reader may read it. */
  readonly ownerOnly?: boolean
  /** The feed as its usual reader reads it. */
  readonly at: (needs: Resolved<Needs>) => FeedAddress
}

/** A concrete feed and its reader. */
export type FeedAddress = Omit<ListAddress, 'endpoint'>

/** Opens a feed for reading, as another caller where one is given. */
export function open<Needs extends NeedMap>(t: CheckContext, feed: Feed<Needs>, needs: Resolved<Needs>, as?: Caller): Listing {
  return openAt(t, feed, feed.at(needs), as)
}

/** Opens a feed at an address. */
export function openAt<Needs extends NeedMap>(t: CheckContext, feed: Feed<Needs>, address: FeedAddress, as?: Caller): Listing {
  return new Listing(t, { ...address, endpoint: feed.endpoint, ...(as === undefined ? {} : { as }) })
}

/** Every distinct event that the run has seen on a feed's endpoint, whoever read it; the feed itself is read first. */
export async function seenEvents<Needs extends NeedMap>(
  t: CheckContext,
  feed: Feed<Needs>,
  needs: Resolved<Needs>,
): Promise<Located<JsonObject>[]> {
  await open(t, feed, needs).walk()
  const served = t.recorded(feed.endpoint).filter(({ status }) => status === 200)
  return distinctItems(served).filter((item): item is Located<JsonObject> => isObject(item.value))
}

/** The name of an event's repository, `owner/name`. */
export function repositoryName(event: unknown): string {
  const repo = isObject(event) ? event.repo : undefined
  return isObject(repo) ? String(repo.name) : ''
}

/** The login of an event's actor or organisation. */
export function loginIn(event: unknown, part: 'actor' | 'org'): string {
  const who = isObject(event) ? event[part] : undefined
  return isObject(who) ? String(who.login) : ''
}

/** True when an event is marked as private. */
export function isPrivate(event: unknown): boolean {
  return isObject(event) && event.public === false
}

/** Names are compared without regard to case. */
export function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** The latest of some instants; a list from a target may be longer than a call takes arguments. Milliseconds. */
export function latest(instants: readonly number[]): number {
  return instants.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
}

/** The earliest of some instants. Milliseconds. */
export function earliest(instants: readonly number[]): number {
  return instants.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
}

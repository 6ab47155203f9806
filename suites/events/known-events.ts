import type { Caller } from '../../src/http/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Listing } from '../../src/suite/listing.ts'
import { isObject, type Located } from '../../src/suite/located.ts'
import { earliest, isPrivate, latest, loginIn, repositoryName, sameName } from './feed.ts'

/** A repository by its two names. */
export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

/** What others did: whether one receives one's own doings is not stated. */
export function byOthers(events: readonly Located[], username: string): Located[] {
  return events.filter(({ value }) => !sameName(loginIn(value, 'actor'), username))
}

/** Every event that a repository's own feed shows. */
export async function repositoryEvents(
  t: CheckContext,
  { owner, repo }: RepositoryName,
  as: Caller,
): Promise<readonly Located[]> {
  const { items } = await new Listing(t, { endpoint: endpoints.repositoryEvents, params: { owner, repo }, as }).walk()
  return items
}

/**
 * A feed shows events that are known from another feed. Where its own oldest event is newer than all of those,
 * they may have been pushed out of the timeline, and nothing can be said.
 */
export function shows(t: CheckContext, feed: Pages, known: readonly Located[], wanted: (event: unknown) => boolean): void {
  if (known.length === 0) t.untested('the feed to compare with contains no such event')
  const found = feed.items.filter(({ value }) => wanted(value))
  const newestKnown = latest(known.map(({ value }) => created(value)))
  const oldestShown = earliest(feed.items.map(({ value }) => created(value)))
  if (found.length === 0 && feed.items.length > 0 && !(newestKnown > oldestShown)) {
    t.untested('the timeline does not go back as far as the known events')
  }
  if (found.length === 0) {
    t.deviation({ expected: 'the events that their own feed lists', actual: 'none of them on any page', exchanges: feed.pages })
  }
  t.examined(found.length)
}

interface Pages {
  readonly items: readonly Located[]
  readonly pages: Parameters<CheckContext['deviation']>[0]['exchanges']
}

/** Every one is marked as private. */
export function allPrivate(t: CheckContext, events: readonly Located[]): void {
  t.expectAll(events, 'event of the private repository').satisfy(
    'public: false',
    isPrivate,
    () => 'an event of the private repository without public: false',
  )
}

/** `owner/repo` in its two parts. */
export function nameOf(fullName: string): RepositoryName {
  const [owner = '', repo = ''] = fullName.split('/')
  return { owner, repo }
}

/** True for an event of a repository. */
export function isOf(event: unknown, { owner, repo }: RepositoryName): boolean {
  return sameName(repositoryName(event), `${owner}/${repo}`)
}

function created(event: unknown): number {
  return isObject(event) ? Date.parse(String(event.created_at)) : Number.NaN
}

import type { Caller } from '../../src/http/exchange/caller.ts'
import { endpoints } from '../../src/spec/endpoints.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { Listing } from '../../src/suite/listing.ts'
import { isObject, type Located } from '../../src/suite/located.ts'
import { earliest, isPrivate, loginIn, repositoryName, sameName } from './feed.ts'

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

const hour = 60 * 60 * 1000

/** An event may take so long until it appears in a feed (document: Resources and their fields, Event). Milliseconds. */
const latency = 6 * hour

/** Events older than this may have left a timeline that another one still lists (readings C17). Milliseconds. */
const window = 29 * 24 * hour

/** A timeline holds "at most" 300 events, so that a shorter one may have pushed out what is older than its oldest event. */
const timelineSize = 100

/**
 * A feed lists every event that is known from another feed, as far as both must list it by now: older than the latency and
 * within the window by the target's clock, and not pushed out of a full timeline (readings C11, C19).
 */
export async function expectListed(t: CheckContext, listing: Listing, known: readonly Located[]): Promise<void> {
  const feed = await listing.walk()
  if (known.length === 0) t.untested('the feed to compare with contains no such event')
  if (!isWhole(feed)) t.untested('the pages of the feed repeat each other, so that nothing shows what it lists')
  const due = known.filter((event) => isDue(event, feed))
  if (due.length === 0) t.untested('no known event is old enough and recent enough to be required in this feed')
  // The pages of an ascending timeline move while they are read: what falls between two of them is there the next time.
  const absent = unlisted(feed, due)
  const missing = absent.length > 0 ? unlisted(await listing.walk({ fresh: true }), absent) : []
  if (missing.length > 0) {
    const expected = `the ${due.length} events that another feed lists and that are more than six hours old`
    const [first] = missing
    const actual = `${missing.length} of them on no page, such as ${eventId(first?.value)}`
    t.deviation({ expected, actual, exchanges: [...(first ? [first.exchange] : []), ...feed.pages] })
  }
  t.examined(due.length)
}

/** The events that a feed must show and does not. */
function unlisted(feed: Pages, known: readonly Located[]): Located[] {
  const listed = new Set(feed.items.map(({ value }) => eventId(value)))
  return known.filter((event) => isDue(event, feed) && !listed.has(eventId(event.value)))
}

/** A walk over pages that repeat or overlap proves nothing about what it did not reach (readings G14). */
function isWhole({ items, repeated }: Pages): boolean {
  return !repeated && new Set(items.map(({ value }) => eventId(value))).size === items.length
}

/** True for an event that every feed must show by now, unless it has left the window. */
export function isPastLatency({ value, exchange }: Located): boolean {
  const age = Date.parse(exchange.header('date') ?? '') - created(value)
  return age > latency && age < window
}

function isDue(event: Located, feed: Pages): boolean {
  const full = feed.items.length >= timelineSize
  return isPastLatency(event) && (!full || created(event.value) > earliest(feed.items.map((item) => created(item.value))))
}

/** What identifies an event, in whichever feed. */
export function eventId(event: unknown): string {
  return isObject(event) ? String(event.id) : ''
}

interface Pages {
  readonly repeated: boolean
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

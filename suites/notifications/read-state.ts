import type { CheckContext } from '../../src/suite/context.ts'
import { type Listing, type Query, sameIdSet } from '../../src/suite/listing.ts'
import type { JsonObject } from '../../src/suite/located.ts'
import { everything, objectsAmong, repositoryName } from './threads.ts'

/** Nothing that was read stands in the default list. */
export async function unreadOnly(t: CheckContext, list: Listing): Promise<void> {
  const { items } = await list.walk()
  t.expectAll(objectsAmong(items), 'thread in the default list').satisfy(
    'unread: true for every thread',
    (thread) => thread.unread !== false,
    (thread) => `unread: false for thread ${String(thread.id)}`,
  )
}

/** Read threads (the given one among them) are in the list with all=true only. */
export async function readThreadsOnlyWithAll(t: CheckContext, list: Listing, given: JsonObject | undefined): Promise<void> {
  const whole = await list.walk({ fresh: true, query: everything })
  const read = objectsAmong(whole.items).filter(({ value }) => value.unread === false)
  const shown = (id: unknown) => objectsAmong(whole.items).some(({ value }) => String(value.id) === String(id))
  if (given?.unread === false && belongsTo(given, list) && !shown(given.id)) {
    const expected = `the read thread ${String(given.id)} among those listed with all=true`
    t.deviation({ expected, actual: `${whole.ids.length} other threads`, exchanges: whole.pages })
  }
  if (read.length === 0) t.untested('the list contains no read thread', 'read-thread')
  const usual = await list.walk({ fresh: true })
  const misplaced = read.find(({ value }) => usual.ids.includes(JSON.stringify(value.id)))
  if (misplaced) {
    const actual = `the read thread ${String(misplaced.value.id)}`
    t.deviation({ expected: 'no read thread without all=true', actual, exchanges: [...whole.pages, ...usual.pages] })
  }
  t.examined(read.length)
}

/** True when a thread must be in a list: in any inbox, in a repository's list where it is of that repository. */
export function belongsTo(thread: JsonObject, list: Listing): boolean {
  const { owner, repo } = list.request().params ?? {}
  return owner === undefined || repositoryName(thread)?.toLowerCase() === `${owner}/${repo}`.toLowerCase()
}

/** Everything under `narrow` also stands under `wide`, read before or after it. */
export async function withinEverything(t: CheckContext, list: Listing, narrow: Query, wide: Query): Promise<void> {
  const before = await list.walk({ query: wide })
  const part = await list.walk({ fresh: true, query: narrow })
  if (part.ids.length === 0) t.untested('the list is empty', 'unread-thread')
  const missing = part.ids.filter((id) => !before.ids.includes(id))
  const after = missing.length === 0 ? before : await list.walk({ fresh: true, query: wide })
  const lost = missing.filter((id) => !after.ids.includes(id))
  if (lost.length > 0) {
    const expected = `every thread of the list with ${describe(narrow)} in the list with ${describe(wide)}`
    t.deviation({ expected, actual: `the thread ${lost[0]} is missing`, exchanges: [...part.pages, ...after.pages] })
  }
  t.examined(part.ids.length)
}

/** The list without parameters is the one with their documented defaults (readings G11). */
export async function sameByDefault(t: CheckContext, list: Listing): Promise<void> {
  const explicit = { all: false, participating: false }
  const before = await list.walk({ fresh: true })
  if (before.ids.length === 0) t.untested('the list is empty', 'unread-thread')
  const result = await list.walk({ fresh: true, query: explicit })
  if (!sameIdSet(before.ids, result.ids)) {
    const after = await list.walk({ fresh: true })
    if (!sameIdSet(before.ids, after.ids)) t.untested('the list changed during the comparison')
    const expected = 'the same threads with all=false and participating=false as without them'
    t.deviation({ expected, actual: 'different threads', exchanges: [...before.pages, ...result.pages] })
  }
  t.examined(1)
}

function describe(query: Query): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return pairs.length === 0 ? 'no parameter' : pairs.join('&')
}

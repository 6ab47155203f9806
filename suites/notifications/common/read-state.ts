import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { NeedName } from '../../../src/spec/needs.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { type Listing, type Query, sameIdSet, type Walk } from '../../../src/suite/listing.ts'
import type { JsonObject } from '../../../src/suite/located.ts'
import { bracketed, eventually } from '../../../src/suite/observe.ts'
import { asWritten, countsText } from '../../common/paging.ts'
import { bounds, findListed, lasting, wholeWalk } from './listed-threads.ts'
import { everything, objectsAmong, type Thread } from './threads.ts'

/** The default list contains no read thread. */
export async function expectUnreadOnly(t: CheckContext, list: Listing) {
  const walk = async (fresh: boolean) => objectsAmong((await list.walk({ fresh })).items)
  const isRead = ({ value }: Thread) => value.unread === false
  const read = await lasting(t, 'read threads to leave the list', async (fresh) =>
    (await walk(fresh)).filter(isRead),
  )
  const unread = (await walk(false)).filter(({ value }) => value.unread === true)
  t.expectAll(read ? [read] : unread, 'thread in the default list').satisfy(
    'unread: true for every thread',
    (thread) => thread.unread !== false,
    (thread) => `unread: false for thread ${thread.id}`,
  )
}

/** Read threads (the known one among them) are in the list with all=true only. */
export async function expectReadOnlyWithAll(
  t: CheckContext,
  list: Listing,
  known: JsonObject | undefined,
) {
  const find = async () => (known?.unread === false ? findListed(t, list, known) : true)
  if (!(await eventually(t, 'the read thread to be listed', find)).met) {
    t.deviation({
      expected: `the read thread ${known?.id} among those listed with all=true`,
      actual: 'other threads only',
      exchanges: (await list.walk({ query: everything })).pages,
    })
  }
  await expectByDefault(t, list, 'read')
}

/** Of the threads with all=true, the default list of the same bounds contains the unread ones and no read one (readings D12). */
export async function expectByDefault(t: CheckContext, list: Listing, state: 'read' | 'unread') {
  const isUnread = state === 'unread'
  const ofState = (threads: Threads) => threads.filter(({ value }) => value.unread === isUnread)
  const { judged } = await compared(t, list, {
    narrow: {},
    misplaced: (usual, all) => ofState(all).filter((thread) => has(usual, thread) !== isUnread),
    expected: isUnread
      ? 'each thread that is unread with all=true, however old, without it'
      : 'no read thread without all=true',
    subjects: (_, all) => ofState(all),
  })
  if (judged.length === 0)
    t.untested(`the list contains no ${state} thread`, nearest(list, `${state}-thread`))
  t.examined(judged.length)
}

type Threads = readonly Thread[]

const has = (threads: Threads, { value }: Thread) =>
  threads.some((other) => other.value.id === value.id)

const without = (threads: Threads, others: Threads) =>
  threads.filter((thread) => !has(others, thread))

/** Two lists of one place, of which the second one has all=true. */
interface Comparison {
  readonly narrow: Query
  /** The threads that contradict the other list. */
  readonly misplaced: (part: Threads, whole: Threads) => Threads
  readonly expected: string
  /** The threads that decide. */
  readonly subjects: (part: Threads, whole: Threads) => Threads
}

/** Both lists within the same bounds. Another program may move a thread between two readings, so both are read again. */
async function compared(
  t: CheckContext,
  list: Listing,
  { narrow, misplaced, expected, subjects }: Comparison,
) {
  const period = await bounds(t, list, everything)
  const read = async (fresh: boolean) => {
    const part = await wholeWalk(t, list, { ...narrow, ...period }, fresh)
    return { part, whole: await wholeWalk(t, list, { ...everything, ...period }, fresh) }
  }
  let both = await read(false)
  const placed = () => [objectsAmong(both.part.items), objectsAmong(both.whole.items)] as const
  // A need may have made a thread after a shared reading.
  if (subjects(...placed()).length === 0) both = await read(true)
  const wrong = await lasting(t, 'the threads of two lists', async (fresh) => {
    if (fresh) both = await read(true)
    return [...misplaced(...placed())]
  })
  const { id, unread } = wrong?.value ?? {}
  if (wrong)
    t.deviation({
      expected,
      actual: `thread ${id}, unread: ${unread}`,
      exchanges: [...both.part.pages, ...both.whole.pages],
    })
  return { ...both, judged: subjects(...placed()) }
}

/** The list with all=true contains every thread of `narrow`, and more, so that the parameter has an effect. */
export async function expectWithin(t: CheckContext, list: Listing, narrow: Query, need: NeedName) {
  const { part, judged } = await compared(t, list, {
    narrow,
    misplaced: without,
    expected: `every thread of the list with ${asWritten(narrow)} in the list with ${asWritten(everything)}`,
    subjects: (some, all) => without(all, some),
  })
  if (part.ids.length === 0) t.untested('the list is empty', 'unread-thread')
  if (judged.length === 0)
    t.untested(
      `the list is the same with ${asWritten(narrow)} as with ${asWritten(everything)}`,
      nearest(list, need),
    )
  t.examined(part.ids.length)
}

/** The list without parameters is the one with their documented defaults (readings G11), where other values change it (readings G15). */
export async function expectSameByDefault(t: CheckContext, list: Listing) {
  const period = await bounds(t, list, {})
  const walk = (query: Query, fresh = true) => wholeWalk(t, list, { ...query, ...period }, fresh)
  const isSame = (a: Walk, b: Walk) => sameIdSet(a.ids, b.ids)
  const look = await bracketed(t, {
    shared: () => walk({}, false),
    read: () => walk({}),
    probe: () => walk({ all: false, participating: false }),
    same: isSame,
    expected: isSame,
  })
  const { frame, result } = look ?? t.untested('the list changed during each comparison')
  if (frame.ids.length === 0) t.untested('the list is empty', 'unread-thread')
  if (!isSame(frame, result))
    t.deviation({
      expected: 'the same threads without parameters as with all=false and participating=false',
      actual: countsText(frame.ids, result.ids),
      exchanges: [...result.pages, ...frame.pages],
    })
  // The control of the defaults: each parameter changes the list with another value.
  for (const [query, need] of effects)
    if (await isWithoutEffect(walk, query))
      t.untested(`${asWritten(query)} does not change the list`, nearest(list, need))
  t.examined(1)
}

/** A request without any parameter returns the page that all the documented defaults together return (readings G11). */
export async function expectSameWithoutParameters(t: CheckContext, list: Listing, perPage: number) {
  const defaults = { all: false, participating: false, page: 1, per_page: perPage }
  const isSame = (ids: string[], page: Exchange) => sameIdSet(ids, list.ids(page))
  const { ids, page, result: bare } = await list.bracket(defaults, () => list.freshPage(), isSame)
  if (ids.length === 0) t.untested('the list is empty', 'unread-thread')
  t.expect(bare, page).satisfy(
    `the same threads without parameters as with ${asWritten(defaults)}`,
    isSame(ids, bare),
    countsText(list.ids(bare), ids),
  )
}

/** True for parameters that do not change a list. A need may have made a thread after a shared reading, so the list is read again. */
export async function isWithoutEffect(
  walk: (query: Query, fresh: boolean) => Promise<Walk>,
  query: Query,
): Promise<boolean> {
  const isSame = async (fresh: boolean) =>
    sameIdSet((await walk({}, fresh)).ids, (await walk(query, fresh)).ids)
  return (await isSame(false)) && (await isSame(true))
}

const effects = [
  [everything, 'read-thread'],
  [{ participating: true }, 'new-notification'],
] as const

/** The need that extends a list: new threads may be in another repository. */
const nearest = (list: Listing, need: NeedName) =>
  list.request().params?.repo ? 'large-inbox' : need

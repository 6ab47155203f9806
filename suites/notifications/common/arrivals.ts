import type { Caller } from '../../../src/http/exchange/caller.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { NeedName } from '../../../src/spec/needs.ts'
import { knownReasons } from '../../../src/spec/words/words.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { Listing } from '../../../src/suite/listing.ts'
import { briefly, eventually } from '../../../src/suite/observe.ts'
import { unlessUntested } from '../../common/proof.ts'
import { listedTogether } from './listed-threads.ts'
import {
  aboutThread,
  currentThread,
  inboxOf,
  repositoryInboxAround,
  type Thread,
} from './threads.ts'

/** A thread on which a notification is awaited, and the need that named it. */
export type Awaited = {
  readonly owner: Caller
  readonly thread_id: string
  readonly from: NeedName
}

/** The threads that lists contain, by the paths of the lists. */
export type Listed = ReadonlyMap<string, readonly Thread[]>

/** New threads, one for each cause and one in a private repository, by themselves and in the lists. All checks that read or mark them share them. */
export function threadsByCause(t: CheckContext, owner: Caller) {
  return t.shared('threads by cause', async (shared) => {
    const threads: Thread[] = []
    const byCause = new Map<string, Promise<Thread>>()
    const secret = await unlessUntested(shared.ask('private-repository', {}))
    const causes = [
      ...knownReasons.map((reason) => ({ reason })),
      ...(secret ? [{ ...secret, reason: 'mention' }] : []),
    ]
    for (const cause of causes) {
      const asked = shared.ask('new-notification', cause)
      const made = asked.then(({ thread_id }) =>
        currentThread(shared, owner, thread_id, 'new-notification'),
      )
      byCause.set(cause.reason, byCause.get(cause.reason) ?? made)
      threads.push(...[(await unlessUntested(made)) ?? []].flat())
    }
    const listed = new Map<string, readonly Thread[]>()
    for (const address of [
      inboxOf(owner),
      ...threads.map(({ value }) => repositoryInboxAround(value, owner)),
    ]) {
      const list = new Listing(shared, address)
      if (!listed.has(list.path)) listed.set(list.path, await listedTogether(list, threads, {}))
    }
    return { threads, byCause, listed }
  })
}

/** Marks a thread read, so that a later notification is visible. Ends the check as untested if that is not possible. */
export async function startRead(t: CheckContext, thread: Awaited) {
  const { owner, thread_id } = thread
  if (!(await whileUnread(t, thread))) return
  const { status } = await t.send(aboutThread(endpoints.markThreadRead, thread_id, owner))
  const look = status < 400 ? eventually : briefly
  const { met } = await look(
    t,
    'the thread to be read',
    async () => !(await whileUnread(t, thread)),
    Boolean,
  )
  if (!met) t.untested(`the thread ${thread_id} could not be marked read (${status})`)
}

/** The thread as long as it is unread. */
export async function whileUnread(t: CheckContext, { owner, thread_id, from }: Awaited) {
  const thread = await currentThread(t, owner, thread_id, from)
  return thread.value.unread === true ? thread : undefined
}

/**
 * The thread once activity by others has made it unread. Activity without an effect is repeated: a server may not distinguish it from the
 * marking in the same second (readings B9).
 */
export async function notified(t: CheckContext, thread: Awaited) {
  for (const look of [briefly, eventually]) {
    await t.ask('new-notification', { thread_id: thread.thread_id })
    const { last } = await look(t, 'a notification', () => whileUnread(t, thread))
    if (last) return last
  }
  return undefined
}

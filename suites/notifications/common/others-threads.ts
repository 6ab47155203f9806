import { bearer, type Caller } from '../../../src/http/exchange/caller.ts'
import type { Endpoint } from '../../../src/spec/endpoint.ts'
import { endpoints } from '../../../src/spec/endpoints.ts'
import type { Level } from '../../../src/spec/level.ts'
import { type Check, check } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need, role } from '../../../src/suite/needs.ts'
import { unlessUntested } from '../../common/proof.ts'
import { notified } from './arrivals.ts'
import { confirmed } from './confirmed.ts'
import { readSubscription, stateOf, subscribed } from './subscription-state.ts'
import { aboutThread, currentThread, repositoryName, unreadBeside } from './threads.ts'
import { foreignThread, foreignThreadAlone } from './touched.ts'

/** One of the endpoints that name a thread in their path. */
export interface ThreadOperation {
  readonly id: string
  readonly endpoint: Endpoint
  /** What a refusal must not hold. */
  readonly resource: 'thread' | 'thread-subscription'
  readonly body?: unknown
  /** A body that would change what a thread's user sees, where `body` may not. */
  readonly changing?: unknown
  /** Level of the claim about unknown ids. */
  readonly unknown?: Level
}

/** The largest that servers with 32-bit ids can look for, but for two; hardly anyone's thread. */
const unknownId = '2147483645'

/** Threads that are not the caller's are refused (readings D13). */
export function othersThreadChecks(operation: ThreadOperation): Check[] {
  const { id, endpoint } = operation
  const writes = endpoint.method === 'GET' ? {} : { schedule: 'alone' as const, writes: true, touches: foreignThread }
  const own = { owner: role('owner'), own: need('shared-thread') }
  return [
    // First, since a request that takes effect leaves nothing for a second one to change.
    ...(endpoint.method === 'GET' ? [] : [unchangedCheck(operation)]),
    check({
      id: `${id}.foreign`,
      requirement: 'notifications.thread.foreign',
      level: 'must',
      title: 'rejects a request for a thread of another user',
      conclusive: true,
      needs: { ...own, foreign: need('foreign-thread') },
      ...writes,
      run: async (t, { owner, own, foreign }) => refused(t, operation, owner, own.thread_id, foreign.thread_id),
    }),
    check({
      id: `${id}.unknown`,
      requirement: 'notifications.thread.unknown',
      level: operation.unknown ?? 'must',
      title: 'rejects an unknown thread id',
      needs: own,
      ...writes,
      run: async (t, { owner, own }) => refused(t, operation, owner, own.thread_id, unknownId),
    }),
  ]
}

/** The control is a thread of the caller's own: it is served, so the token is not what is refused. */
async function refused(
  t: CheckContext,
  operation: ThreadOperation,
  owner: Caller,
  own: string,
  thread_id: string,
): Promise<void> {
  const control = await t.read(aboutThread(endpoints.getThread, own, owner))
  if (control.status !== 200) await currentThread(t, owner, own, 'shared-thread')
  t.expect(await t.send(aboutThread(operation.endpoint, thread_id, owner, operation.body))).refused(operation.resource)
}

/** A refusal that is followed by its effect is none, which only the thread's owner can see. */
function unchangedCheck(operation: ThreadOperation): Check {
  return check({
    id: `${operation.id}.foreign-unchanged`,
    requirement: 'notifications.thread.foreign',
    level: 'must',
    title: 'keeps threads of other users unchanged, be the request rejected or served',
    conclusive: true,
    needs: { owner: role('owner'), foreign: need('foreign-thread') },
    schedule: 'alone',
    writes: true,
    touches: foreignThreadAlone,
    run: async (t, { owner, foreign }) => {
      const thread = { ...foreign, user: ownerOf(t, foreign) }
      await confirmed(
        t,
        thread,
        () => unreadAgain(t, thread),
        (given) => staysUnchanged(t, operation, owner, given),
      )
    },
  })
}

/** Another user's thread, seen by that user. */
interface Foreign {
  readonly thread_id: string
  readonly user: Caller
}

async function staysUnchanged(t: CheckContext, operation: ThreadOperation, owner: Caller, { thread_id, user }: Foreign) {
  const before = await changeable(t, operation, user, thread_id)
  const answer = await t.send(aboutThread(operation.endpoint, thread_id, owner, operation.changing ?? operation.body))
  const after = await seenBy(t, operation, user, thread_id)
  if (answer.ok) t.untested(`the request was accepted (${answer.status}), which another check reports`)
  if (before !== after) t.deviation({ expected: before, actual: `${answer.status}, and then ${after}`, exchanges: [answer] })
  t.examined(1)
  await ownOnly(t, operation, owner, { thread_id, user })
}

/** A request for the caller's own thread, of the same repository where one is given, concerns no other user's either. */
async function ownOnly(t: CheckContext, operation: ThreadOperation, owner: Caller, { thread_id, user }: Foreign) {
  const { value } = await currentThread(t, user, thread_id, 'foreign-thread')
  const own = await unlessUntested(unreadBeside(t, owner, repositoryName(value) ?? ''))
  if (!own) return
  const before = await seenBy(t, operation, user, thread_id)
  const answer = await t.send(aboutThread(operation.endpoint, own.thread_id, owner, operation.changing ?? operation.body))
  const after = await seenBy(t, operation, user, thread_id)
  const actual = `${answer.status} for thread ${own.thread_id}, and then ${after}`
  if (before !== after) t.deviation({ expected: `${before} for another user's thread`, actual, exchanges: [answer] })
}

/** The thread once its user was notified, since that user may have read it meanwhile. */
async function unreadAgain(t: CheckContext, thread: Foreign): Promise<Foreign> {
  const { user: owner, thread_id } = thread
  const cause = () => t.ask('new-notification', { thread_id })
  const unread = await notified(t, { owner, thread_id, from: 'foreign-thread' }, cause)
  return unread ? thread : t.untested('no notification arrived on the thread of another user', 'new-notification')
}

const tokenMissing = { need: 'foreign-thread', how: 'add `token`, a classic token of that user, to the need foreign-thread' }

/** Another user as a caller. Ends the check as untested where the need gives no token of theirs. */
export function ownerOf(t: CheckContext, { token }: { readonly token?: string }): Caller {
  return token === undefined
    ? t.untested('the need foreign-thread has no token of the other user, who alone can see a change', [tokenMissing])
    : bearer(token, 'foreign-thread')
}

/** What its user sees of a thread that the request would change, were it accepted. */
async function changeable(t: CheckContext, operation: ThreadOperation, user: Caller, thread_id: string): Promise<string> {
  const subscription = operation.resource === 'thread-subscription'
  if (subscription) await subscribed(t, user, thread_id, 'foreign-thread')
  const first = await seenBy(t, operation, user, thread_id)
  const read = first === 'unread: false' && (await unlessUntested(unreadAgain(t, { user, thread_id })))
  const before = read ? await seenBy(t, operation, user, thread_id) : first
  return subscription || before === 'unread: true'
    ? before
    : t.untested(`the thread ${thread_id} of another user is not unread, so no change would show`, 'foreign-thread')
}

/** What its user sees of a thread that no one else may change. */
async function seenBy(t: CheckContext, { resource }: ThreadOperation, user: Caller, thread_id: string): Promise<string> {
  if (resource === 'thread-subscription') return `subscription: ${stateOf(await readSubscription(t, user, thread_id))}`
  return `unread: ${(await currentThread(t, user, thread_id, 'foreign-thread')).value.unread}`
}

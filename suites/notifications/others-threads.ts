import type { Caller } from '../../src/http/caller.ts'
import type { Endpoint } from '../../src/spec/endpoint.ts'
import type { Level } from '../../src/spec/level.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { need, role } from '../../src/suite/needs.ts'
import { aboutThread, currentThread } from './threads.ts'

/** One of the endpoints that name a thread in their path. */
export interface ThreadOperation {
  readonly id: string
  readonly endpoint: Endpoint
  /** What a refusal must not hold. */
  readonly resource: 'thread' | 'thread-subscription'
  readonly body?: unknown
  /** Level of the claim about unknown ids. */
  readonly unknown?: Level
}

/** The largest that servers with 32-bit ids can look for, but for two; hardly anyone's thread. */
const unknownId = '2147483645'

/** Threads that are not the caller's are refused (readings D13). */
export function othersThreadChecks(operation: ThreadOperation): Check[] {
  const { id, endpoint } = operation
  const writes = endpoint.method === 'GET' ? {} : { schedule: 'alone' as const, writes: true }
  const own = { owner: role('owner'), own: need('shared-thread') }
  return [
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
  await currentThread(t, owner, own, 'shared-thread')
  t.expect(await t.send(aboutThread(operation.endpoint, thread_id, owner, operation.body))).refused(operation.resource)
}

import type { Touch } from '../../../src/suite/touch.ts'

/** No other check may touch the inbox of the owner meanwhile: its side effect on a thread would look like one of the request. */
export const wholeInbox: readonly Touch[] = [{ what: 'inbox', how: 'changes' }]

/** A thread of the check's own is marked or muted, or receives a notification. */
export const ownThread: readonly Touch[] = [{ what: 'inbox/threads', how: 'changes-part' }]

/** The thread of another user, which all checks of other users' threads share. */
export const foreignThread: readonly Touch[] = [{ what: 'inbox/foreign-thread', how: 'changes' }]

/** A notification arrives, while no other check changes the list. */
export const arrivingThread: readonly Touch[] = [{ what: 'inbox/threads', how: 'adds' }]

/** A subscription of the owner: no other check sets one meanwhile. */
export const sharedSubscription: readonly Touch[] = [{ what: 'inbox/subscription', how: 'changes' }]

/** The same for checks that subscribe and then only read. */
export const subscribedThread: readonly Touch[] = [{ what: 'inbox/subscription', how: 'adds' }]

/** A disposable inbox, which is used up by one check. */
export const disposableInbox: readonly Touch[] = [{ what: 'inbox/disposable', how: 'changes-part' }]

/** The same while no other check marks a disposable inbox, which may reach the owner's threads. */
export const disposableInboxAlone: readonly Touch[] = [
  { what: 'inbox/disposable', how: 'changes' },
  ...ownThread,
]

/** The inbox of the role inbox-user. */
export const inboxOfRole: readonly Touch[] = [{ what: 'inbox/inbox-user', how: 'changes' }]

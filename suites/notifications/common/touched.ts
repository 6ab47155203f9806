import type { Touch } from '../../../src/suite/touch.ts'

/** Nothing else may happen in the inbox of the owner meanwhile. */
export const wholeInbox: readonly Touch[] = [{ what: 'inbox', how: 'changes' }]

/** A thread of the check's own is marked or muted, or gets a notification. */
export const ownThread: readonly Touch[] = [{ what: 'inbox/threads', how: 'changes-part' }]

/** The thread of another user, which all checks of other users' threads share. */
export const foreignThread: readonly Touch[] = [{ what: 'inbox/foreign-thread', how: 'changes' }]

/** The same while no other check marks or mutes any thread: what that does to others' would be taken for an accident. */
export const foreignThreadAlone: readonly Touch[] = [{ what: 'inbox', how: 'changes' }]

/** A notification arrives, and nothing else may change what the list shows. */
export const arrivingThread: readonly Touch[] = [{ what: 'inbox/threads', how: 'adds' }]

/** The subscription of the thread that all checks of subscriptions share. */
export const sharedSubscription: readonly Touch[] = [{ what: 'inbox/subscription', how: 'changes' }]

/** The same for checks that subscribe and only read what is so then. */
export const subscribedThread: readonly Touch[] = [{ what: 'inbox/subscription', how: 'adds' }]

/** A disposable inbox, which is used up by one check. */
export const disposableInbox: readonly Touch[] = [{ what: 'inbox/disposable', how: 'changes-part' }]

/** The same while no other check marks one, which may reach the owner's threads. */
export const disposableInboxAlone: readonly Touch[] = [{ what: 'inbox/disposable', how: 'changes' }, ...ownThread]

/** The inbox of the role inbox-user. */
export const inboxOfRole: readonly Touch[] = [{ what: 'inbox/inbox-user', how: 'changes' }]

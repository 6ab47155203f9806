import type { Suite } from '../../src/suite/check.ts'
import inbox from './lists/inbox.suite.ts'
import repository from './lists/repository.suite.ts'
import doneThread from './marking/done-thread.suite.ts'
import markInbox from './marking/mark-inbox.suite.ts'
import markRepository from './marking/mark-repository.suite.ts'
import markThread from './marking/mark-thread.suite.ts'
import sequences from './sequences/sequences.suite.ts'
import deleteSubscription from './subscription/delete-subscription.suite.ts'
import setSubscription from './subscription/set-subscription.suite.ts'
import subscription from './subscription/subscription.suite.ts'
import thread from './thread/thread.suite.ts'

/** The suites of the ten notification endpoints, in the document's order, and of sequences of their requests. */
export const notificationsSuites: readonly Suite[] = [
  inbox,
  markInbox,
  thread,
  markThread,
  doneThread,
  subscription,
  setSubscription,
  deleteSubscription,
  repository,
  markRepository,
  sequences,
]

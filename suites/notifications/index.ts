import type { Suite } from '../../src/suite/check.ts'
import deleteSubscription from './delete-subscription.ts'
import doneThread from './done-thread.ts'
import inbox from './inbox.ts'
import markInbox from './mark-inbox.ts'
import markRepository from './mark-repository.ts'
import markThread from './mark-thread.ts'
import repository from './repository.ts'
import setSubscription from './set-subscription.ts'
import subscription from './subscription.ts'
import thread from './thread.ts'

/** The suites of the ten notification endpoints, in the document's order. */
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
]

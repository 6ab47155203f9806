import { type Endpoint, endpoints } from '../../../src/spec/endpoints.ts'
import type { NeedName } from '../../../src/spec/needs.ts'
import { longAgo } from '../marking/inbox-fixture.ts'

/** The facts of a thread after its steps. One that the document leaves open is undefined. */
export interface State {
  readonly unread: boolean | undefined
  /** A notification may still arrive, so the thread may become unread at any time. */
  readonly awaits?: true
  /** It was notified when it was read. Silence counts only where another such thread was heard. */
  readonly renewed?: true
  readonly done?: true
  readonly ignored?: boolean | 'perhaps' | undefined
  readonly muted?: boolean | undefined
  /** The reasons that it may have. Once the last of them was seen and is mention, it stays. */
  readonly reasons?: readonly string[] | undefined
}

/** A request or an activity, and the state to which it leads (document: Notification thread moves). */
interface Step {
  readonly endpoint?: Endpoint
  readonly body?: object
  /** It has a last_read_at after every notification so far. */
  readonly isUntil?: true
  /** The activity that the provider causes in place of a request. */
  readonly cause?: Extract<NeedName, 'new-notification' | 'mention-on-thread' | 'comment-on-thread'>
  /** The caller in place of the thread's user. The request must be refused, so it has no effect. */
  readonly by?: 'stranger' | 'nobody'
  readonly next: (state: State) => State
}

const marked = (state: State): State => ({ ...state, unread: false })
const same = (state: State) => state
const withReason = (reasons: State['reasons'], reason: string) => reasons && [...reasons, reason]

/** A notification that may still arrive, or never. */
const open = { unread: undefined, awaits: true } as const

/** An unmuted thread is certainly notified, which is visible on a read one. The reason mention stays (readings D22). */
function notified(state: State): State {
  if (state.muted) return state
  const reasons = state.reasons?.join() === 'mention' ? state.reasons : undefined
  if (state.unread === false)
    return {
      ...state,
      renewed: true,
      reasons,
      ...(state.muted === false ? { unread: true } : open),
    }
  return { ...state, unread: state.unread || undefined, awaits: true, reasons }
}

/** An activity that subscribes the user to the thread, and ends its muting. */
function subscribing(reason: 'mention' | 'comment'): Step {
  return {
    cause: `${reason}-on-thread`,
    next: ({ reasons, ignored }) => {
      return {
        ...open,
        ignored: ignored ? 'perhaps' : undefined,
        muted: false,
        reasons: withReason(reasons, reason),
      }
    },
  }
}

/** The steps of the user by their names. Subscribing may itself notify, with the reason manual. A thread that is done may be gone. */
const ownSteps: Readonly<Record<string, Step>> = {
  // A thread is read when the states are compared.
  read: { next: same },
  mark: { endpoint: endpoints.markThreadRead, next: marked },
  done: { endpoint: endpoints.markThreadDone, next: () => ({ unread: false, done: true }) },
  ignore: {
    endpoint: endpoints.setSubscription,
    body: { ignored: true },
    next: (state) => ({ ...state, unread: state.unread && undefined, ignored: true, muted: true }),
  },
  subscribe: {
    endpoint: endpoints.setSubscription,
    body: { ignored: false },
    next: ({ reasons, awaits }) => {
      const state = {
        unread: undefined,
        ignored: false,
        muted: false,
        reasons: withReason(reasons, 'manual'),
      }
      return awaits ? { ...state, awaits } : state
    },
  },
  unsubscribe: {
    endpoint: endpoints.deleteSubscription,
    next: (state) => ({ ...state, unread: undefined, ignored: undefined, muted: undefined }),
  },
  notify: { cause: 'new-notification', next: notified },
  mention: subscribing('mention'),
  comment: subscribing('comment'),
  fetch: { endpoint: endpoints.getThread, next: same },
  subscription: { endpoint: endpoints.getSubscription, next: same },
  // These are on all threads, or on those of a repository: the largest one, or a private one.
  'mark-repository-older': {
    endpoint: endpoints.markRepositoryNotificationsRead,
    body: longAgo,
    next: same,
  },
  'mark-repository': { endpoint: endpoints.markRepositoryNotificationsRead, next: marked },
  'mark-repository-until': {
    endpoint: endpoints.markRepositoryNotificationsRead,
    isUntil: true,
    next: marked,
  },
  'mark-private': { endpoint: endpoints.markRepositoryNotificationsRead, next: marked },
  'mark-older': { endpoint: endpoints.markNotificationsRead, body: longAgo, next: same },
  'mark-inbox': { endpoint: endpoints.markNotificationsRead, next: marked },
  'mark-until': { endpoint: endpoints.markNotificationsRead, isUntil: true, next: marked },
}

/** The same of users of other inboxes and of invented tokens, who are refused and change nothing: `stranger-mark`. */
const refusedSteps = (['stranger', 'nobody'] as const).flatMap((by) =>
  Object.entries(ownSteps).map(([name, step]) => [`${by}-${name}`, { ...step, by, next: same }]),
)

export const steps: Readonly<Record<string, Step>> = {
  ...ownSteps,
  ...Object.fromEntries(refusedSteps),
}

/** True for a step that is taken on all threads. */
export const isCommon = (name: string) => name.startsWith('mark-')

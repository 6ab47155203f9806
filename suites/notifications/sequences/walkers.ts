import type { Caller } from '../../../src/http/exchange/caller.ts'
import type { Exchange } from '../../../src/http/exchange/exchange.ts'
import type { Finding } from '../../../src/suite/deviation.ts'
import type { Looking } from '../../../src/suite/observe.ts'
import type { OpenInbox, Unread } from '../marking/inbox-fixture.ts'
import type { State } from './model.ts'

/** A step in a turn: of one thread, or of every thread. */
export interface Move {
  readonly turn: number
  readonly thread: number
  readonly step: string
}

/** The moves of an inbox, by turns. */
export type Sequence = readonly Move[]

/** In place of the number of a thread. */
export const everyThread = -1

/** The fact that contradicts the model. */
export type Fact = 'state' | 'subscription' | 'reason'

/** A thread that contradicts its steps. */
export interface Wrong extends Finding {
  readonly fact: Fact
  /** The expected state or member, such as `unread`. */
  readonly wanted: string
  /** Its number, and the turn after which it was seen. */
  readonly thread: number
  readonly turn: number
  /** The steps of the thread so far, those on all threads among them. */
  readonly taken: readonly string[]
  /** The thread was muted, which may begin some seconds late (readings G16). */
  readonly isMuted: boolean
  /** No other thread has taken steps of its own, but for a notification that was heard. */
  readonly isAlone: boolean
}

export type Contradiction = Pick<Wrong, 'fact' | 'expected' | 'actual'>

/** The inbox that takes steps, and that of another user, which must stay as it is. */
export interface Inboxes {
  readonly inbox: { readonly token: string }
  readonly other?: { readonly token: string } | undefined
}

/** A thread on its way through a sequence: of the inbox, or of a second one that must stay as it is. */
export interface Walker extends Unread {
  readonly user: Caller
  /** The steps so far, those on all threads among them, and their responses. */
  readonly taken: string[]
  readonly exchanges: Exchange[]
  /** The responses to callers who must be refused. */
  readonly refusals: Exchange[]
  state: State
}

/** An inbox whose threads take their steps. */
export interface Walk {
  readonly inbox: OpenInbox
  /** The user of the second inbox, where there is one. */
  readonly stranger: Caller | undefined
  readonly walkers: readonly Walker[]
  readonly looking: Looking
  /** The last instant at which a thread was updated, as far as it was seen. Milliseconds. */
  latest: number
  /** The moves of the present turn, and whether it is the last one. */
  moves: Sequence
  isLast: boolean
  /** A notification made a thread unread that was read before. */
  isHeard: boolean
  /** A notification is late, which counts only once another one was heard. */
  isLate: boolean
}

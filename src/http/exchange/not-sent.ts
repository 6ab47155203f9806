import type { LeftOutBy } from '../../record/reason.ts'

/** Why a request is not sent. */
export type NotSentReason = LeftOutBy | 'not-recorded' | 'inexact-number'

/** A request that the run does not send. The check that needs it cannot be judged. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
  readonly reason: NotSentReason

  constructor(message: string, reason: NotSentReason) {
    super(message)
    this.reason = reason
  }
}

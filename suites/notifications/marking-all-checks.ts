import type { Endpoint } from '../../src/spec/endpoint.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { need } from '../../src/suite/needs.ts'
import { type Aim, becomeRead, boundaryWithinDay, mark, openInbox, stayUnread } from './marking-all.ts'
import { timestamp } from './threads.ts'
import { disposableInbox } from './touched.ts'

/** An endpoint that marks many threads read. */
export interface MarkingAll {
  readonly id: string
  readonly endpoint: Endpoint
  readonly aim: Aim
}

const disposable = {
  needs: { inbox: need('disposable-inbox') },
  level: 'must',
  schedule: 'alone',
  writes: true,
  touches: disposableInbox,
} as const
const bulk = { ...disposable, slow: true, needs: { inbox: need('bulk-inbox') } } as const

/** What both endpoints that mark many threads read have in common (readings D8 to D11). */
export function markingAllChecks(marking: MarkingAll): Check[] {
  const { id } = marking
  return [
    check({
      ...disposable,
      id: `${id}.reset-content`,
      requirement: `${id}.status`,
      title: 'returns 205 without a body when there are few threads',
      run: async (t, { inbox }) => resets(t, marking, inbox.token),
    }),
    check({
      ...bulk,
      id: `${id}.accepted`,
      requirement: `${id}.accepted`,
      title: 'returns 202 with a message for many threads and marks them in the background',
      run: async (t, { inbox }) => accepts(t, marking, inbox.token),
    }),
    check({
      ...disposable,
      id: `${id}.marks-all`,
      requirement: `${id}.effect`,
      title: 'marks every thread as read when last_read_at is absent, even old or private',
      run: async (t, { inbox }) => {
        const open = await openInbox(t, 'disposable-inbox', inbox.token, marking.aim)
        await becomeRead(t, open, open.concerned, await mark(t, marking.endpoint, open))
      },
    }),
    check({
      ...disposable,
      id: `${id}.last-read-at`,
      requirement: `${id}.last-read-at`,
      title: 'keeps threads updated after last_read_at unread, even on the same day',
      run: async (t, { inbox }) => keepsLater(t, marking, inbox.token),
    }),
  ]
}

async function resets(t: CheckContext, { endpoint, aim }: MarkingAll, token: string): Promise<void> {
  const inbox = await openInbox(t, 'disposable-inbox', token, aim)
  const answer = await mark(t, endpoint, inbox)
  if (answer.status === 202) t.untested('the response was 202: the inbox is too large for 205', 'disposable-inbox')
  t.expect(answer).status(205).noBody()
}

async function accepts(t: CheckContext, { endpoint, aim }: MarkingAll, token: string): Promise<void> {
  const inbox = await openInbox(t, 'bulk-inbox', token, aim)
  const answer = await mark(t, endpoint, inbox)
  if (answer.status === 205) {
    await becomeRead(t, inbox, inbox.concerned, answer)
    t.untested('the response was 205: the inbox is too small for 202', 'bulk-inbox')
  }
  t.expect(answer).status(202).matches('message')
  await becomeRead(t, inbox, inbox.concerned, answer)
}

async function keepsLater(t: CheckContext, { endpoint, aim }: MarkingAll, token: string): Promise<void> {
  const inbox = await openInbox(t, 'disposable-inbox', token, aim)
  const boundary = boundaryWithinDay(t, inbox)
  const answer = await mark(t, endpoint, inbox, { last_read_at: timestamp(boundary) })
  const earlier = inbox.concerned.filter(({ updated }) => updated < boundary)
  const later = inbox.concerned.filter(({ updated }) => updated > boundary)
  await becomeRead(t, inbox, earlier, answer)
  await stayUnread(t, inbox, later, answer)
}

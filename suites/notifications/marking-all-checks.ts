import type { Endpoint } from '../../src/spec/endpoint.ts'
import { type Check, check } from '../../src/suite/check.ts'
import type { CheckContext } from '../../src/suite/context.ts'
import { need } from '../../src/suite/needs.ts'
import { type Aim, becomeRead, boundaryWithinDay, mark, openInbox, stayUnread } from './marking-all.ts'
import { timestamp } from './threads.ts'

/** An endpoint that marks many threads read. */
export interface MarkingAll {
  readonly id: string
  readonly endpoint: Endpoint
  readonly aim: Aim
}

const disposable = { needs: { inbox: need('disposable-inbox') }, level: 'must', schedule: 'alone', writes: true } as const
const bulk = { ...disposable, needs: { inbox: need('bulk-inbox') } } as const

/** What both endpoints that mark many threads read have in common (readings D8 to D11). */
export function markingAllChecks(marking: MarkingAll): Check[] {
  const { id } = marking
  return [
    check({
      ...disposable,
      id: `${id}.reset-content`,
      requirement: `${id}.status`,
      title: 'answers 205 without a body where there are few threads',
      run: async (t, { inbox }) => resets(t, marking, inbox.token),
    }),
    check({
      ...bulk,
      id: `${id}.accepted`,
      requirement: `${id}.accepted`,
      title: 'answers 202 with a message where there are many, and marks them in the background',
      run: async (t, { inbox }) => accepts(t, marking, inbox.token),
    }),
    check({
      ...disposable,
      id: `${id}.marks-all`,
      requirement: `${id}.effect`,
      title: 'marks every thread concerned without last_read_at, however old, public or private',
      run: async (t, { inbox }) => {
        const open = await openInbox(t, 'disposable-inbox', inbox.token, marking.aim)
        await becomeRead(t, open, open.concerned, await mark(t, marking.endpoint, open))
      },
    }),
    check({
      ...disposable,
      id: `${id}.last-read-at`,
      requirement: `${id}.last-read-at`,
      title: 'leaves unread what was updated after last_read_at, within one day too',
      run: async (t, { inbox }) => keepsLater(t, marking, inbox.token),
    }),
  ]
}

async function resets(t: CheckContext, { endpoint, aim }: MarkingAll, token: string): Promise<void> {
  const inbox = await openInbox(t, 'disposable-inbox', token, aim)
  const answer = await mark(t, endpoint, inbox)
  if (answer.status === 202) t.untested('the inbox was answered 202, it is too large for 205', 'disposable-inbox')
  t.expect(answer).status(205).noBody()
}

async function accepts(t: CheckContext, { endpoint, aim }: MarkingAll, token: string): Promise<void> {
  const inbox = await openInbox(t, 'bulk-inbox', token, aim)
  const answer = await mark(t, endpoint, inbox)
  if (answer.status === 205) {
    await becomeRead(t, inbox, inbox.concerned, answer)
    t.untested('the inbox was answered 205, it is too small for 202', 'bulk-inbox')
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

import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import type { CheckContext } from '../../../src/suite/context.ts'
import { need } from '../../../src/suite/needs.ts'
import { accessChecks } from '../common/access.ts'
import { confirmed } from '../common/confirmed.ts'
import { disposableInbox } from '../common/touched.ts'
import {
  aimAtRepository,
  becomeRead,
  mark,
  openInbox,
  shown,
  someUnread,
  stayUnread,
  type Unread,
  unreadAnew,
  unreadShown,
} from './inbox-fixture.ts'
import { markingAllChecks } from './mark-all.checks.ts'
import { longAgo } from './mark-inbox.suite.ts'

const id = 'notifications.mark-repository'
const endpoint = endpoints.markRepositoryNotificationsRead

/** Marks a user's notifications of one repository read. */
export default suite({
  area: 'notifications',
  endpoint,
  checks: [
    ...markingAllChecks({ id, endpoint, aim: aimAtRepository }),
    check({
      id: `${id}.this-repository-only`,
      requirement: `${id}.scope`,
      level: 'must',
      title: 'keeps the threads of other repositories unread',
      needs: { inbox: need('disposable-inbox') },
      schedule: 'alone',
      writes: true,
      touches: disposableInbox,
      run: async (t, { inbox }) =>
        confirmed(
          t,
          inbox,
          () => t.ask('disposable-inbox', {}),
          ({ token }) => sparesOthers(t, token),
        ),
    }),
    ...accessChecks({
      id,
      endpoint,
      of: 'inbox-user',
      resource: 'thread',
      needs: {},
      address: async (t, _, entitled) => {
        const unread = await someUnread(t, entitled)
        return { params: anyRepository(t, unread), body: {}, seen: shown(unread) }
      },
      effect: async (t, _, entitled, before) => unreadShown(t, entitled, before),
      anew: async (t, _, entitled) => unreadAnew(t, entitled),
      granted: {
        needs: {},
        address: async (t, _, entitled) => ({ params: anyRepository(t, await someUnread(t, entitled)), body: longAgo }),
      },
    }),
  ],
})

async function sparesOthers(t: CheckContext, token: string): Promise<void> {
  const inbox = await openInbox(t, 'disposable-inbox', token, aimAtRepository)
  if (inbox.others.length === 0) t.untested('the inbox contains threads of only one repository', 'disposable-inbox')
  const answer = await mark(t, endpoint, inbox)
  await becomeRead(t, inbox, inbox.concerned, answer)
  await stayUnread(t, inbox, inbox.others, answer)
}

/** A repository that the user is notified of. */
function anyRepository(t: CheckContext, unread: readonly Unread[]): Readonly<Record<string, string>> {
  const { params, concerned } = aimAtRepository(unread)
  return concerned.length > 0
    ? params
    : t.untested('the inbox of the role inbox-user contains no unread thread', 'disposable-inbox')
}

import { endpoints } from '../../../src/spec/endpoints.ts'
import { check, suite } from '../../../src/suite/check.ts'
import { need } from '../../../src/suite/needs.ts'
import { accessChecks } from '../common/access.ts'
import { disposableInbox } from '../common/touched.ts'
import { aimAtAll, mark, openInbox, unreadAnew, unreadShown } from './inbox-fixture.ts'
import { markingAllChecks } from './mark-all.checks.ts'

const id = 'notifications.mark-inbox'
const endpoint = endpoints.markNotificationsRead

/** An entitled request about nothing: no notification is as old. */
export const longAgo = { last_read_at: '2000-01-01T00:00:00Z' }

/** Marks a user's notifications read. */
export default suite({
  area: 'notifications',
  endpoint,
  checks: [
    ...markingAllChecks({ id, endpoint, aim: aimAtAll }),
    check({
      id: `${id}.accepts-read`,
      requirement: `${id}.read`,
      level: 'should',
      title: 'accepts a request with read: true',
      needs: { inbox: need('disposable-inbox') },
      schedule: 'alone',
      writes: true,
      touches: disposableInbox,
      run: async (t, { inbox }) => {
        const open = await openInbox(t, 'disposable-inbox', inbox.token, aimAtAll)
        const answer = await mark(t, endpoint, open, { read: true })
        t.expect(answer).status(202, 205)
      },
    }),
    ...accessChecks({
      id,
      endpoint,
      of: 'inbox-user',
      resource: 'thread',
      needs: {},
      address: async () => ({ body: {} }),
      effect: async (t, _, entitled, before) => unreadShown(t, entitled, before),
      anew: async (t, _, entitled) => unreadAnew(t, entitled),
      granted: { needs: {}, address: async () => ({ body: longAgo }) },
    }),
  ],
})
